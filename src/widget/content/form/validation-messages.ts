import type { StringKey, Strings } from '../../i18n/strings.ts';
import { formatValue } from '../format-value.ts';
import type { Field } from './form-model.ts';
import { formatConstant } from './format-constant.ts';
import type { ValidationError } from './schema/read-errors.ts';

/** The message for a validation error: what to do, in the visitor's language. */
export function validationMessage(error: ValidationError, field: Field, words: Strings): string {
  const { keyword, limit } = error;
  const isMissing = field.value === undefined || field.value === '';
  if (keyword === 'required' || (keyword === 'type' && field.value === undefined))
    return words.t(askFor(field));
  if (keyword === 'minLength' && isMissing) return words.t('form.error.required');
  if (keyword === 'type') return words.t(keyIn(typeKeys, limit) ?? 'form.error.type');
  if (keyword === 'format') return words.t(keyIn(formatKeys, limit) ?? 'form.error.format');
  if (keyword === 'const') return words.t('form.error.const', { value: spellConstant(limit, words) });
  if (keyword === 'fileRead') return words.t('file.failed', { name: String(limit) });
  if (keyword === 'reading' && Array.isArray(limit)) return askWhich(limit.map(String), words);
  const key =
    keyIn(typeof limit === 'string' ? dateKeys : keywordKeys, keyword) ?? keyIn(keywordKeys, keyword);
  if (key === undefined) return words.t('form.error.type');
  if (typeof limit === 'string')
    return words.t(key, { limit: formatValue({ widget: 'date', value: limit }, words.locale) ?? limit });
  if (typeof limit !== 'number') return words.t(key);
  return words.t(key, { count: limit, limit });
}

/** `Enter a number: 1234 or 1,234`, in the locale's notation. */
function askWhich(readings: readonly string[], words: Strings): string {
  const ask = words.t(readings.length > 1 ? 'form.error.number' : 'form.error.integer');
  const list = new Intl.ListFormat(words.locale, { type: 'disjunction' }).format(readings);
  return `${ask.replace(/\.$/, '')}: ${list}`;
}

/** Whether an error concerns a file and is shown at once, because the file looks as if it was chosen. */
export function isFileError(error: ValidationError | undefined): boolean {
  return error?.keyword === 'fileSize' || error?.keyword === 'fileRead';
}

/** Looks up an own key; a schema may contain any name, such as `constructor`. */
function keyIn(keys: Readonly<Record<string, StringKey>>, name: unknown): StringKey | undefined {
  return Object.hasOwn(keys, String(name)) ? keys[String(name)] : undefined;
}

const keywordKeys: Readonly<Record<string, StringKey>> = {
  minLength: 'form.error.min-length',
  maxLength: 'form.error.max-length',
  pattern: 'form.error.pattern',
  minimum: 'form.error.minimum',
  maximum: 'form.error.maximum',
  exclusiveMinimum: 'form.error.above',
  exclusiveMaximum: 'form.error.below',
  multipleOf: 'form.error.multiple',
  minItems: 'form.error.min-items',
  maxItems: 'form.error.max-items',
  uniqueItems: 'form.error.unique',
  contains: 'form.error.contains',
  maxContains: 'form.error.contains',
  enum: 'form.error.enum',
  minProperties: 'form.error.properties',
  maxProperties: 'form.error.properties',
  additionalProperties: 'form.error.unknown-key',
  propertyNames: 'form.error.unknown-key',
  oneOf: 'form.error.variant',
  anyOf: 'form.error.variant',
  not: 'form.error.not',
  false: 'form.error.not',
  number: 'form.error.number',
  fileSize: 'form.error.file-size',
};

/** Limits of dates: the only ones that are text. */
const dateKeys: Readonly<Record<string, StringKey>> = {
  minimum: 'form.error.earliest',
  maximum: 'form.error.latest',
};

const typeKeys: Readonly<Record<string, StringKey>> = {
  number: 'form.error.number',
  integer: 'form.error.integer',
};

const formatKeys: Readonly<Record<string, StringKey>> = {
  email: 'form.error.email',
  'idn-email': 'form.error.email',
  uri: 'form.error.uri',
  url: 'form.error.uri',
  iri: 'form.error.uri',
  date: 'form.error.date',
  time: 'form.error.time',
  'local-time': 'form.error.time',
  'date-time': 'form.error.date-time',
};

function askFor(field: Field): StringKey {
  const choosing =
    field.kind === 'value' && ['select', 'radio', 'checkboxes', 'multiselect'].includes(field.widget);
  return choosing ? 'form.error.choose' : 'form.error.required';
}

function spellConstant(value: unknown, words: Strings): string {
  if (typeof value === 'boolean') return words.t(value ? 'form.yes' : 'form.no');
  return formatConstant(value);
}
