import type { Alignment } from './nodes.ts';

const endsWithPipe = /(?:^|[^\\])\|$/;
const delimiterCell = /^:?-+:?$/;

/** The source of the cells of a table row, with pipes unescaped. */
export function cellsOf(row: string): string[] {
  const line = row.trim();
  const cells = line.replace(/^\|/, '').split(/(?<!\\)\|/);
  if (endsWithPipe.test(line)) cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Whether the last cell of a row is open: text after it would belong to this cell. */
export function isInCell(row: string): boolean {
  return !endsWithPipe.test(row.trimEnd());
}

/** The alignments of a delimiter row such as `|:--|--:|`; undefined when the line is not one. */
export function alignmentsOf(line: string): readonly Alignment[] | undefined {
  if (!/^[-|:][-|: \t]*$/.test(line)) return undefined;
  const cells = cellsOf(line);
  return cells.length > 0 && cells.every((cell) => delimiterCell.test(cell))
    ? cells.map(alignmentOf)
    : undefined;
}

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(':')) return cell.startsWith(':') ? 'left' : '';
  return cell.startsWith(':') ? 'center' : 'right';
}
