import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { removeIcon } from '../../../theme/item-icons.ts';
import { renderIconButton } from '../../content-templates.ts';
import type { FormControls } from '../form-controls.ts';
import type { Field, GroupField } from '../form-model.ts';
import { renderAdd, renderFieldset, renderNotes } from './field-templates.ts';

/** Renders a group of fields. The outermost group is the form itself and has no box. */
export function renderGroup(field: GroupField, controls: FormControls): unknown {
  const name = field.label.trim();
  const content = html`${renderVariants(field, controls)}
  ${field.fields.map((next) => (isExtra(field, next) ? renderExtra(field, next, controls) : controls.renderField(next)))}
  ${
    field.canAdd
      ? html`<div>
          ${renderAdd(field, controls, {
            text: controls.t('form.add'),
            label: name && controls.t('form.add-to', { name }),
            onClick: () => controls.entries.addKey(field, controls.t('form.key')),
          })}
        </div>`
      : nothing
  }`;
  if (field.path.length > 0) return renderFieldset(field, controls, content);
  return html`${content}${renderNotes(field, controls)}`;
}

/** Renders the choice between the alternatives of a field. */
export function renderVariants(field: Field, controls: FormControls): unknown {
  if (!field.variants.length) return nothing;
  const id = `${controls.idOf(field)}-variant`;
  const name = field.label.trim();
  return html`<div class="form-field" part="form-field">
    <label class="label" part="form-label" for=${id}
      >${name ? controls.t('form.kind', { name }) : controls.t('option.choose')}</label
    >
    <select
      class="field"
      part="form-control"
      id=${id}
      ?disabled=${field.readonly}
      @change=${(event: Event) => controls.chooseVariant(field, indexOf(event))}
    >
      ${field.variants.map(
        (variant, index) =>
          html`<option value=${index} ?selected=${live(index === field.variant)}>${variant}</option>`,
      )}
    </select>
  </div>`;
}

/** Renders an entry whose key the visitor chooses. */
function renderExtra(group: GroupField, field: Field, controls: FormControls): unknown {
  const key = String(field.path.at(-1));
  const id = `${controls.idOf(field)}-key`;
  return html`<div class="extra">
    <div class="form-field">
      <label class="label" for=${id}>${controls.t('form.key')}</label>
      <input
        class="field"
        id=${id}
        .value=${live(key)}
        ?readonly=${field.readonly}
        @change=${(event: Event) => rename(event, group, key, controls)}
      />
    </div>
    <div class="value">${controls.renderField(field)}</div>
    ${
      field.readonly
        ? nothing
        : renderIconButton(removeIcon, {
            id: `${controls.idOf(field)}-remove`,
            label: controls.t('form.remove', { name: key }),
            onClick: () => controls.entries.removeKey(group, key),
          })
    }
  </div>`;
}

function isExtra(group: GroupField, field: Field): boolean {
  return group.extraKeys.includes(String(field.path.at(-1)));
}

function rename(event: Event, group: GroupField, from: string, controls: FormControls): void {
  // the listener is on an input
  const input = event.target as HTMLInputElement;
  controls.entries.renameKey(group.path, from, input.value.trim());
}

function indexOf(event: Event): number {
  // the listener is on a select
  return (event.target as HTMLSelectElement).selectedIndex;
}
