import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { FormControls } from '../form-controls.ts';
import type { ValueField } from '../form-model.ts';
import { isEqual, own, ownList, ownNumber, ownText, typesOf, type Path } from '../schema/json.ts';
import type { Widget } from '../ui-schema.ts';
import type { ValidationError } from '../schema/read-errors.ts';
import { renderWithCalendar } from '../../calendar/render-calendar.ts';
import { dataListId, renderCombobox } from '../../combobox/render-combobox.ts';
import { describedBy, emptyValue, labelOf, valueText } from './field-templates.ts';
import { hasDroppedComma, ambiguousReadings, handleNumberInput } from './decimal-input.ts';

const inputTypes = {
  email: 'email',
  password: 'password',
  uri: 'url',
  tel: 'tel',
  color: 'color',
  number: 'number',
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
} as const;
type InputType = 'text' | (typeof inputTypes)[keyof typeof inputTypes];
const typeByWidget: Readonly<Partial<Record<Widget, InputType>>> = inputTypes;

/** The notation that the browser's control accepts, for values that can be written in several ways. */
const written: Readonly<Partial<Record<InputType, RegExp>>> = {
  number: /^-?\d*\.?\d+(e[+-]?\d+)?$/i,
  time: /^\d\d:\d\d(:\d\d)?/,
  'datetime-local': /^\d{4,}-\d\d-\d\dT\d\d:\d\d/,
};

/** Types whose fields have a list as text fields, which is where the combobox role is allowed. */
const typedAsText: ReadonlySet<InputType> = new Set(['text', 'email', 'url', 'tel']);
/** Types without suggestions: secrets, and those whose control shows values of its own. */
const unsuggested: ReadonlySet<InputType> = new Set(['password', 'date', 'datetime-local', 'color']);

/** Renders a single-line input of the type that suits the field. */
export function renderInput(field: ValueField, controls: FormControls, label?: string): unknown {
  const type = isNumeric(field) ? 'number' : (typeByWidget[field.widget] ?? 'text');
  const draft = controls.drafts.get(field.pointer) ?? '';
  const isMeant = written[type]?.test(draft) && isEqual(read(draft, field, type), field.value);
  const shown = isMeant ? draft : display(field, type);
  const examples = unsuggested.has(type) ? [] : ownList(field.schema, 'examples').map(String).slice(0, 50);
  const id = controls.idOf(field);
  // a combobox is a text field; its keyboard stays that of the type
  const isTyped = examples.length > 0 && typedAsText.has(type);
  // data that the browser's control cannot represent is shown as text
  const input = html`<input
    class="field ${type}"
    part="form-control"
    id=${id}
    type=${shown === undefined || isTyped ? 'text' : type}
    .value=${live(shown ?? valueText(field.value))}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
    aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
    aria-required=${field.required ? 'true' : nothing}
    placeholder=${ifDefined(field.hints.placeholder)}
    autocomplete=${ifDefined(autocompleteOf(field))}
    inputmode=${isTyped ? type : isCount(field) ? 'numeric' : nothing}
    min=${ifDefined(limitOf(field, 'minimum', type))}
    max=${ifDefined(limitOf(field, 'maximum', type))}
    step=${ifDefined(stepOf(type, shown))}
    list=${examples.length ? dataListId(id) : nothing}
    dir=${type === 'text' && shown ? 'auto' : nothing}
    lang=${type === 'number' ? controls.context.words.locale : nothing}
    ?readonly=${field.readonly}
    @focus=${keepInView}
    @beforeinput=${
      type === 'number'
        ? (event: InputEvent) => handleNumberInput(event, controls.context.words.locale)
        : nothing
    }
    @input=${(event: Event) => takeInput(event, field, controls, type)}
    @wheel=${type === 'number' ? leave : nothing}
  />`;
  const { words } = controls.context;
  const name = label ?? labelOf(field, controls);
  if (type === 'date') return renderWithCalendar(input, { label: name, words, isDisabled: field.readonly });
  if (!examples.length) return input;
  return renderCombobox(input, {
    id,
    name,
    suggestions: examples.map((example) => ({ label: example, description: '', disabled: false })),
    isClosed: false,
    isDisabled: field.readonly,
    words,
  });
}

/** Renders a multi-line input. */
export function renderTextarea(field: ValueField, controls: FormControls, label?: string): unknown {
  return html`<textarea
    class="field"
    part="form-control"
    id=${controls.idOf(field)}
    rows=${Math.min(Math.max(field.hints.rows ?? 3, 2), 16)}
    .value=${live(valueText(field.value))}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy(field, controls))}
    aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
    aria-required=${field.required ? 'true' : nothing}
    placeholder=${ifDefined(field.hints.placeholder)}
    dir=${valueText(field.value) ? 'auto' : nothing}
    ?readonly=${field.readonly}
    @focus=${keepInView}
    @input=${(event: Event) => takeText(event, field, controls)}
  ></textarea>`;
}

/** Renders a slider. */
export function renderRange(field: ValueField, controls: FormControls, label?: string): unknown {
  const least = ownNumber(field.schema, 'minimum') ?? 0;
  const most = ownNumber(field.schema, 'maximum') ?? Math.max(100, least + 100);
  const step =
    ownNumber(field.schema, 'multipleOf') ??
    (own(field.schema, 'type') === 'integer' ? 1 : (most - least) / 100);
  const value = typeof field.value === 'number' ? field.value : undefined;
  const take = (event: Event): void => controls.setValue(field.path, Number(inputOf(event).value));
  return html`<div class="range">
    <input
      part="form-control"
      id=${controls.idOf(field)}
      type="range"
      min=${least}
      max=${most}
      step=${step}
      .value=${live(String(value ?? least))}
      aria-label=${ifDefined(label)}
      aria-describedby=${ifDefined(describedBy(field, controls))}
      aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
      aria-valuetext=${value === undefined ? controls.t('form.empty') : String(value)}
      ?disabled=${field.readonly}
      @input=${take}
      @pointerup=${value === undefined ? take : nothing /* on the first value: it fires no input event */}
    />
    <span class="reading" aria-hidden="true">${value ?? '–'}</span>
  </div>`;
}

function takeInput(event: Event, field: ValueField, controls: FormControls, type: InputType): void {
  const input = inputOf(event);
  if (written[type]) controls.drafts.set(field.pointer, input.value);
  if (input.validity.badInput) {
    controls.setValue(field.path, undefined, incomplete(field.path, type));
    return;
  }
  const value = read(input.value, field, type);
  const error: ValidationError | undefined = hasDroppedComma(input)
    ? { path: field.path, keyword: 'number', limit: 'number' }
    : (doubtful(input, field) ?? tooLarge(value, field.path));
  controls.setValue(field.path, value === undefined ? emptyValue(field) : value, error);
}

/** The error of a control whose text is no number, or not yet a whole date or time. */
function incomplete(path: Path, type: InputType): ValidationError {
  if (type === 'number') return { path, keyword: 'number', limit: 'number' };
  return { path, keyword: 'format', limit: type === 'datetime-local' ? 'date-time' : type };
}

/** Converts a control's text to data; undefined if empty. */
function read(draft: string, field: ValueField, type: InputType): unknown {
  if (draft === '') return undefined;
  if (type === 'datetime-local') return instant(draft);
  if (type === 'time') return timeOf(draft, field);
  // incomplete numbers stay text and get an error; the digits of a text field stay text
  return type === 'number' && !isText(field) && written.number?.test(draft) ? Number(draft) : draft;
}

/** Returns an error that asks about an ambiguous number: a wrong reading would change it by a factor of 1000. */
function doubtful(input: HTMLInputElement, field: ValueField): ValidationError | undefined {
  const readings = isText(field) ? undefined : ambiguousReadings(input);
  if (!readings) return undefined;
  return { path: field.path, keyword: 'reading', limit: isInteger(field) ? readings.slice(0, 1) : readings };
}

/** Rejects numbers with more digits than a double can store exactly. */
function tooLarge(value: unknown, path: Path): ValidationError | undefined {
  const most = Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'number' || Math.abs(value) <= most) return undefined;
  return value > 0 ? { path, keyword: 'maximum', limit: most } : { path, keyword: 'minimum', limit: -most };
}

/** Removes focus when the wheel turns: in some engines, it would change a focused number instead of scrolling. */
function leave(event: Event): void {
  inputOf(event).blur();
}

/** Scrolls the whole field with its label into view, because WebKit shows only the line with the caret. */
function keepInView(event: Event): void {
  inputOf(event).scrollIntoView({ block: 'nearest' });
}

function takeText(event: Event, field: ValueField, controls: FormControls): void {
  const { value } = inputOf(event);
  controls.setValue(field.path, value === '' ? emptyValue(field) : value);
}

/** The input of an event. */
export function inputOf(event: Event): HTMLInputElement {
  // the listeners are on inputs, and on text areas, of which only `value` is read
  return event.target as HTMLInputElement;
}

/** Converts data to the text of a browser's control; undefined if it cannot represent it. */
function display(field: ValueField, type: InputType): string | undefined {
  const { value } = field;
  const text = valueText(value);
  // an empty colour is black for the browser, which would warn of each '' on the console
  if (text === '') return type === 'color' ? '#000000' : '';
  if (type === 'number')
    return typeof value === 'number' || (isText(field) && written.number?.test(text)) ? text : undefined;
  if (type === 'color') return /^#[\da-f]{6}$/i.test(text) ? text : undefined;
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  // omits zero seconds; otherwise the control would ask for seconds
  if (type === 'time') return /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0].replace(/^(\d\d:\d\d):00$/, '$1');
  if (type === 'datetime-local') return localTime(text);
  return text;
}

/** Converts `2026-01-31T12:00:00Z` to the visitor's local time. */
function localTime(text: string): string | undefined {
  const date = /^\d{4}-\d\d-\d\d[T ]/i.test(text) ? new Date(text) : new Date(NaN);
  if (Number.isNaN(date.getTime())) return undefined;
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function instant(local: string): string | undefined {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Adds seconds if the schema's format is a full time. */
function timeOf(local: string, field: ValueField): string | undefined {
  if (local === '') return undefined;
  return ownText(field.schema, 'format') === 'time' && local.length === 5 ? `${local}:00` : local;
}

function isNumeric(field: ValueField): boolean {
  const types = typesOf(field.schema);
  return field.widget === 'text' && (types.includes('number') || types.includes('integer'));
}

function isText(field: ValueField): boolean {
  return typesOf(field.schema).includes('string');
}

/** Whether a field accepts no negative numbers, so that a keypad without a minus sign will do. */
function isCount(field: ValueField): boolean {
  return isInteger(field) && (ownNumber(field.schema, 'minimum') ?? -1) >= 0;
}

function isInteger(field: ValueField): boolean {
  return typesOf(field.schema).includes('integer');
}

function limitOf(field: ValueField, keyword: 'minimum' | 'maximum', type: InputType): string | undefined {
  if (type === 'number') return ownNumber(field.schema, keyword)?.toString();
  // without a maximum, Chromium's year takes six digits: the first two of the time that is typed after it
  if (type === 'datetime-local') return keyword === 'maximum' ? '9999-12-31T23:59' : undefined;
  if (type !== 'date') return undefined;
  const formatted = ownText(field.schema, keyword === 'minimum' ? 'formatMinimum' : 'formatMaximum');
  return formatted && /^\d{4}-\d\d-\d\d$/.test(formatted) ? formatted : undefined;
}

function stepOf(type: InputType, shown: string | undefined): string | undefined {
  if (type === 'number') return 'any';
  return type === 'time' && shown !== undefined && shown.length > 5 ? '1' : undefined;
}

const autocompletes = /^(on|off|name|[a-z]+(-[a-z0-9]+)+|[a-z]+)( [a-z-]+){0,3}$/;

/** Value of `autocomplete`; the page is responsible for invalid ones. */
function autocompleteOf(field: ValueField): string | undefined {
  const { autocomplete } = field.hints;
  if (autocomplete && autocompletes.test(autocomplete)) return autocomplete;
  if (field.widget === 'email' || field.widget === 'tel') return field.widget;
  return field.widget === 'password' ? 'off' : undefined;
}
