import { css } from 'lit';
import { adoptStyles } from '../platform/adopt-styles.ts';
import { cssZoom } from '../platform/css-zoom.ts';

const frozenStyles = css`
  .frozen,
  .frozen :is(thead, tbody, th, td) {
    display: block;
  }

  .frozen {
    min-inline-size: var(--_columns-width, auto);
  }

  .frozen tr {
    display: grid;
    grid-template-columns: var(--_columns, none);
  }

  .frozen :is(th, td) {
    overflow-wrap: anywhere;
    white-space: normal;
  }

  .frozen tbody {
    isolation: isolate;
  }
`;

/** Minimum width of a column after freezing, in pixels: room for longer numbers than those seen so far. */
const minColumnWidth = 48;

/** Sets the roles of a section or a row. */
export type SetRoles = (part: HTMLTableSectionElement | HTMLTableRowElement) => void;

/**
 * Freezes the column widths of a table: each row is then laid out by itself. Rows without table layout need explicit
 * roles.
 * @param scroller the element around the table
 * @returns a function to call for later sections and rows; undefined if the table is not visible
 */
export function freezeColumns(scroller: HTMLElement, table: HTMLTableElement): SetRoles | undefined {
  const cells = [...(table.tHead?.rows[0]?.cells ?? [])];
  const zoom = cssZoom(table);
  const seen = cells.map((cell) => cell.getBoundingClientRect().width / zoom);
  if (sumOf(seen) === 0) return undefined;
  const widths = withRoom(seen);
  const tracks = widths.map((width) => `minmax(${width.toFixed(1)}px, ${width.toFixed(1)}fr)`);
  scroller.style.setProperty('--_columns', tracks.join(' '));
  scroller.style.setProperty('--_columns-width', `${sumOf(widths).toFixed(1)}px`);
  adoptStyles(scroller, frozenStyles.styleSheet);
  table.className = 'frozen';
  table.role = 'table';
  for (const section of [table.tHead, ...table.tBodies]) if (section) setRoles(section);
  for (const row of table.rows) setRoles(row);
  return setRoles;
}

const setRoles: SetRoles = (part) => {
  part.role = part instanceof HTMLTableRowElement ? 'row' : 'rowgroup';
  if (!(part instanceof HTMLTableRowElement)) return;
  for (const cell of part.cells) cell.role = cell.localName === 'th' ? 'columnheader' : 'cell';
};

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Adds room to narrow columns, taken from the widest. */
function withRoom(seen: readonly number[]): number[] {
  const widest = Math.max(...seen);
  const widths = seen.map((width) => Math.max(width, minColumnWidth));
  widths[seen.indexOf(widest)] = Math.max(
    Math.min(widest, 2 * minColumnWidth),
    widest + sumOf(seen) - sumOf(widths),
  );
  return widths;
}
