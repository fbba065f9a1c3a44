import { html, nothing } from 'lit';
import type { FormControls } from '../form-controls.ts';
import type { Field } from '../form-model.ts';
import { isDisplayOnly } from '../ui-schema.ts';
import { renderDisplay, renderValue } from './render-display.ts';
import { formatDateRange, formatValue } from '../../format-value.ts';
import { readRange } from '../date-range.ts';
import { labelOf } from './field-templates.ts';

/** Renders an answered form: names and values, read-only. */
export function renderAnswered(form: Field, controls: FormControls): unknown {
  if (form.kind === 'group') return renderFields(form.fields, controls);
  return renderFields([form], controls);
}

function renderFields(fields: readonly Field[], controls: FormControls): unknown {
  const shown = fields.filter((field) => isShown(field));
  if (!shown.length) return nothing;
  return html`<dl part="answer">
    ${shown.map(
      (field, index) =>
        html`<div>
          <dt dir="auto">
            ${field.label.trim() || typeof field.path.at(-1) !== 'number' ? labelOf(field, controls) : index + 1}
          </dt>
          <dd dir="auto">${renderAnswer(field, controls)}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderAnswer(field: Field, controls: FormControls): unknown {
  if (field.kind === 'group') return renderFields(field.fields, controls);
  if (field.kind === 'list') {
    const plain = field.entries.every(({ kind }) => kind === 'value');
    if (!plain) return renderFields(field.entries, controls);
    const list = new Intl.ListFormat(controls.context.words.locale, { style: 'narrow' });
    return list.formatToParts(field.entries.map((_, index) => `${index}`)).map(({ type, value }) => {
      const entry = type === 'element' ? field.entries[Number(value)] : undefined;
      return entry ? renderAnswer(entry, controls) : value;
    });
  }
  if (field.kind !== 'value') return renderValue(field.value, [], controls);
  if (field.widget === 'password' && field.value) return '••••••';
  if (isDisplayOnly(field.widget)) return renderDisplay(field, controls);
  const { locale } = controls.context.words;
  const range = field.hints.range ? formatDateRange(readRange(field), locale) : undefined;
  return range ?? formatValue(field, locale) ?? renderValue(field.value, field.choices, controls);
}

function isShown(field: Field): boolean {
  if (field.kind === 'absent' || field.kind === 'refused') return false;
  if (field.kind === 'value') return field.widget !== 'hidden';
  return field.kind === 'list' ? field.entries.length > 0 : field.fields.some(isShown);
}
