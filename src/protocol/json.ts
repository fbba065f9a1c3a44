// Helpers for JSON values, separate from the schemas, which the browser does not load.

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two arrays have the same length and identical elements. */
export function shallowArrayEquals(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
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
