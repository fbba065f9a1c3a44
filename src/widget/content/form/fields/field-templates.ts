import { html, nothing } from 'lit';
import { mayBeNull } from './choose-widget.ts';
import type { FormControls } from '../form-controls.ts';
import type { Field } from '../form-model.ts';

/** A field's name; one without a name is still an answer. */
export function labelOf(field: Field, controls: FormControls): string {
  return field.label.trim() || controls.t('form.unnamed');
}

/** The accessible name of a control in a table, where only its column has a label. */
export function rowLabel(field: Field, controls: FormControls, row: number): string {
  return `${labelOf(field, controls)} ${row}`;
}

/**
 * The mark of a field that must be filled in. Its control says the same to assistive technology; of several boxes to
 * tick, and of a list, there is no one control that could: there the mark is part of the name.
 */
export function requiredMark(field: Field): unknown {
  if (!field.required || !field.path.length || field.readonly) return nothing;
  const isSaid = field.kind === 'value' && field.widget !== 'checkboxes' && field.widget !== 'multiselect';
  return html`<span class="required" aria-hidden=${isSaid ? 'true' : nothing}> *</span>`;
}

/** The description above a control. */
export function renderDescription(field: Field, controls: FormControls): unknown {
  if (!field.description.trim()) return nothing;
  return html`<p class="help" part="form-help" id="${controls.idOf(field)}-description" dir="auto">
    <span>${field.description}</span>
  </p>`;
}

/** Help and fault below a control. */
export function renderNotes(field: Field, controls: FormControls): unknown {
  const fault = controls.faultOf(field);
  const id = controls.idOf(field);
  return html`${fault ? html`<p class="fault" part="form-error" id="${id}-fault">${fault}</p>` : nothing}
  ${
    field.hints.help
      ? html`<p class="help" part="form-help" id="${id}-help" dir="auto"><span>${field.hints.help}</span></p>`
      : nothing
  }`;
}

/** Ids of everything that describes a field's control. */
export function describedBy(field: Field, controls: FormControls): string | undefined {
  const id = controls.idOf(field);
  const ids = [
    controls.faultOf(field) ? `${id}-fault` : '',
    field.description.trim() ? `${id}-description` : '',
    field.hints.help ? `${id}-help` : '',
  ].filter(Boolean);
  return ids.length ? ids.join(' ') : undefined;
}

/** What an emptied field holds: nothing, unless the form says otherwise. Entries of a list keep their place. */
export function emptyValue(field: Field): unknown {
  if (field.hints.emptyValue !== undefined) return field.hints.emptyValue;
  return mayBeNull(field.schema) ? null : undefined;
}
