import type { OutputUnit } from '@cfworker/json-schema';
import { keysOf, own, ownList, pathOf, pointerOf, valueAt, type Path } from './json.ts';
import type { PreparedSchema } from './prepared-schema.ts';

/** A validation error: the path, the keyword, and its limit. */
export interface ValidationError {
  readonly path: Path;
  readonly keyword: string;
  /** The keyword's value in the schema, or the expected value. */
  readonly limit: unknown;
}

/** What was validated; needed to read the library's report. */
export interface Checked {
  readonly schema: PreparedSchema;
  readonly lookup: Readonly<Record<string, PreparedSchema>>;
  readonly data: unknown;
  /** Alternatives that the visitor chose, by pointer. */
  readonly chosen: ReadonlyMap<string, number> | undefined;
}

/** Keywords that the library reports in addition to the errors inside them. */
const wrappers = new Set([
  ...['$ref', 'if', 'allOf', 'dependentSchemas', 'properties', 'patternProperties', 'additionalProperties'],
  ...[
    'unevaluatedProperties',
    'propertyNames',
    'items',
    'prefixItems',
    'additionalItems',
    'unevaluatedItems',
  ],
]);

/**
 * Converts the library's report, a list in which each keyword with subschemas precedes the errors inside. A missing
 * key becomes an error at that key, so that its field can show it.
 */
export function readErrors(report: readonly OutputUnit[], checked: Checked): readonly ValidationError[] {
  const errors: ValidationError[] = [];
  for (let index = 0; index < report.length; index += 1) {
    const unit = report[index];
    if (!unit || wrappers.has(unit.keyword)) continue;
    if (unit.keyword === 'oneOf' || unit.keyword === 'anyOf') {
      const prefix = `${unit.keywordLocation}/`;
      let end = index + 1;
      while (report[end]?.keywordLocation.startsWith(prefix)) end += 1;
      const within = report.slice(index + 1, end);
      errors.push(...readBranches(unit, within, checked));
      index += within.length;
    } else if (unit.keyword !== 'required' || !isSamePlace(unit, report[index - 1])) {
      errors.push(...readUnit(unit, checked));
    }
  }
  return errors;
}

/** Whether two reports are of the same place: the library reports `required` once per missing key, without its name. */
function isSamePlace(unit: OutputUnit, before: OutputUnit | undefined): boolean {
  return (
    before?.keywordLocation === unit.keywordLocation && before.instanceLocation === unit.instanceLocation
  );
}

function readUnit(unit: OutputUnit, checked: Checked): readonly ValidationError[] {
  const { schema, keywords } = locate(unit, checked);
  const { path, value } = placeOf(unit, checked);
  // items that do not match `contains` are no errors: others may match
  if (keywords.includes('contains')) return [];
  if (keywords.includes('propertyNames')) return [{ path, keyword: 'propertyNames', limit: true }];
  if (unit.keyword === 'required') {
    const missing = ownList(schema, 'required')
      .map(String)
      .filter((key) => own(value, key) === undefined);
    return missing.map((key) => ({ path: [...path, key], keyword: 'required', limit: true }));
  }
  if (schema?.isNever) {
    const isUnknownKey = keywords.at(-1) === 'additionalProperties';
    return [{ path, keyword: isUnknownKey ? 'additionalProperties' : 'false', limit: false }];
  }
  const keyword = unit.keyword === 'minContains' ? 'contains' : unit.keyword;
  return [{ path, keyword, limit: own(schema, unit.keyword) }];
}

function readBranches(
  unit: OutputUnit,
  within: readonly OutputUnit[],
  checked: Checked,
): readonly ValidationError[] {
  const { path } = placeOf(unit, checked);
  const branches = ownList(locate(unit, checked).schema, unit.keyword);
  const start = unit.keywordLocation.length + 1;
  const tries: OutputUnit[][] = branches.map(() => []);
  for (const each of within) tries[Number.parseInt(each.keywordLocation.slice(start), 10)]?.push(each);
  const fitting = tries.filter((report) => report.length === 0).length;
  const error: ValidationError = { path, keyword: unit.keyword, limit: fitting };
  if (fitting > 0) return [error];
  // the errors of the nearest alternative help more than "no alternative matches"
  const errors = tries.map((report) => readErrors(report, checked));
  return [error, ...(errors[checked.chosen?.get(pointerOf(path)) ?? -1] ?? nearest(errors, path))];
}

/** The errors of the best-matching alternative: one that fails inside the value rather than as a whole. */
function nearest(tries: readonly (readonly ValidationError[])[], path: Path): readonly ValidationError[] {
  const distance = (errors: readonly ValidationError[]): number =>
    errors.reduce((sum, error) => {
      // "null is allowed" does not help with a value that was entered
      if (error.keyword === 'type' && error.limit === 'null') return sum + 1000;
      return sum + (error.path.length === path.length || error.keyword === 'const' ? 100 : 1);
    }, 0);
  return tries.reduce((best, errors) => (distance(errors) < distance(best) ? errors : best));
}

/** The schema that an error comes from, and the keywords that lead to it. */
function locate(
  { keywordLocation }: OutputUnit,
  { schema, lookup }: Checked,
): { readonly schema: PreparedSchema | undefined; readonly keywords: readonly string[] } {
  const keywords: string[] = [];
  let found: unknown = schema;
  for (const key of keysOf(decodeURIComponent(keywordLocation)).slice(0, -1)) {
    if (isPrepared(found)) keywords.push(key);
    found = Array.isArray(found) ? found[Number(key)] : own(found, key);
    if (typeof found === 'string') found = lookup[found];
  }
  return { schema: isPrepared(found) ? found : undefined, keywords };
}

/** Whether this is a prepared schema and not a map of schemas, whose `weight` would be a schema. */
function isPrepared(value: unknown): value is PreparedSchema {
  return typeof own(value, 'weight') === 'number';
}

function placeOf(
  { instanceLocation }: OutputUnit,
  { data }: Checked,
): { readonly path: Path; readonly value: unknown } {
  const path = pathOf(decodeURIComponent(instanceLocation), data) ?? [];
  return { path, value: valueAt(data, path) };
}
