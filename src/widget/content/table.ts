import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { tableCells } from '../../conversation/export/table-cells.ts';
import { downIcon, icon } from '../theme/icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { contentStyles } from './content.styles.ts';
import { asObject, firstText, text, type Fields } from './read-item.ts';
import { isNumeric, sortRows, type Rows, type Sorting } from './sort-rows.ts';
import { tableStyles } from './table.styles.ts';

const rowsAtFirst = 25;
/** Maximum number of cells added at once; more would block the page. */
const maxCellsAtOnce = 20_000;

/**
 * A table that can be sorted by any column and scrolls sideways. Long tables start with 25 rows.
 *
 * @summary A table of values.
 * @element agent-chat-table
 * @csspart table-scroller - The scroll container.
 * @csspart table - The table.
 */
export class TableElement extends ContentElement {
  static override styles = [sharedStyles, contentStyles, tableStyles];

  @state() private sorting: Sorting | undefined;
  /** Number of further rows that the visitor asked for. */
  @state() private extraRows = 0;
  /** Cache of what was read from the item. */
  #read: { readonly fields: Fields; readonly rows: Rows; readonly headers: readonly string[] } | undefined;

  protected override renderContent(fields: Fields): unknown {
    if (this.#read?.fields !== fields) this.#read = { fields, ...readTable(fields) };
    const { rows, headers } = this.#read;
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const labels = [...Array(Math.max(headers.length, width)).keys()].map(
      (index) => headers[index]?.trim() || this.t('table.column', { number: index + 1 }),
    );
    const title = text(fields['title']);
    return html`
      ${renderItemHeading(fields, { id: 'title' })}
      ${this.renderTable(labels, rows, { isTitled: Boolean(title.trim()), isHeaded: headers.length > 0 })}
      ${this.renderMore(rows.length, labels.length)}
    `;
  }

  private renderTable(
    headers: readonly string[],
    rows: Rows,
    { isTitled, isHeaded }: { readonly isTitled: boolean; readonly isHeaded: boolean },
  ): unknown {
    if (!headers.length) return html`<p class="description">${this.t('table.empty')}</p>`;
    const figures = headers.map((_, column) => isNumeric(rows, column));
    const sorted = this.sorting ? sortRows(rows, this.sorting, this.context.words.locale) : rows;
    const shown = sorted.slice(0, rowsFirst(headers.length) + this.extraRows);
    return html`<div
      class="scroller scrolls"
      part="table-scroller"
      tabindex="0"
      role="group"
      aria-label=${this.t('table.label')}
    >
      <table part="table" aria-labelledby=${isTitled ? 'title' : nothing}>
        ${
          isHeaded
            ? html`<thead>
                <tr>
                  ${headers.map((header, column) => this.renderHeader(header, column, figures[column] ?? false))}
                </tr>
              </thead>`
            : nothing
        }
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr>
                ${headers.map(
                  (_, column) =>
                    html`<td class=${figures[column] ? 'figures' : nothing}>
                      <span dir="auto">${row[column]}</span>
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderHeader(header: string, column: number, figures: boolean): unknown {
    const sorting = this.sorting?.column === column ? this.sorting : undefined;
    return html`<th
      scope="col"
      class=${figures ? 'figures' : nothing}
      aria-sort=${sorting ? (sorting.down ? 'descending' : 'ascending') : nothing}
    >
      <button title=${this.t('table.sort', { name: header })} @click=${() => this.#sort(column)}>
        <span dir="auto">${header}</span>${icon(downIcon)}
      </button>
    </th>`;
  }

  private renderMore(rows: number, columns: number): unknown {
    const first = rowsFirst(columns);
    if (rows <= first) return nothing;
    const left = rows - first - this.extraRows;
    const next = Math.min(left, rowsAtOnce(columns));
    return html`<button
      class="button more"
      @click=${() => (this.extraRows = left > 0 ? this.extraRows + next : 0)}
    >
      ${left > 0 ? this.t('content.more', { count: next }) : this.t('content.less')}
    </button>`;
  }

  #sort(column: number): void {
    const { sorting } = this;
    if (sorting?.column !== column) this.sorting = { column, down: false };
    else this.sorting = sorting.down ? undefined : { column, down: true };
  }
}

function rowsAtOnce(columns: number): number {
  return Math.max(1, Math.floor(maxCellsAtOnce / columns));
}

function rowsFirst(columns: number): number {
  return Math.min(rowsAtFirst, rowsAtOnce(columns));
}

function readTable(fields: Fields): { readonly rows: Rows; readonly headers: readonly string[] } {
  const { headers, rows } = tableCells(fields);
  return { headers: headers.map(readCell), rows: rows.map((row) => row.map(readCell)) };
}

function readCell(cell: unknown): string {
  const fields = asObject(cell);
  return (
    text(cell, 2000) ||
    firstText(
      fields['text'],
      fields['value'],
      fields['label'],
      fields['title'],
      fields['header'],
      fields['name'],
    )
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-table': TableElement;
  }
}
