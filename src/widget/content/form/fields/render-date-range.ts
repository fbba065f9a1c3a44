import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { isObject } from '../../../../protocol/json.ts';
import { renderWithCalendar } from '../../calendar/render-calendar.ts';
import { rangeKeys, rangeType, readRange } from '../date-range.ts';
import type { FormControls } from '../form-controls.ts';
import type { ValueField } from '../form-model.ts';
import { without } from '../schema/json.ts';
import { describedBy, emptyValue } from './field-templates.ts';
import { inputOf } from './render-input.ts';

/**
 * Renders a date range. An object stores the dates under its first two keys (or `start`, `end`), a list as its two
 * entries, a text with a slash between them, like an ISO 8601 interval, which has both. Whether an object or a list may
 * lack the second date, its schema says.
 * @assumed no known service specifies this
 */
export function renderDateRange(field: ValueField, controls: FormControls): unknown {
  const ends = readRange(field);
  const id = controls.idOf(field);
  const { words } = controls.context;
  // a missing date, or a second one before the first
  const isToCorrect = (index: 0 | 1): boolean => !ends[index] || (index === 1 && ends[0] !== '');
  const end = (index: 0 | 1, label: string): unknown =>
    html`<input
      class="field date"
      part="form-control"
      type="date"
      id=${index === 0 ? id : `${id}-to`}
      .value=${live(ends[index])}
      aria-label=${label}
      min=${index === 1 && ends[0] ? ends[0] : nothing}
      aria-describedby=${ifDefined(describedBy(field, controls))}
      aria-invalid=${controls.errorOf(field) && isToCorrect(index) ? 'true' : nothing}
      aria-required=${field.required ? 'true' : nothing}
      ?readonly=${field.readonly}
      @input=${(event: Event) => writeRange(field, controls, ends, index, inputOf(event))}
    />`;
  const labelled = (index: 0 | 1, label: string): unknown =>
    html`<label class="range-end"
      >${label} ${renderWithCalendar(end(index, label), { label, words, isDisabled: field.readonly })}
    </label>`;
  return html`<div class="date-range">
    ${labelled(0, controls.t('form.from'))} ${labelled(1, controls.t('form.to'))}
  </div>`;
}

function writeRange(
  field: ValueField,
  controls: FormControls,
  before: readonly [string, string],
  index: 0 | 1,
  input: HTMLInputElement,
): void {
  const { value } = input;
  const [start, end] = index === 0 ? [value, before[1]] : [before[0], value];
  const { path } = field;
  const inputs = [...(input.closest('.date-range')?.querySelectorAll('input') ?? [])];
  const isIncomplete = inputs.some(({ validity }) => validity.badInput);
  controls.setValue(
    path,
    valueOf(field, start, end),
    isIncomplete ? { path, keyword: 'format', limit: 'date' } : undefined,
  );
}

/** The value of a range with these dates; `''`: none. */
function valueOf(field: ValueField, start: string, end: string): unknown {
  const type = rangeType(field);
  if (!start && !end) return emptyValue(field);
  if (type === 'array') return end ? [start, end] : [start];
  if (type !== 'object') return `${start}/${end}`;
  const [first, second] = rangeKeys(field);
  const kept = without(without(isObject(field.value) ? field.value : {}, first), second);
  return { ...kept, ...(start && { [first]: start }), ...(end && { [second]: end }) };
}
