import type { Field } from './form-model.ts';
import { pointerOf, type Path } from './schema/json.ts';
import type { ValidationError } from './schema/read-errors.ts';
import { isDisplayOnly } from './ui-schema.ts';

/** An error, and the field where the visitor can correct it. */
export interface FieldError {
  readonly error: ValidationError;
  readonly field: Field;
}

/**
 * Assigns each error to the field where the visitor can correct it, at most one to a field. Errors that no visible
 * field could correct (read-only and hidden fields, parts that are not shown) are left to the service.
 * @param fields all fields of the form, parents before children; the errors have the same order
 */
export function assignErrors(
  errors: readonly ValidationError[],
  fields: readonly Field[],
): readonly FieldError[] {
  const byPointer = new Map(fields.map((field) => [field.pointer, field]));
  const assigned = new Map<string, FieldError>();
  for (const error of errors) {
    const field = fieldFor(error.path, byPointer);
    if (!field || !canCorrect(field, error)) continue;
    const former = assigned.get(field.pointer)?.error;
    // without choices, the specific error helps more than "no alternative matches"
    const isVague = former && isOfBranches(former) && field.kind === 'value' && !field.choices.length;
    if (!former || isVague) assigned.set(field.pointer, { error, field });
  }
  return withoutEchoes(fields.flatMap(({ pointer }) => assigned.get(pointer) ?? []));
}

function fieldFor(path: Path, fields: ReadonlyMap<string, Field>): Field | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const field = fields.get(pointerOf(path.slice(0, length)));
    if (field) return field;
  }
  return undefined;
}

function canCorrect(field: Field, error: ValidationError): boolean {
  if (field.readonly || field.kind === 'refused') return false;
  if (error.keyword === 'oneOf' && typeof error.limit === 'number' && error.limit > 1) return false;
  if (field.kind !== 'value') return error.path.length === field.path.length || field.kind === 'absent';
  return field.widget !== 'hidden' && !isDisplayOnly(field.widget);
}

/** Drops "no alternative matches" where a field inside has a more specific error. */
function withoutEchoes(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ error, field }) => {
    if (!isOfBranches(error)) return true;
    return !errors.some((other) => other.field.pointer.startsWith(`${field.pointer}/`));
  });
}

function isOfBranches({ keyword }: ValidationError): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}
