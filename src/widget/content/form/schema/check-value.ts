import { isKnownFormat, fitsFormat } from './formats.ts';
import { isEqual, own, ownList, ownNumber, ownText, typeOf, type JsonObject, type Path } from './json.ts';
import { matchesPattern } from './regex-matcher.ts';
import { isSchema } from './schema-document.ts';
import type { Fault, Seen, Validation } from './validate.ts';

/** `type`. */
export function checkType(schema: JsonObject, value: unknown, path: Path, faults: Fault[]): void {
  const type = own(schema, 'type');
  if (type === undefined) return;
  const types = Array.isArray(type) ? type : [type];
  const actual = typeOf(value);
  const fits = types.some((one) => one === actual || (one === 'integer' && Number.isInteger(value)));
  if (!fits) faults.push({ path, keyword: 'type', limit: type });
}

/** `const` and `enum`. */
export function checkValue(schema: JsonObject, value: unknown, path: Path, faults: Fault[]): void {
  if (Object.hasOwn(schema, 'const') && !isEqual(schema['const'], value)) {
    faults.push({ path, keyword: 'const', limit: schema['const'] });
  }
  const choices = own(schema, 'enum');
  if (Array.isArray(choices) && !choices.some((choice) => isEqual(choice, value))) {
    faults.push({ path, keyword: 'enum', limit: choices });
  }
}

/** `minLength`, `maxLength`, `pattern`, `format`. Lengths count characters, not code units. */
export function checkString(
  validation: Validation,
  schema: JsonObject,
  value: string,
  path: Path,
  faults: Fault[],
): void {
  const shortest = ownNumber(schema, 'minLength');
  const longest = ownNumber(schema, 'maxLength');
  if (shortest !== undefined || longest !== undefined) {
    const length = characters(value);
    if (shortest !== undefined && length < shortest)
      faults.push({ path, keyword: 'minLength', limit: shortest });
    if (longest !== undefined && length > longest)
      faults.push({ path, keyword: 'maxLength', limit: longest });
  }
  const pattern = ownText(schema, 'pattern');
  if (pattern !== undefined && !matchesPattern(pattern, value, (steps) => validation.spend(steps))) {
    faults.push({ path, keyword: 'pattern', limit: pattern });
  }
  const format = ownText(schema, 'format');
  if (format !== undefined && isKnownFormat(format) && !fitsFormat(format, value)) {
    faults.push({ path, keyword: 'format', limit: format });
  }
}

/** `minimum`, `maximum`, both exclusive forms (also draft 4's booleans), `multipleOf`. */
export function checkNumber(schema: JsonObject, value: number, path: Path, faults: Fault[]): void {
  const minimum = ownNumber(schema, 'minimum');
  const maximum = ownNumber(schema, 'maximum');
  const above = own(schema, 'exclusiveMinimum') === true ? minimum : ownNumber(schema, 'exclusiveMinimum');
  const below = own(schema, 'exclusiveMaximum') === true ? maximum : ownNumber(schema, 'exclusiveMaximum');
  if (minimum !== undefined && value < minimum) faults.push({ path, keyword: 'minimum', limit: minimum });
  if (maximum !== undefined && value > maximum) faults.push({ path, keyword: 'maximum', limit: maximum });
  if (above !== undefined && value <= above) faults.push({ path, keyword: 'exclusiveMinimum', limit: above });
  if (below !== undefined && value >= below) faults.push({ path, keyword: 'exclusiveMaximum', limit: below });
  const step = ownNumber(schema, 'multipleOf');
  if (step !== undefined && !isMultiple(value, step))
    faults.push({ path, keyword: 'multipleOf', limit: step });
}

/** Everything about lists. */
export function checkArray(
  validation: Validation,
  schema: JsonObject,
  value: readonly unknown[],
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  const fewest = ownNumber(schema, 'minItems');
  const most = ownNumber(schema, 'maxItems');
  if (fewest !== undefined && value.length < fewest)
    faults.push({ path, keyword: 'minItems', limit: fewest });
  if (most !== undefined && value.length > most) faults.push({ path, keyword: 'maxItems', limit: most });
  if (own(schema, 'uniqueItems') === true && !isUnique(validation, value)) {
    faults.push({ path, keyword: 'uniqueItems', limit: true });
  }
  checkEntries(validation, schema, value, path, faults, seen);
  checkContains(validation, schema, value, path, faults, seen);
  const others = own(schema, 'unevaluatedItems');
  if (!isSchema(others)) return;
  value.forEach((entry, index) => {
    if (!seen.has(index) && validation.check(others, entry, [...path, index], faults)) seen.add(index);
  });
}

function checkEntries(
  validation: Validation,
  schema: JsonObject,
  value: readonly unknown[],
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  const items = own(schema, 'items');
  const places = Array.isArray(items) ? items : ownList(schema, 'prefixItems');
  const others = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  value.forEach((entry, index) => {
    const inner = index < places.length ? places[index] : others;
    if (!isSchema(inner)) return;
    seen.add(index);
    validation.check(inner, entry, [...path, index], faults);
  });
}

function checkContains(
  validation: Validation,
  schema: JsonObject,
  value: readonly unknown[],
  path: Path,
  faults: Fault[],
  seen: Seen,
): void {
  const contains = own(schema, 'contains');
  if (!isSchema(contains)) return;
  let found = 0;
  value.forEach((entry, index) => {
    if (!validation.check(contains, entry, [...path, index], [])) return;
    found += 1;
    if (validation.document.draft !== '7') seen.add(index);
  });
  const fewest = ownNumber(schema, 'minContains') ?? 1;
  const most = ownNumber(schema, 'maxContains') ?? Infinity;
  if (found < fewest) faults.push({ path, keyword: 'contains', limit: fewest });
  if (found > most) faults.push({ path, keyword: 'maxContains', limit: most });
}

function isUnique(validation: Validation, value: readonly unknown[]): boolean {
  const plain = new Set<unknown>();
  const rest: unknown[] = [];
  for (const entry of value) {
    if (typeof entry === 'object' && entry !== null) {
      validation.spend(rest.length);
      if (rest.some((other) => isEqual(other, entry))) return false;
      rest.push(entry);
    } else {
      if (plain.has(entry)) return false;
      plain.add(entry);
    }
  }
  return true;
}

/** Length in characters: a pair of surrogates is one. */
function characters(value: string): number {
  return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Whether a number is a multiple of another as people write them: 0.3 is one of 0.1. */
function isMultiple(value: number, step: number): boolean {
  if (!Number.isFinite(value) || step <= 0) return false;
  const [first, firstExponent] = decimal(value);
  const [second, secondExponent] = decimal(step);
  const shift = firstExponent - secondExponent;
  return shift >= 0
    ? (first * 10n ** BigInt(shift)) % second === 0n
    : first % (second * 10n ** BigInt(-shift)) === 0n;
}

function decimal(value: number): readonly [bigint, number] {
  const [coefficient = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const point = coefficient.indexOf('.');
  const behind = point < 0 ? 0 : coefficient.length - point - 1;
  return [BigInt(coefficient.replace('.', '')), Number(exponent) - behind];
}
