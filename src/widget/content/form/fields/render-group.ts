import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { addIcon, removeIcon } from '../../../theme/item-icons.ts';
import { icon } from '../../../theme/icons.ts';
import type { FieldRenderer, FormControls } from '../form-controls.ts';
import type { Field, GroupField } from '../form-model.ts';
import { describedBy, labelOf, renderDescription, renderNotes } from './field-templates.ts';

/** Renders a group of fields. The outermost group is the form itself and has no box. */
export function renderGroup(field: GroupField, controls: FormControls, renderField: FieldRenderer): unknown {
  const inner = html`${renderVariants(field, controls)}
  ${field.fields.map((next) => (isExtra(field, next) ? renderExtra(field, next, controls, renderField) : renderField(next, controls)))}
  ${field.canAdd ? renderAdd(field, controls) : nothing}`;
  if (field.path.length === 0) return html`${inner}${renderNotes(field, controls)}`;
  return html`<fieldset
    class="group"
    ?data-fault=${controls.errorOf(field)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
  >
    <legend class="label" part="form-label" dir="auto">${labelOf(field, controls)}</legend>
    ${renderDescription(field, controls)} ${inner} ${renderNotes(field, controls)}
  </fieldset>`;
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
function renderExtra(
  group: GroupField,
  field: Field,
  controls: FormControls,
  renderField: FieldRenderer,
): unknown {
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
    <div class="value">${renderField(field, controls)}</div>
    ${
      field.readonly
        ? nothing
        : html`<button
            type="button"
            class="icon-button small"
            id="${controls.idOf(field)}-remove"
            aria-label=${controls.t('form.remove', { name: key })}
            @click=${() => controls.entries.removeKey(group, key)}
          >
            ${icon(removeIcon)}
          </button>`
    }
  </div>`;
}

function renderAdd(field: GroupField, controls: FormControls): unknown {
  return html`<div>
    <button
      type="button"
      class="button add"
      id="${controls.idOf(field)}-add"
      aria-label=${field.label.trim() ? controls.t('form.add-to', { name: field.label }) : nothing}
      @click=${() => controls.entries.addKey(field, controls.t('form.key'))}
    >
      ${icon(addIcon)}${controls.t('form.add')}
    </button>
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
