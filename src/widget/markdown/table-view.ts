import type { Alignment, Block, TableRow } from '../../markdown/nodes.ts';
import { chunkSize } from './chunked-children.ts';
import { InlineView } from './inline-view.ts';
import type { BlockContent, ViewContext } from './view-context.ts';

/** Words up to this length, in characters, are not broken, even in scripts that permit it. */
const maxNameLength = 8;
/** Minimum width of a column after freezing, in pixels: room for longer numbers than those seen so far. */
const minColumnWidth = 48;

/**
 * A table that scrolls sideways. Its rows are in several `tbody` elements. Once a table grows long, its column
 * widths are frozen: each row is then laid out by itself, so that new rows stay cheap and columns stop moving.
 */
export class TableContent implements BlockContent {
  readonly element = document.createElement('div');
  readonly #context: ViewContext;
  readonly #table = document.createElement('table');
  readonly #head: RowView;
  readonly #bodies: HTMLTableSectionElement[] = [];
  readonly #rows: { row: TableRow; readonly view: RowView }[] = [];
  #settled = 0;
  #source: readonly TableRow[] | undefined;
  #frozen = false;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#head = new RowView('th', context);
    this.element.className = 'table';
    this.element.part.add('table-scroller');
    this.#table.part.add('table');
    this.element.tabIndex = 0;
    this.element.role = 'group'; // not a landmark: several would have the same name
    context.labels.add(this.element, () => {
      this.element.ariaLabel = context.words.t('markdown.table');
    });
    this.#table.createTHead().append(this.#head.element);
    this.element.append(this.#table);
  }

  update(block: Block): boolean {
    if (block.kind !== 'table') return false;
    this.#head.update(block.head, block.alignments);
    const from = block.rows === this.#source ? this.#settled : 0;
    for (let index = from; index < block.rows.length; index++) {
      const row = block.rows[index];
      const shown = this.#rows[index];
      if (!row || shown?.row === row) continue;
      const view = shown?.view ?? new RowView('td', this.#context);
      view.update(row, block.alignments);
      if (shown) shown.row = row;
      else {
        this.#bodyOf(index).append(view.element);
        this.#rows.push({ row, view });
        if (this.#frozen) view.setRoles();
      }
    }
    for (const { view } of this.#rows.splice(block.rows.length)) view.element.remove();
    for (const body of this.#bodies.splice(Math.ceil(block.rows.length / chunkSize))) body.remove();
    this.#source = block.rows;
    this.#settled = block.settledCount;
    return true;
  }

  #bodyOf(index: number): HTMLTableSectionElement {
    const group = Math.floor(index / chunkSize);
    let body = this.#bodies[group];
    if (body) return body;
    if (group > 0 && !this.#frozen) this.#freeze();
    body = this.#table.createTBody();
    if (this.#frozen) body.role = 'rowgroup';
    this.#bodies.push(body);
    return body;
  }

  /** Freezes the column widths once the table is visible. Rows without table layout get explicit roles. */
  #freeze(): void {
    const seen = this.#head.widths();
    if (sumOf(seen) === 0) return;
    const widths = withRoom(seen);
    const whole = sumOf(widths);
    this.#frozen = true;
    const tracks = widths.map((width) => `minmax(${width.toFixed(1)}px, ${width.toFixed(1)}fr)`);
    this.element.style.setProperty('--_columns', tracks.join(' '));
    this.element.style.setProperty('--_columns-width', `${whole.toFixed(1)}px`);
    this.#table.className = 'frozen';
    this.#table.role = 'table';
    for (const section of this.#table.children) section.role = 'rowgroup';
    this.#head.setRoles();
    for (const { view } of this.#rows) view.setRoles();
  }
}

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

class RowView {
  readonly element = document.createElement('tr');
  readonly #tag: 'th' | 'td';
  readonly #context: ViewContext;
  readonly #cells: { readonly element: HTMLTableCellElement; readonly inline: InlineView }[] = [];

  constructor(tag: 'th' | 'td', context: ViewContext) {
    this.#tag = tag;
    this.#context = context;
  }

  update(row: TableRow, alignments: readonly Alignment[]): void {
    row.forEach((nodes, index) => {
      const cell = (this.#cells[index] ??= this.#createCell());
      const alignment = alignments[index] ?? '';
      if (cell.element.align !== alignment) cell.element.align = alignment;
      cell.inline.update(nodes);
      if (index === 0) cell.element.noWrap = (cell.element.textContent ?? '').length <= maxNameLength;
    });
    for (const { element } of this.#cells.splice(row.length)) element.remove();
  }

  /** Widths of the cells on screen, in pixels. */
  widths(): number[] {
    return this.#cells.map(({ element }) => element.getBoundingClientRect().width);
  }

  setRoles(): void {
    this.element.role = 'row';
    for (const { element } of this.#cells) element.role = this.#tag === 'th' ? 'columnheader' : 'cell';
  }

  #createCell(): { readonly element: HTMLTableCellElement; readonly inline: InlineView } {
    const element = document.createElement(this.#tag);
    this.element.append(element);
    return { element, inline: new InlineView(element, this.#context) };
  }
}
