import { isObject } from '../../../protocol/json.ts';
import type { Field, ValueField } from './form-model.ts';
import { own, ownObject, typeOf, typesOf } from './schema/json.ts';
import type { ValidationError } from './schema/read-errors.ts';

/** The dates of a range; `''` for one that is missing. */
export function readRange(field: ValueField): readonly [string, string] {
  const { value } = field;
  const [first, second] = rangeKeys(field);
  const ends = Array.isArray(value)
    ? value
    : isObject(value)
      ? [own(value, first), own(value, second)]
      : String(value ?? '').split('/');
  const read = (end: unknown): string => (typeof end === 'string' && /^\d{4}-\d\d-\d\d/.exec(end)?.[0]) || '';
  return [read(ends[0]), read(ends[1])];
}

/** The keys of the dates in an object. */
export function rangeKeys(field: ValueField): readonly [string, string] {
  const [first = 'start', second = 'end'] = Object.keys(ownObject(field.schema, 'properties'));
  return [first, second];
}

/** The type of a range's value. */
export function rangeType(field: ValueField): unknown {
  return typesOf(field.schema)[0] ?? typeOf(field.value);
}

/**
 * What a schema cannot say of a range: a date is missing that the value cannot be without, or the second is before the
 * first. Read from the value, so that a restored draft has it, too.
 */
export function rangeError(field: Field): ValidationError | undefined {
  if (field.kind !== 'value' || field.widget !== 'date' || !field.hints.range || field.readonly)
    return undefined;
  const [start, end] = readRange(field);
  const type = rangeType(field);
  const needsBoth = type !== 'object' && (type !== 'array' || !start);
  if (needsBoth && !start !== !end) return { path: field.path, keyword: 'format', limit: 'date' };
  return end && end < start ? { path: field.path, keyword: 'minimum', limit: start } : undefined;
}
