import { isObject } from '../../../../protocol/json.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
/** A path in data: keys and indices from the root. */
export type Path = readonly (string | number)[];

/** Returns an object's own value for a key; ignores inherited ones such as `__proto__` and `constructor`. */
export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own value if it is an object, else an empty object. */
export function ownObject(object: unknown, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The own value if it is a list, else an empty list. */
export function ownList(object: unknown, key: string): readonly unknown[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

/** The own value if it is a string, else undefined. */
export function ownText(object: unknown, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The own value if it is a finite number, else undefined. */
export function ownNumber(object: unknown, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The JSON type of a value; integers are `number`. */
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

/** The types that a schema names; empty if it names none. */
export function typesOf(schema: unknown): readonly unknown[] {
  const type = own(schema, 'type');
  return type === undefined ? [] : [type].flat();
}

/** Whether a value has a JSON type. Every number counts as an `integer`, so that the visitor can correct it. */
export function isOfType(value: unknown, type: unknown): boolean {
  const actual = typeOf(value);
  return type === actual || (type === 'integer' && actual === 'number');
}

/** The value at a path; undefined if there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const key of path) {
    value = Array.isArray(value) && typeof key === 'number' ? value[key] : own(value, String(key));
  }
  return value;
}

/**
 * Returns a copy with one value changed; objects beside the path stay identical. `undefined` removes a key. Missing
 * objects and lists on the path are created.
 */
export function withValueAt(data: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(data) ? [...data] : [];
    list[key] = withValueAt(list[key], rest, value);
    return [...list]; // without holes, which `map` would skip
  }
  const object = isObject(data) ? data : {};
  const inner = withValueAt(own(object, key), rest, value);
  if (inner === undefined) return without(object, key);
  // a computed key creates an own property, even for `__proto__`
  return { ...object, [key]: inner };
}

/** Returns an object without a key; the same object if it has no such key. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** A path as a JSON pointer: `/a/0/b`; `''` for the root. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The keys of a JSON pointer. */
export function keysOf(pointer: string): readonly string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The path that a JSON pointer means in data, with numbers as list indices; undefined if there is no such value. */
export function pathOf(pointer: string, data: unknown): Path | undefined {
  const path: (string | number)[] = [];
  let value = data;
  for (const key of keysOf(pointer)) {
    path.push(Array.isArray(value) ? Number(key) : key);
    value = Array.isArray(value) ? value[Number(key)] : own(value, key);
    if (value === undefined) return undefined;
  }
  return path;
}

/**
 * Whether unvalidated data is small enough to process.
 * @param limits maximum number of values and maximum nesting
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
