// Helpers for JSON values, separate from the schemas, which the browser does not load.

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of the object itself, not one that all objects inherit: a key from the wire may be `constructor`. */
export function own<Value>(fields: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Whether two arrays have the same length and identical elements. */
export function shallowArrayEquals(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

/** Removes undefined fields: on the wire, some services treat them differently from absent ones. */
export function present<Value extends object>(
  fields: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof present<Value>>; // a subset of the same entries
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Whether two JSON values are equal, regardless of key order. Values nested deeper than 100 levels are
 * unequal.
 */
export function sameJson(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null || depth > 100)
    return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftKeys = Object.keys(left);
  if (leftKeys.length !== Object.keys(right).length) return false;
  return leftKeys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      // objects, as checked above
      sameJson((left as JsonObject)[key], (right as JsonObject)[key], depth + 1),
  );
}

/** Whether a value is nested deeper than 200 levels: functions that call themselves could not follow it. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > 200 || Object.values(value).some((part) => isTooDeep(part, depth + 1));
}

const natives: readonly object[] = [Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/**
 * `JSON.stringify` that ignores the `toJSON` methods which old libraries (Prototype.js 1.6, say) add to arrays, strings
 * and numbers. Those return JSON text, so that a list would go out as a string.
 * @param indent Blanks per level; default: one line.
 */
export function toJson(value: unknown, indent?: number): string {
  if (!natives.some((native) => 'toJSON' in native)) return JSON.stringify(value, undefined, indent);
  return JSON.stringify(value, ownValue, indent);
}

function ownValue(this: Readonly<Record<string, unknown>>, key: string, converted: unknown): unknown {
  const original = this[key];
  return Array.isArray(original) || typeof original !== 'object' ? original : converted;
}

/** The result of parsing JSON: a value instead of an exception, because invalid text is common in streams. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const failure: ParsedJson = { ok: false };

/** Parses text as one JSON value, with optional white space around it. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }; // `any` by the standard library
  } catch {
    return failure;
  }
}
