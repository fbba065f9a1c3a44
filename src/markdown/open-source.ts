/** The part of an unfinished text that can be parsed without showing what is about to change. */
export interface OpenSource {
  /** What to parse; may end with a delimiter row that has not come yet. */
  readonly source: string;
  /** The line, counted from 0, before which a block must start to be the open one. */
  readonly lastLine: number;
  /** What to parse instead when no table comes of the delimiter row: it stood in code, or was none of a table. */
  readonly otherwise?: OpenSource;
}

const listMarker = String.raw`(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`;
/** Last lines that are nothing yet, or may turn the line above into something else. */
const undecided = new RegExp(
  String.raw`^[ \t>]*${listMarker}(?:#{1,6}[ \t]*|[-=|:*+_ \t>]+|\d{1,9}[.)]?[ \t]*|\[[ xX]?\]?[ \t]*|` +
    '`+[^`]*|~{3,}.*|~{1,2})$',
);
const definition = /^ {0,3}\[[^[\]]{1,200}\]:/;
const cellStart = /^[ \t>]*(?=\|)/;

/**
 * Leaves out a last line that is only marks so far, and completes the head of a table whose delimiter row is still on
 * its way.
 * @param tail Source that ends where the stream stands now.
 */
export function planOpenSource(tail: string): OpenSource {
  const lineStart = tail.lastIndexOf('\n') + 1;
  const line = tail.slice(lineStart);
  const lastLine = countLines(tail);
  const held = line !== '' && line.length < 4096 && (undecided.test(line) || definition.test(line));
  const source = held ? tail.slice(0, lineStart) : tail;
  return unfinishedTable({ source, lastLine }, line === '' || held);
}

/** How many line ends a text holds. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** @param ended The head's line end is there, and nothing that is sure after it. */
function unfinishedTable(plain: OpenSource, ended: boolean): OpenSource {
  const { source, lastLine } = plain;
  const end = ended ? source.length - 1 : source.length;
  if (end <= 0) return plain;
  const start = source.lastIndexOf('\n', end - 1) + 1;
  const head = source.slice(start, end);
  const indent = cellStart.exec(head)?.[0];
  if (indent === undefined || head.length > 4096) return plain;
  const above = source.slice(source.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1));
  if (above.includes('|')) return plain;
  const columns = countCells(head.slice(indent.length));
  if (columns === 0) return plain;
  return {
    source: `${source.slice(0, end)}\n${indent}|${'---|'.repeat(columns)}`,
    lastLine: ended ? lastLine - 1 : lastLine,
    otherwise: plain,
  };
}

/** How many cells a row has, as the parser counts them. */
function countCells(row: string): number {
  const cells = row.trim().replace(/\\./g, '').split('|');
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.length;
}
