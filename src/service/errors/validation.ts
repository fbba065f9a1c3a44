import * as z from 'zod/mini';
import type { ValidationProblem } from '../../protocol/index.ts';
import { invalid, Problem } from './problem.ts';

/** Deepest nesting of a JSON body. Serializing deeper values may overflow the stack. */
const maxDepth = 200;

/** Most values in a JSON body. Checking a million values would block other requests for seconds. */
const maxValues = 100_000;

/** Most problems in one response. Each list entry can cause one, and a problem is larger than the entry. */
const maxProblems = 100;

/**
 * Checks a value against a schema and returns the value itself, so unknown keys and key order are kept.
 * @throws Problem 422 with one `detail` entry per problem, at most 100; each `loc` starts with `where`
 */
export function check<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (!result.success) {
    const first = result.error.issues.slice(0, maxProblems);
    throw new Problem(
      422,
      first.flatMap((issue) => problems(issue, [where], value)),
    );
  }
  return value as z.output<Schema>; // valid, as checked above; none of our schemas transforms
}

/** Converts an issue to problems for the caller. @param input the whole value that was checked */
export function problems(
  issue: z.core.$ZodIssue,
  prefix: readonly string[],
  input: unknown,
): ValidationProblem[] {
  const path = issue.path.map(String);
  const value = issue.path.reduce<unknown>(member, input);
  if (issue.code === 'invalid_union') {
    const deepest = issue.errors
      .filter((branch) => branch.length > 0)
      .sort((one, other) => (other[0]?.path.length ?? 0) - (one[0]?.path.length ?? 0))[0];
    const inner = deepest?.[0];
    if (deepest && inner && inner.path.length > 0) {
      return deepest.slice(0, maxProblems).flatMap((nested) => problems(nested, [...prefix, ...path], value));
    }
    return [
      { loc: [...prefix, ...path], msg: 'must be an array of content items or a string', type: 'union_type' },
    ];
  }
  return [{ loc: [...prefix, ...path], ...describe(issue, value) }];
}

function member(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function describe(issue: z.core.$ZodIssue, value: unknown): { msg: string; type: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { msg: 'is required', type: 'missing' };
      return { msg: `must be ${article(issue.expected)}`, type: `${issue.expected}_type` };
    case 'too_small':
      if (issue.origin !== 'string') return { msg: issue.message, type: 'value_error' };
      return { msg: 'must not be empty', type: 'too_short' };
    case 'too_big':
      if (issue.origin !== 'string') return { msg: 'is too large a number', type: 'value_error' };
      return { msg: `must have at most ${String(issue.maximum)} characters`, type: 'too_long' };
    default:
      return { msg: issue.message, type: 'value_error' };
  }
}

function article(expected: string): string {
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected === 'int' ? 'integer' : expected}`;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a body to text, without a byte order mark.
 * @throws Problem 415 when it is compressed, 422 when it is not UTF-8
 * @source RFC 8259, 8.1
 */
export function readText(body: Buffer, encoding: string | undefined): string {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const msg = 'must be absent: compressed bodies are not supported';
    throw new Problem(415, { loc: ['header', 'content-encoding'], msg, type: 'content_encoding' });
  }
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new Problem(422, { loc: ['body'], msg: 'must be UTF-8', type: 'encoding' }, { cause });
  }
}

/**
 * Parses a JSON body.
 * @throws Problem 422 when the text is invalid JSON, nested deeper than 200 levels, or has more than 100,000
 * values
 */
export function parseJson(text: string): unknown {
  const { depth, values } = sizeOf(text);
  if (values > maxValues) {
    throw invalid(['body'], `must not have more than ${maxValues} values`, 'json_size');
  }
  if (depth > maxDepth) {
    throw invalid(['body'], `must not be nested deeper than ${maxDepth} levels`, 'json_depth');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Problem(422, { loc: ['body'], msg: 'must be valid JSON', type: 'json_invalid' }, { cause });
  }
}

/**
 * Counts the nesting depth and the values of a JSON text: each comma and each opening bracket starts a value.
 */
function sizeOf(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x2c) values += 1;
    else if (code === 0x7b || code === 0x5b) {
      values += 1;
      deepest = Math.max(deepest, (depth += 1));
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { depth: deepest, values };
}
