import { isObject, isTooDeep, parseJson } from '../protocol/json.ts';

/** An object of the wire with unknown keys. */
export type Fields = Readonly<Record<string, unknown>>;

const noFields: Fields = Object.freeze({});
const nothing: readonly unknown[] = Object.freeze([]);

/** The value as an object, `{}` when it is none. */
export function asObject(value: unknown): Fields {
  return isObject(value) ? value : noFields;
}

/** The value as an array; a lone object or string becomes an array of one; anything else `[]`. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) || (typeof value === 'string' && value !== '') ? [value] : nothing;
}

/** The value of a JSON text; undefined if it is none, or nested too deep. */
export function readJson(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok && !isTooDeep(parsed.value) ? parsed.value : undefined;
}

/** A non-empty string, or a finite number as its digits; otherwise undefined. */
export function nonEmptyString(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** A time in ms since the epoch, from a date string or such a number; otherwise undefined. */
export function readTime(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : Date.parse(typeof value === 'string' ? value : '');
  return Number.isFinite(time) ? time : undefined;
}

/** The first of the fields `keys` that is a non-empty string or a finite number. */
export function firstString(fields: Fields, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const name = nonEmptyString(fields[key]);
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * Reads text from a string, `{text}`, `{value}`, `{content}`, `{message}`, or a list of these; `''` if there is none.
 */
export function readText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > 4) return '';
  if (Array.isArray(value)) return value.map((part) => readText(part, depth + 1)).join('');
  if (!isObject(value)) return '';
  for (const key of ['text', 'value', 'content', 'message']) {
    const text = readText(value[key], depth + 1);
    if (text !== '') return text;
  }
  return '';
}

/** The trimmed text; `''` if it has no visible character. */
export function visibleText(text: string): string {
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text) ? text.trim() : '';
}
