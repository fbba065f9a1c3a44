import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { openIcon } from '../../../theme/item-icons.ts';
import { icon } from '../../../theme/icons.ts';
import { dataListId, renderCombobox } from '../../combobox/render-combobox.ts';
import { formatList } from '../../format-value.ts';
import type { FormControls } from '../form-controls.ts';
import type { Choice, ValueField } from '../form-model.ts';
import { isEqual, own, ownList, typesOf } from '../schema/json.ts';
import { describedBy, emptyValue, labelOf, valueText } from './field-templates.ts';
import { pickerChoices } from './picker-choices.ts';

/** Renders a single or multiple choice. */
export function renderChoices(field: ValueField, controls: FormControls, label?: string): unknown {
  const choices = choicesFor(field, controls);
  const isOne = choices.some(({ value }) => isEqual(value, field.value)); // it may be a list itself
  const isList = !isOne && (typesOf(field.schema).includes('array') || Array.isArray(field.value));
  if (isList && field.widget === 'checkboxes') return renderCheckboxes(field, controls, choices);
  if (isList) return renderMultiselect(field, controls, choices);
  if (field.widget === 'radio') return renderRadios(field, controls, choices);
  if (field.widget === 'combobox') return renderComboboxField(field, controls, choices, label);
  return renderSelect(field, controls, choices, label);
}

/** Renders a checkbox. */
export function renderCheckbox(field: ValueField, controls: FormControls, label?: string): unknown {
  return html`<input
    type="checkbox"
    part="form-control"
    id=${controls.idOf(field)}
    .checked=${live(field.value === true)}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
    aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
    aria-required=${field.required ? 'true' : nothing}
    ?disabled=${field.readonly}
    @change=${(event: Event) => controls.setValue(field.path, isChecked(event))}
  />`;
}

function renderSelect(
  field: ValueField,
  controls: FormControls,
  choices: readonly Choice[],
  label: string | undefined,
): unknown {
  const chosen = choices.findIndex(({ value }) => isEqual(value, field.value));
  return html`<select
    class="field"
    part="form-control"
    id=${controls.idOf(field)}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
    aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
    aria-required=${field.required ? 'true' : nothing}
    ?disabled=${field.readonly}
    @change=${(event: Event) => setToOption(event, field, controls, choices)}
  >
    ${
      chosen < 0 || !field.required
        ? html`<option value="" ?selected=${chosen < 0}>
            ${(chosen < 0 && valueText(field.value)) || (field.hints.placeholder ?? controls.t('form.choose'))}
          </option>`
        : nothing
    }
    ${choices.map(
      (choice, index) =>
        html`<option value=${index} ?selected=${live(index === chosen)} ?disabled=${choice.disabled}>
          ${choice.label}
        </option>`,
    )}
  </select>`;
}

function renderRadios(field: ValueField, controls: FormControls, choices: readonly Choice[]): unknown {
  const id = controls.idOf(field);
  return html`<div class=${field.hints.inline ? 'choices inline' : 'choices'}>
    ${choices.map(
      (choice, index) =>
        html`<label class="tick">
          <input
            type="radio"
            part="form-control"
            name=${id}
            id=${index === 0 ? id : `${id}-${index}`}
            .checked=${live(isEqual(choice.value, field.value))}
            aria-describedby=${ifDefined(describedBy(field, controls))}
            aria-invalid=${controls.errorOf(field) ? 'true' : 'false'}
            ?required=${field.required}
            ?disabled=${field.readonly || choice.disabled}
            @change=${() => controls.setValue(field.path, choice.value)}
          />
          ${renderChoiceName(choice)}
        </label>`,
    )}
  </div>`;
}

function renderCheckboxes(field: ValueField, controls: FormControls, choices: readonly Choice[]): unknown {
  const id = controls.idOf(field);
  const chosen = Array.isArray(field.value) ? field.value : [];
  return html`<div class=${field.hints.inline ? 'choices inline' : 'choices'}>
    ${choices.map(
      (choice, index) =>
        html`<label class="tick">
          <input
            type="checkbox"
            part="form-control"
            id=${index === 0 ? id : `${id}-${index}`}
            .checked=${live(chosen.some((value) => isEqual(value, choice.value)))}
            aria-describedby=${ifDefined(describedBy(field, controls))}
            ?disabled=${field.readonly || choice.disabled}
            @change=${(event: Event) => controls.setValue(field.path, withChoice(choices, chosen, choice, isChecked(event)))}
          />
          ${renderChoiceName(choice)}
        </label>`,
    )}
  </div>`;
}

function renderMultiselect(field: ValueField, controls: FormControls, choices: readonly Choice[]): unknown {
  const chosen = Array.isArray(field.value) ? field.value : [];
  const names = choices
    .filter(({ value }) => chosen.some((other) => isEqual(other, value)))
    .map(({ label }) => label);
  const list =
    names.length > 3
      ? controls.t('form.chosen', { count: names.length })
      : formatList(names, controls.context.words.locale);
  const shown = list || field.hints.placeholder || controls.t('form.choose');
  return html`<details class="multiselect" @keydown=${closeOnEscape}>
    <summary
      class="field"
      aria-label="${labelOf(field, controls)}: ${shown}"
      aria-describedby=${ifDefined(describedBy(field, controls))}
    >
      <span aria-hidden="true">${shown}</span>${icon(openIcon)}
    </summary>
    <div class="options scrolls">${renderCheckboxes(field, controls, choices)}</div>
  </details>`;
}

/** The first Escape closes an open list; only a second one reaches the elements around it. */
function closeOnEscape(event: KeyboardEvent): void {
  // the listener is on a details element
  const list = event.currentTarget as HTMLDetailsElement;
  if (event.key !== 'Escape' || event.isComposing || !list.open) return;
  event.preventDefault();
  list.open = false;
  list.querySelector('summary')?.focus();
}

function renderComboboxField(
  field: ValueField,
  controls: FormControls,
  choices: readonly Choice[],
  label: string | undefined,
): unknown {
  const id = controls.idOf(field);
  const shown = choices.find(({ value }) => isEqual(value, field.value))?.label ?? valueText(field.value);
  const input = html`<input
    class="field"
    part="form-control"
    id=${id}
    type="text"
    list=${dataListId(id)}
    autocomplete="off"
    .value=${live(shown)}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
    aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
    aria-required=${field.required ? 'true' : nothing}
    placeholder=${field.hints.placeholder ?? controls.t('form.choose')}
    ?readonly=${field.readonly}
    @input=${(event: Event) => setToText(event, field, controls, choices)}
  />`;
  return renderCombobox(input, {
    id,
    name: label ?? labelOf(field, controls),
    suggestions: choices,
    isClosed: field.choices.length > 0,
    isDisabled: field.readonly,
    words: controls.context.words,
  });
}

function renderChoiceName(choice: Choice): unknown {
  return html`<span dir="auto"
    >${choice.label}${choice.description ? html`<small>${choice.description}</small>` : nothing}</span
  >`;
}

/** The choices of a field; yes and no for a boolean. */
function choicesFor(field: ValueField, controls: FormControls): readonly Choice[] {
  if (field.choices.length) return field.choices;
  if (own(field.schema, 'type') === 'boolean') {
    const names = field.hints.enumNames ?? ownList(field.schema, 'enumNames');
    return [true, false].map((value, index) => ({
      label: typeof names[index] === 'string' ? names[index] : controls.t(value ? 'form.yes' : 'form.no'),
      description: '',
      value,
      disabled: false,
    }));
  }
  return pickerChoices(field.hints);
}

/** Adds or removes a choice. Keeps the order of the choices, and values that are not among them. */
function withChoice(
  choices: readonly Choice[],
  chosen: readonly unknown[],
  choice: Choice,
  isChosen: boolean,
): readonly unknown[] {
  const others = chosen.filter((value) => !isEqual(value, choice.value));
  if (!isChosen) return others;
  const indexOf = (value: unknown): number => choices.findIndex((other) => isEqual(other.value, value));
  const before = others.findLastIndex((value) => indexOf(value) < indexOf(choice.value));
  return others.toSpliced(before + 1, 0, choice.value);
}

/** The first option is empty: choosing it clears the answer. */
function setToOption(
  event: Event,
  field: ValueField,
  controls: FormControls,
  choices: readonly Choice[],
): void {
  // the listener is on a select
  const { value } = event.target as HTMLSelectElement;
  controls.setValue(field.path, value === '' ? emptyValue(field) : choices[Number(value)]?.value);
}

/** Sets the choice with the typed label, or the text itself. */
function setToText(
  event: Event,
  field: ValueField,
  controls: FormControls,
  choices: readonly Choice[],
): void {
  // the listener is on an input
  const { value } = event.target as HTMLInputElement;
  const named = choices.find(({ label }) => label === value);
  controls.setValue(field.path, named ? named.value : value || emptyValue(field));
}

function isChecked(event: Event): boolean {
  // the listeners are on checkboxes
  return (event.target as HTMLInputElement).checked;
}
