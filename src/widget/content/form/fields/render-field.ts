import { html, nothing } from 'lit';
import type { FormControls } from '../form-controls.ts';
import type { Field, ValueField } from '../form-model.ts';
import { isDisplayOnly } from '../ui-schema.ts';
import {
  hiddenLabel,
  labelOf,
  renderAdd,
  renderDescription,
  renderFieldset,
  renderNotes,
  requiredMark,
} from './field-templates.ts';
import { renderControl } from './render-control.ts';
import { renderGroup, renderVariants } from './render-group.ts';
import { renderList } from './render-list.ts';

/** Renders any field: label, control, help and error. */
export function renderField(field: Field, controls: FormControls): unknown {
  if (field.kind === 'group') return renderGroup(field, controls);
  if (field.kind === 'list') return renderList(field, controls);
  if (field.kind === 'absent') return renderAbsent(field, controls);
  if (field.kind === 'refused') return html`<p class="help">${controls.t('form.too-deep')}</p>`;
  if (field.variants.length) {
    return html`<div class="variants">
      ${renderVariants(field, controls)} ${renderValueField(field, controls)}
    </div>`;
  }
  return renderValueField(field, controls);
}

function renderValueField(field: ValueField, controls: FormControls): unknown {
  if (field.widget === 'hidden') return nothing;
  if (field.widget === 'checkbox') return renderCheckboxField(field, controls);
  const hasSeveralControls =
    field.widget === 'radio' ||
    field.widget === 'checkboxes' ||
    field.widget === 'multiselect' ||
    (field.widget === 'date' && field.hints.range);
  return hasSeveralControls
    ? renderFieldset(field, controls, renderControl(field, controls))
    : renderPlainField(field, controls);
}

function renderPlainField(field: ValueField, controls: FormControls): unknown {
  const classes = `label ${hiddenLabel(field)}`;
  return html`<div class="form-field" part="form-field" ?data-fault=${controls.errorOf(field)}>
    ${
      isDisplayOnly(field.widget)
        ? html`<span class=${classes} part="form-label" id="${controls.idOf(field)}-label" dir="auto"
            >${field.label}</span
          >`
        : html`<label class=${classes} part="form-label" for=${controls.idOf(field)} dir="auto"
            >${labelOf(field, controls)}${requiredMark(field)}</label
          >`
    }
    ${renderDescription(field, controls)} ${renderControl(field, controls)} ${renderNotes(field, controls)}
  </div>`;
}

function renderCheckboxField(field: ValueField, controls: FormControls): unknown {
  return html`<div class="form-field" part="form-field" ?data-fault=${controls.errorOf(field)}>
    <label class="tick" part="form-label">
      ${renderControl(field, controls)}
      <span dir="auto">${labelOf(field, controls)}${requiredMark(field)}</span>
    </label>
    ${renderDescription(field, controls)} ${renderNotes(field, controls)}
  </div>`;
}

function renderAbsent(field: Field, controls: FormControls): unknown {
  if (field.readonly) return nothing;
  return html`<div class="form-field" ?data-fault=${controls.errorOf(field)}>
    ${renderAdd(field, controls, {
      text: controls.t('form.add-to', { name: labelOf(field, controls) }),
      onClick: () => controls.entries.createPart(field),
    })}
    ${renderNotes(field, controls)}
  </div>`;
}
