// What every reader of the wire asks of JSON values; apart from the schemas, which do not travel to the browser.

/** Whether a value is a JSON object: no array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether two JSON values are the same, whatever the order of their keys. More than 100 levels deep they count as different. */
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
      // objects, seen above
      sameJson((left as JsonObject)[key], (right as JsonObject)[key], depth + 1),
  );
}
