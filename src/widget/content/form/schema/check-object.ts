import { isObject, own, ownList, ownNumber, type JsonObject, type Path } from './json.ts';
import { matchesPattern } from './regex-matcher.ts';
import { isSchema } from './schema-document.ts';
import type { Fault, Seen, Validation } from './validate.ts';

/** Everything about objects. A missing key is a fault at that key, so that its field can say so. */
export function checkObject(
  validation: Validation,
  schema: JsonObject,
  value: JsonObject,
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  const keys = Object.keys(value);
  const fewest = ownNumber(schema, 'minProperties');
  const most = ownNumber(schema, 'maxProperties');
  if (fewest !== undefined && keys.length < fewest)
    faults.push({ path, keyword: 'minProperties', limit: fewest });
  if (most !== undefined && keys.length > most) faults.push({ path, keyword: 'maxProperties', limit: most });
  requireKeys(ownList(schema, 'required'), value, path, faults);
  checkDependencies(validation, schema, value, path, faults, seen);
  checkNames(validation, schema, keys, path, faults);
  checkProperties(validation, schema, value, path, faults, seen);
  const others = own(schema, 'unevaluatedProperties');
  if (!isSchema(others)) return;
  for (const key of keys) {
    if (!seen.has(key) && validation.check(others, value[key], [...path, key], faults)) seen.add(key);
  }
}

function checkProperties(
  validation: Validation,
  schema: JsonObject,
  value: JsonObject,
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  const properties = own(schema, 'properties');
  const patterns = Object.entries(
    isObject(own(schema, 'patternProperties')) ? (own(schema, 'patternProperties') ?? {}) : {},
  );
  const others = own(schema, 'additionalProperties');
  for (const [key, entry] of Object.entries(value)) {
    const place = [...path, key];
    const property = own(properties, key);
    let known = false;
    if (isSchema(property)) {
      known = true;
      validation.check(property, entry, place, faults);
    }
    for (const [pattern, inner] of patterns) {
      if (!isSchema(inner) || !matchesPattern(pattern, key, (steps) => validation.spend(steps))) continue;
      known = true;
      validation.check(inner, entry, place, faults);
    }
    if (!known && isSchema(others)) {
      known = true;
      if (others === false) faults.push({ path: place, keyword: 'additionalProperties', limit: false });
      else validation.check(others, entry, place, faults);
    }
    if (known) seen.add(key);
  }
}

function checkDependencies(
  validation: Validation,
  schema: JsonObject,
  value: JsonObject,
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    const dependencies = own(schema, keyword);
    if (!isObject(dependencies)) continue;
    for (const [key, dependency] of Object.entries(dependencies)) {
      if (!Object.hasOwn(value, key)) continue;
      if (Array.isArray(dependency)) requireKeys(dependency, value, path, faults);
      else if (isSchema(dependency)) validation.check(dependency, value, path, faults, seen);
    }
  }
}

function checkNames(
  validation: Validation,
  schema: JsonObject,
  keys: readonly string[],
  path: Path,
  faults: Fault[],
): void {
  const names = own(schema, 'propertyNames');
  if (!isSchema(names)) return;
  for (const key of keys) {
    if (!validation.check(names, key, [...path, key], [])) {
      faults.push({ path: [...path, key], keyword: 'propertyNames', limit: names });
    }
  }
}

function requireKeys(keys: readonly unknown[], value: JsonObject, path: Path, faults: Fault[]): void {
  for (const key of keys) {
    if (typeof key === 'string' && !Object.hasOwn(value, key)) {
      faults.push({ path: [...path, key], keyword: 'required', limit: true });
    }
  }
}
