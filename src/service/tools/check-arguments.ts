import { createContext, Script } from 'node:vm';
import { format, Validator, type ValidationResult } from '@cfworker/json-schema';
import type { JsonObject } from './tool-call.ts';

/**
 * The widget's forms accept these, too.
 * @assumed a time without a zone is what people and agents mean; RFC 3339 requires a zone. `url` is no format of JSON
 * Schema: the library's own refuses `http://localhost`.
 */
const { time: isTime, uri: isUri } = format;
format['time'] = (text) => isTime?.(text) === true || isTime?.(`${text}Z`) === true;
format['url'] = (text) => isUri?.(text) === true;

/** Most errors that are listed. */
const maxErrors = 5;

/** How long a check may take, in ms: a pattern can take hours for a text that a visitor wrote, and blocks all requests. */
const timeLimitMs = 1_000;
/** Schemas that took longer, as JSON. */
const slowSchemas = new Set<string>();
const maxSlowSchemas = 100;

/** Only a script can be ended in the midst of a pattern. */
const script = new Script('check()');
const context = createContext({ check: undefined });

/**
 * Checks the arguments of a call against the tool's schema. Returns one line per error, none when they are valid. A
 * schema that cannot be used, or took too long once, accepts every object: the server checks its arguments itself.
 * @param onUnchecked receives what is wrong with such a schema
 */
export function argumentErrors(
  schema: JsonObject,
  args: unknown,
  onUnchecked: (fault: string) => void = () => undefined,
): readonly string[] {
  if (typeof args === 'string') return ['the arguments are not valid JSON: they may have been cut off'];
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return ['the arguments must be a JSON object'];
  try {
    const { valid, errors } = validate(schema, args);
    if (valid) return [];
    const innermost = errors.filter(({ keyword }) => !['properties', 'items', '$ref'].includes(keyword));
    return [...new Set((innermost.length > 0 ? innermost : errors).map(describe))].slice(0, maxErrors);
  } catch (error) {
    onUnchecked(isTimeout(error) ? `took longer than ${timeLimitMs} ms` : 'is not a valid JSON Schema');
    return [];
  }
}

/** @throws when the schema cannot be used, or takes too long */
function validate(schema: JsonObject, args: object): ValidationResult {
  if (slowSchemas.size > 0 && slowSchemas.has(JSON.stringify(schema))) return { valid: true, errors: [] };
  context['check'] = () => new Validator(schema, '2020-12', false).validate(args);
  try {
    return script.runInContext(context, { timeout: timeLimitMs }) as ValidationResult; // what `check` returns
  } catch (error) {
    if (isTimeout(error) && slowSchemas.size < maxSlowSchemas) slowSchemas.add(JSON.stringify(schema));
    throw error;
  } finally {
    context['check'] = undefined;
  }
}

/** Whether a script was ended. Its error is one of the script's context, and so no `Error` of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    Reflect.get(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

function describe({ instanceLocation, error }: { instanceLocation: string; error: string }): string {
  const field = instanceLocation.replace(/^#\/?/, '');
  return field === '' ? error : `${field}: ${error}`;
}
