import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { downIcon, icon, sendIcon } from '../../../theme/icons.ts';
import { addIcon, removeIcon } from '../../../theme/item-icons.ts';
import type { FieldRenderer, FormControls } from '../form-controls.ts';
import type { Field, ListField, ValueField } from '../form-model.ts';
import {
  describedBy,
  rowLabel,
  labelOf,
  renderDescription,
  renderNotes,
  requiredMark,
} from './field-templates.ts';
import { renderControl } from './render-control.ts';

/** Renders a list of fields with buttons to add, move and remove entries; rows of simple values can be a table. */
export function renderList(field: ListField, controls: FormControls, renderField: FieldRenderer): unknown {
  const columns = field.asTable ? columnsOf(field) : [];
  return html`<fieldset
    class="group"
    ?data-fault=${controls.errorOf(field)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
  >
    <legend class="label" part="form-label" dir="auto">
      ${labelOf(field, controls)}${requiredMark(field)}
    </legend>
    ${renderDescription(field, controls)}
    ${
      columns.length
        ? renderTable(field, columns, controls)
        : html`<ol>
            ${field.entries.map((entry, index) => renderEntry(field, entry, index, controls, renderField))}
          </ol>`
    }
    ${renderNotes(field, controls)}
    ${
      field.canAdd
        ? html`<div>
            <button
              type="button"
              class="button add"
              id="${controls.idOf(field)}-add"
              aria-label=${controls.t('form.add-to', { name: labelOf(field, controls) })}
              @click=${() => controls.entries.addEntry(field)}
            >
              ${icon(addIcon)}${controls.t('form.add')}
            </button>
          </div>`
        : nothing
    }
  </fieldset>`;
}

function renderEntry(
  list: ListField,
  entry: Field,
  index: number,
  controls: FormControls,
  renderField: FieldRenderer,
): unknown {
  const isFixed = index < list.fixed;
  const named: Field = isFixed && entry.label ? entry : { ...entry, label: entryName(list, index, controls) };
  // simple values in a list are labelled by their number only
  const bare = named.kind === 'value' && !isFixed && named.widget !== 'checkbox' && !named.variants.length;
  return html`<li class="entry" ?data-fault=${bare && controls.errorOf(named)}>
    <div class="value">
      ${
        bare
          ? html`${renderControl(named, controls, named.label)}${renderNotes(named, controls)}`
          : renderField(named, controls)
      }
    </div>
    ${isFixed ? nothing : renderTools(list, entry, index, controls)}
  </li>`;
}

function renderTools(list: ListField, entry: Field, index: number, controls: FormControls): unknown {
  const name = entryName(list, index, controls);
  const id = controls.idOf(entry);
  const tool = (kind: 'up' | 'down' | 'remove', shape: typeof addIcon, act: () => void): unknown =>
    html`<button
      type="button"
      class="icon-button small"
      id="${id}-${kind}"
      aria-label=${controls.t(`form.${kind}`, { name })}
      @click=${act}
    >
      ${icon(shape)}
    </button>`;
  if (!list.canMove && !list.canRemove) return nothing;
  return html`<div class="tools">
    ${
      list.canMove && index > list.fixed
        ? tool('up', sendIcon, () => controls.entries.moveEntry(list, index, index - 1))
        : nothing
    }
    ${
      list.canMove && index < list.entries.length - 1
        ? tool('down', downIcon, () => controls.entries.moveEntry(list, index, index + 1))
        : nothing
    }
    ${list.canRemove ? tool('remove', removeIcon, () => controls.entries.removeEntry(list, index)) : nothing}
  </div>`;
}

/** The columns, if all rows have the same simple fields. */
function columnsOf(list: ListField): readonly ValueField[] {
  const rows = list.entries.map((entry) =>
    entry.kind === 'group' && !entry.variants.length ? entry.fields : undefined,
  );
  const first = rows[0];
  if (!first) return [];
  const keys = first.map(({ path }) => path.at(-1)).join('\n');
  const same = rows.every(
    (row) =>
      row?.map(({ path }) => path.at(-1)).join('\n') === keys && row.every(({ kind }) => kind === 'value'),
  );
  return same
    ? first.filter((field): field is ValueField => field.kind === 'value' && field.widget !== 'hidden')
    : [];
}

function renderTable(list: ListField, columns: readonly ValueField[], controls: FormControls): unknown {
  return html`<div class="table scrolls" tabindex="0" role="group" aria-label=${labelOf(list, controls)}>
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" dir="auto">${labelOf(column, controls)}${requiredMark(column)}</th>`)}
          ${list.canRemove ? html`<td></td>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${list.entries.map((entry, index) => renderRow(list, entry, index, controls))}
      </tbody>
    </table>
  </div>`;
}

function renderRow(list: ListField, entry: Field, index: number, controls: FormControls): unknown {
  const cells = entry.kind === 'group' ? entry.fields : [];
  return html`<tr>
    ${cells.map((cell) =>
      cell.kind === 'value' && cell.widget !== 'hidden'
        ? html`<td ?data-fault=${controls.errorOf(cell)}>
            ${renderControl(cell, controls, rowLabel(cell, controls, index + 1))}${renderNotes(cell, controls)}
          </td>`
        : nothing,
    )}
    ${
      list.canRemove
        ? html`<td class="tools">
            <button
              type="button"
              class="icon-button small"
              id="${controls.idOf(entry)}-remove"
              aria-label=${controls.t('form.remove', { name: entryName(list, index, controls) })}
              @click=${() => controls.entries.removeEntry(list, index)}
            >
              ${icon(removeIcon)}
            </button>
          </td>`
        : nothing
    }
  </tr>`;
}

function entryName(list: ListField, index: number, controls: FormControls): string {
  const name = list.entryLabel.trim() || labelOf(list, controls);
  return controls.t('form.entry', { name, number: index + 1 });
}
