/** The part of an unfinished text that can be parsed without showing what is about to change. */
export interface OpenSource {
  /** What to parse; may end with a delimiter row that has not come yet. */
  readonly source: string;
  /** The line, counted from 0, before which a block must start to be the open one. */
  readonly lastLine: number;
}

const listMarker = String.raw`(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*`;
/** Last lines that are nothing yet, or may turn the line above into something else. */
const undecided = new RegExp(
  String.raw`^[ \t>]*${listMarker}(?:#{1,6}[ \t]*|[-=|:*+_ \t>]+|\d{1,9}[.)]?[ \t]*|\[[ xX]?\]?[ \t]*|` +
    '`+[^`]*|~{3,}.*|~{1,2})$',
);
const definition = /^ {0,3}\[[^[\]]{1,200}\]:/;
const cellStart = /^ {0,3}\|/;

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
  return unfinishedTable(source, lastLine, held) ?? { source, lastLine };
}

/** How many line ends a text holds. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function unfinishedTable(source: string, lastLine: number, held: boolean): OpenSource | undefined {
  const end = held ? source.length - 1 : source.length;
  if (end <= 0) return undefined;
  const start = source.lastIndexOf('\n', end - 1) + 1;
  const head = source.slice(start, end);
  if (!cellStart.test(head) || head.length > 4096) return undefined;
  const above = source.slice(source.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1));
  if (above.includes('|')) return undefined;
  const columns = countCells(head);
  if (columns === 0) return undefined;
  return {
    source: `${source.slice(0, end)}\n|${'---|'.repeat(columns)}`,
    lastLine: held ? lastLine - 1 : lastLine,
  };
}

/** How many cells a row has, as the parser counts them. */
function countCells(row: string): number {
  const cells = row.trim().replace(/\\./g, '').split('|');
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.length;
}
