import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { icon } from '../../../theme/icons.ts';
import { addIcon } from '../../../theme/item-icons.ts';
import { mayBeNull } from './choose-widget.ts';
import type { FormControls } from '../form-controls.ts';
import type { Field } from '../form-model.ts';

/** A field's label; a generic one if it has none. */
export function labelOf(field: Field, controls: FormControls): string {
  return field.label.trim() || controls.t('form.unnamed');
}

/** Accessible name of a control in a table, where only the column has a visible label. */
export function rowLabel(field: Field, controls: FormControls, row: number): string {
  return `${labelOf(field, controls)} ${row}`;
}

/**
 * The visible mark of a required field; groups have none. Controls also have `required` for assistive technology. Sets
 * of checkboxes and lists have no single control, so there the mark is part of the name.
 */
export function requiredMark(field: Field): unknown {
  if (!field.required || !field.path.length || field.readonly || field.kind === 'group') return nothing;
  const isSaid = field.kind === 'value' && field.widget !== 'checkboxes' && field.widget !== 'multiselect';
  return html`<span class="required" aria-hidden=${isSaid ? 'true' : nothing}> *</span>`;
}

/** Renders several controls as a set with a name. @param footer comes below help and errors */
export function renderFieldset(
  field: Field,
  controls: FormControls,
  content: unknown,
  footer: unknown = nothing,
): unknown {
  const isValue = field.kind === 'value';
  return html`<fieldset
    class=${isValue ? 'form-field' : 'group'}
    part=${isValue ? 'form-field' : nothing}
    ?data-fault=${controls.errorOf(field)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
  >
    <legend class="label ${isValue ? hiddenLabel(field) : ''}" part="form-label" dir="auto">
      ${labelOf(field, controls)}${requiredMark(field)}
    </legend>
    ${renderDescription(field, controls)} ${content} ${renderNotes(field, controls)} ${footer}
  </fieldset>`;
}

/** Class of a label that `ui:label` hides. */
export function hiddenLabel(field: Field): string {
  return field.hints.label ? '' : 'visually-hidden';
}

/** Renders the button that adds to a field. @param label accessible name; default: the visible one */
export function renderAdd(
  field: Field,
  controls: FormControls,
  { text, label, onClick }: { readonly text: string; readonly label?: string; readonly onClick: () => void },
): unknown {
  return html`<button
    type="button"
    class="button add"
    id="${controls.idOf(field)}-add"
    aria-label=${label || nothing}
    @click=${onClick}
  >
    ${icon(addIcon)}${text}
  </button>`;
}

/** Renders the description above a control. */
export function renderDescription(field: Field, controls: FormControls): unknown {
  if (!field.description.trim()) return nothing;
  return html`<p class="help" part="form-help" id="${controls.idOf(field)}-description" dir="auto">
    <span>${field.description}</span>
  </p>`;
}

/** Renders help and errors below a control. */
export function renderNotes(field: Field, controls: FormControls): unknown {
  const error = controls.errorOf(field);
  const id = controls.idOf(field);
  return html`${error ? html`<p class="fault" part="form-error" id="${id}-fault">${error}</p>` : nothing}
  ${
    field.hints.help
      ? html`<p class="help" part="form-help" id="${id}-help" dir="auto"><span>${field.hints.help}</span></p>`
      : nothing
  }`;
}

/** Ids of all elements that describe a field's control. */
export function describedBy(field: Field, controls: FormControls): string | undefined {
  const id = controls.idOf(field);
  const ids = [
    controls.errorOf(field) ? `${id}-fault` : '',
    field.description.trim() ? `${id}-description` : '',
    field.hints.help ? `${id}-help` : '',
  ].filter(Boolean);
  return ids.length ? ids.join(' ') : undefined;
}

/** A value as the text of a control; `''` if there is none. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Value of an emptied field: `ui:emptyValue` if set, else undefined. Entries of a list keep their place. */
export function emptyValue(field: Field): unknown {
  if (field.hints.emptyValue !== undefined) return field.hints.emptyValue;
  return mayBeNull(field.schema) ? null : undefined;
}
