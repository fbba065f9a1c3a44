import type { Alignment, Block, TableRow } from '../../markdown/nodes.ts';
import { chunkSize } from './chunked-children.ts';
import { loadModule } from '../platform/load-module.ts';
import type { SetRoles } from './freeze-columns.ts';
import { InlineView } from './inline-view.ts';
import type { BlockContent, ViewContext } from './view-context.ts';

/** Words up to this length, in characters, are not broken, even in scripts that permit it. */
const maxNameLength = 8;

/**
 * A table that scrolls sideways. A row appears when it is whole; the header with the first one, as both give the
 * columns their widths. Rows are in several `tbody` elements. Once a table grows long, its column widths are frozen:
 * each row is then laid out by itself, so that new rows stay cheap and columns stop moving.
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
  /** Sets the roles of new parts, once the table is frozen. */
  #setRoles: SetRoles | undefined;

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
    const wholeCount = block.closed ? block.rows.length : Math.max(0, block.rows.length - 1);
    this.element.hidden = !block.closed && wholeCount === 0;
    const from = block.rows === this.#source ? this.#settled : 0;
    for (let index = from; index < wholeCount; index++) {
      const row = block.rows[index];
      const shown = this.#rows[index];
      if (!row || shown?.row === row) continue;
      const view = shown?.view ?? new RowView('td', this.#context);
      view.update(row, block.alignments);
      if (shown) shown.row = row;
      else {
        this.#bodyOf(index).append(view.element);
        this.#rows.push({ row, view });
        this.#setRoles?.(view.element);
      }
    }
    for (const { view } of this.#rows.splice(wholeCount)) view.element.remove();
    for (const body of this.#bodies.splice(Math.ceil(wholeCount / chunkSize))) body.remove();
    if (!block.closed && wholeCount > 0) this.#keepWidths();
    this.#source = block.rows;
    this.#settled = Math.min(block.settledCount, wholeCount);
    return true;
  }

  #bodyOf(index: number): HTMLTableSectionElement {
    const group = Math.floor(index / chunkSize);
    let body = this.#bodies[group];
    if (body) return body;
    if (group > 0 && !this.#setRoles) void this.#freeze();
    body = this.#table.createTBody();
    this.#setRoles?.(body);
    this.#bodies.push(body);
    return body;
  }

  /** Keeps the widths that header and first rows gave the columns. Only a longer word widens one. */
  #keepWidths(): void {
    const cells = [...this.#head.element.cells];
    if (cells[0]?.width) return;
    const widths = cells.map((cell) => cell.getBoundingClientRect().width);
    cells.forEach((cell, index) => {
      if (widths[index]) cell.width = String(widths[index]);
    });
  }

  /** Freezes the column widths, if the table is visible. */
  async #freeze(): Promise<void> {
    const module = await loadModule(this.element, 'long tables', () => import('./freeze-columns.ts'));
    this.#setRoles ??= module?.freezeColumns(this.element, this.#table);
  }
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

  #createCell(): { readonly element: HTMLTableCellElement; readonly inline: InlineView } {
    const element = document.createElement(this.#tag);
    this.element.append(element);
    return { element, inline: new InlineView(element, this.#context) };
  }
}
