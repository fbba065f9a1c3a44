import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from './tool-call.ts';

/** Most errors that are listed. */
const maxErrors = 5;

/**
 * Checks the arguments of a call against the tool's schema. Returns one line per error, none when they are valid. A
 * schema that cannot be used accepts every object: the server checks its arguments itself.
 */
export function argumentErrors(schema: JsonObject, args: unknown): readonly string[] {
  if (typeof args === 'string') return ['the arguments are not valid JSON: they may have been cut off'];
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return ['the arguments must be a JSON object'];
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(args);
    if (valid) return [];
    const innermost = errors.filter(({ keyword }) => !['properties', 'items', '$ref'].includes(keyword));
    return [...new Set((innermost.length > 0 ? innermost : errors).map(describe))].slice(0, maxErrors);
  } catch {
    return [];
  }
}

function describe({ instanceLocation, error }: { instanceLocation: string; error: string }): string {
  const field = instanceLocation.replace(/^#\/?/, '');
  return field === '' ? error : `${field}: ${error}`;
}
