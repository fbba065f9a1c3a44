import { html, nothing } from 'lit';
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
 * The visible mark of a required field. Controls also have `required` for assistive technology. Groups of
 * checkboxes and lists have no single control, so there the mark is part of the name.
 */
export function requiredMark(field: Field): unknown {
  if (!field.required || !field.path.length || field.readonly) return nothing;
  const isSaid = field.kind === 'value' && field.widget !== 'checkboxes' && field.widget !== 'multiselect';
  return html`<span class="required" aria-hidden=${isSaid ? 'true' : nothing}> *</span>`;
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

/** Value of an emptied field: `ui:emptyValue` if set, else undefined. Entries of a list keep their place. */
export function emptyValue(field: Field): unknown {
  if (field.hints.emptyValue !== undefined) return field.hints.emptyValue;
  return mayBeNull(field.schema) ? null : undefined;
}
