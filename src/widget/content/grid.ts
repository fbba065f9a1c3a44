import { css, html } from 'lit';
import { listOf } from '../../conversation/read-values.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ContentElement } from './content-element.ts';
import { renderItemHeading } from './content-templates.ts';
import { contentStyles } from './content.styles.ts';
import { asObject, innerItems, list, number, type Fields } from './read-item.ts';

/** Maximum number of columns; more cannot be read in a chat, so further cells wrap. */
const maxColumns = 8;
/** Number of cells rendered before "Show more". */
const initialCells = 1000;

/**
 * Items in rows and columns. Column widths come from the agent: `1`, `2` are shares; `120px`, `30%` are sizes.
 *
 * @summary A grid of items.
 * @element agent-chat-grid
 * @csspart grid - The grid.
 * @csspart grid-cell - One cell.
 */
export class GridElement extends ContentElement {
  static override styles = [
    sharedStyles,
    contentStyles,
    css`
      .grid {
        display: grid;
        gap: var(--_space-2);
      }

      .row {
        display: grid;
        grid-template-columns: var(--columns);
        gap: var(--_space-2);
        align-items: start;
      }

      .cell {
        display: grid;
        gap: var(--_space-1);
        min-inline-size: 0;
      }

      .center {
        justify-items: center;
        text-align: center;
      }

      .end {
        justify-items: end;
        text-align: end;
      }

      .middle {
        align-self: center;
      }

      .bottom {
        align-self: end;
      }
    `,
  ];

  protected override updated(): void {
    if (!(this.item as unknown)) return; // not set yet
    this.style.setProperty('--columns', columns(this.item.source));
  }

  protected override renderContent(fields: Fields): unknown {
    const rows = listOf(fields['rows']);
    const cells = rows.flatMap((row, index) => cellsOf(row).map((cell, column) => ({ cell, column, index })));
    const { shown, more } = this.someOf(cells, initialCells + this.extraEntries);
    const inRows = rows.slice(0, (shown.at(-1)?.index ?? -1) + 1);
    let from = 0;
    return html`
      ${renderItemHeading(fields)}
      <div class="grid" part="grid">
        ${inRows.map((row, index) => {
          const first = from;
          while (shown[from]?.index === index) from += 1;
          return html`<div class="row">
            ${shown
              .slice(first, from)
              .map(({ cell, column }) =>
                this.renderCell(cell, `rows/${index}/${column}`, asObject(row), shown.length),
              )}
          </div>`;
        })}
      </div>
      ${more}
    `;
  }

  private renderCell(content: unknown, path: string, row: Fields, cells: number): unknown {
    const cell = asObject(content);
    const across = cell['horizontal_alignment'] ?? row['horizontal_alignment'];
    const down = cell['vertical_alignment'] ?? row['vertical_alignment'];
    const classes = [
      'cell',
      across === 'center' ? 'center' : across === 'right' || across === 'end' ? 'end' : '',
      down === 'center' ? 'middle' : down === 'bottom' || down === 'end' ? 'bottom' : '',
    ];
    return html`<div class=${classes.join(' ')} part="grid-cell">
      ${this.renderInner(innerItems(cell['items'] ?? content, this.item, path), cells)}
    </div>`;
  }
}

/** The cells of a row, which may itself be the list of its cells. */
function cellsOf(row: unknown): readonly unknown[] {
  return listOf(Array.isArray(row) ? row : asObject(row)['cells']);
}

function columns(fields: Fields): string {
  const widths = list(fields['columns'], maxColumns).map((column) => asObject(column)['width']);
  const cells = list(fields['rows']).reduce<number>((most, row) => Math.max(most, cellsOf(row).length), 1);
  const tracks = [...Array(Math.min(maxColumns, Math.max(widths.length, cells))).keys()].map((index) =>
    track(widths[index]),
  );
  return tracks.join(' ');
}

function track(width: unknown): string {
  const share = number(width);
  if (share !== undefined && share > 0) return `minmax(0, ${Math.min(share, 100)}fr)`;
  const size = typeof width === 'string' ? /^(\d{1,4}(?:\.\d{1,3})?)(px|em|rem|%)$/.exec(width.trim()) : null;
  return size ? `minmax(0, ${size[0]})` : 'minmax(0, 1fr)';
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-grid': GridElement;
  }
}
