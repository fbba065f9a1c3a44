import { isObject } from '../../../../protocol/json.ts';

export { isObject };

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
/** A place in data: keys and indices from the root. */
export type Path = readonly (string | number)[];

/** An object's own value for a key. What `__proto__` and `constructor` inherit is never seen. */
export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own value if it is an object, else an empty one. */
export function ownObject(object: unknown, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The own value if it is a list, else an empty one. */
export function ownList(object: unknown, key: string): readonly unknown[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

/** The own value if it is a text, else undefined. */
export function ownText(object: unknown, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The own value if it is a finite number, else undefined. */
export function ownNumber(object: unknown, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The JSON type of a value, `integer` being `number`. */
export function typeOf(
  value: unknown,
): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'none' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' || type === 'object' ? type : 'none';
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, index) => isEqual(value, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]));
}

/** The value at a path; undefined where there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    value = Array.isArray(value) && typeof key === 'number' ? value[key] : own(value, String(key));
  }
  return value;
}

/**
 * The data with one value changed; everything beside the path stays the same object. `undefined` removes a key. Objects
 * and lists on the way are made as needed.
 */
export function withValueAt(data: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(data) ? [...data] : [];
    list[key] = withValueAt(list[key], rest, value);
    return list;
  }
  const object = isObject(data) ? data : {};
  const inner = withValueAt(own(object, key), rest, value);
  if (inner === undefined) return without(object, key);
  // A computed key makes an own property, also for `__proto__`.
  return { ...object, [key]: inner };
}

/** The object without a key; the same object when it has none. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A path as a JSON pointer: `/a/0/b`; `''` for the root. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Whether a value from outside is small enough to work with.
 * @param limits The most values in all, and the deepest nesting.
 */
export function isBounded(
  value: unknown,
  limits: { readonly values: number; readonly depth: number },
): boolean {
  let left = limits.values;
  const visit = (inner: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > limits.depth) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    return Object.values(inner).every((next) => visit(next, depth + 1));
  };
  return visit(value, 0);
}
