import { html, nothing } from 'lit';
import { downIcon, sendIcon } from '../../../theme/icons.ts';
import { removeIcon } from '../../../theme/item-icons.ts';
import { renderIconButton } from '../../content-templates.ts';
import type { FormControls } from '../form-controls.ts';
import type { Field, ListField, ValueField } from '../form-model.ts';
import {
  labelOf,
  renderAdd,
  renderFieldset,
  renderNotes,
  requiredMark,
  rowLabel,
} from './field-templates.ts';
import { renderControl } from './render-control.ts';

/** Renders a list of fields with buttons to add, move and remove entries; rows of simple values can be a table. */
export function renderList(field: ListField, controls: FormControls): unknown {
  const columns = field.asTable ? columnsOf(field) : [];
  const entries = columns.length
    ? renderTable(field, columns, controls)
    : html`<ol>
        ${field.entries.map((entry, index) => renderEntry(field, entry, index, controls))}
      </ol>`;
  const add = html`<div>
    ${renderAdd(field, controls, {
      text: controls.t('form.add'),
      label: controls.t('form.add-to', { name: labelOf(field, controls) }),
      onClick: () => controls.entries.addEntry(field),
    })}
  </div>`;
  return renderFieldset(field, controls, entries, field.canAdd ? add : nothing);
}

function renderEntry(list: ListField, entry: Field, index: number, controls: FormControls): unknown {
  const isFixed = index < list.fixed;
  const named: Field = isFixed && entry.label ? entry : { ...entry, label: entryName(list, index, controls) };
  // simple values in a list are labelled by their number only
  const bare = named.kind === 'value' && !isFixed && named.widget !== 'checkbox' && !named.variants.length;
  return html`<li class="entry" ?data-fault=${bare && controls.errorOf(named)}>
    <div class="value">
      ${
        bare
          ? html`${renderControl(named, controls, named.label)}${renderNotes(named, controls)}`
          : controls.renderField(named)
      }
    </div>
    ${isFixed ? nothing : renderTools(list, entry, index, controls)}
  </li>`;
}

function renderTools(list: ListField, entry: Field, index: number, controls: FormControls): unknown {
  if (!list.canMove && !list.canRemove) return nothing;
  const name = entryName(list, index, controls);
  const move = (kind: 'up' | 'down', shape: string, to: number): unknown =>
    renderIconButton(shape, {
      id: `${controls.idOf(entry)}-${kind}`,
      label: controls.t(`form.${kind}`, { name }),
      onClick: () => controls.entries.moveEntry(list, index, to),
    });
  return html`<div class="tools">
    ${list.canMove && index > list.fixed ? move('up', sendIcon, index - 1) : nothing}
    ${list.canMove && index < list.entries.length - 1 ? move('down', downIcon, index + 1) : nothing}
    ${list.canRemove ? renderRemove(list, entry, index, controls) : nothing}
  </div>`;
}

function renderRemove(list: ListField, entry: Field, index: number, controls: FormControls): unknown {
  return renderIconButton(removeIcon, {
    id: `${controls.idOf(entry)}-remove`,
    label: controls.t('form.remove', { name: entryName(list, index, controls) }),
    onClick: () => controls.entries.removeEntry(list, index),
  });
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
    ${list.canRemove ? html`<td class="tools">${renderRemove(list, entry, index, controls)}</td>` : nothing}
  </tr>`;
}

function entryName(list: ListField, index: number, controls: FormControls): string {
  const name = list.entryLabel.trim() || labelOf(list, controls);
  return controls.t('form.entry', { name, number: index + 1 });
}
