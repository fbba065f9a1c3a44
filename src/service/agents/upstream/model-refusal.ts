import { isObject, own } from '../../../protocol/json.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { UpstreamError, type Remedies } from './upstream-error.ts';

/** An error of the libraries `openai` and `@anthropic-ai/sdk`, which have the same classes. */
interface SdkApiError extends Error {
  readonly status: number | undefined;
}

/** The error classes of such a library. */
export interface SdkErrors {
  readonly APIError: abstract new (...args: never[]) => SdkApiError;
  readonly APIConnectionError: abstract new (...args: never[]) => Error;
  readonly APIConnectionTimeoutError: abstract new (...args: never[]) => Error;
  readonly APIUserAbortError: abstract new (...args: never[]) => Error;
}

/** Thrown by `modelFetch`: of the body of an error, the libraries would keep a part only. */
class Refusal extends Error {
  readonly response: Response;
  readonly body: string;

  constructor(response: Response, body: string) {
    super('refused'); // the libraries search this text for the word of a timeout
    this.response = response;
    this.body = body;
  }
}

/** Returns the `fetch` of a library. Redirects are not followed: they would take the headers elsewhere. */
export function modelFetch(limit: number): typeof fetch {
  const bounded = boundedFetch(limit);
  return async (input, init) => {
    const response = await bounded(input, { ...init, redirect: 'manual' });
    if (response.ok) return response;
    throw new Refusal(response, await response.text().catch(() => ''));
  };
}

/** Fields without which there is no request. */
const required: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'stream', 'tools']);

/**
 * Converts an error of a library. Other errors are returned unchanged.
 * @param fields names of the request's fields
 */
export function fromSdkError(error: unknown, sdk: SdkErrors, fields: readonly string[]): unknown {
  if (error instanceof sdk.APIUserAbortError) return error;
  if (error instanceof sdk.APIConnectionTimeoutError)
    return new UpstreamError('timeout', 'upstream did not answer in time');
  if (error instanceof sdk.APIConnectionError) {
    const { cause } = error;
    if (!(cause instanceof Refusal)) return UpstreamError.unreachable(cause);
    const { response, body } = cause;
    const remedies = { ...modelRemedies, request: requestRemedy(body, fields) };
    return UpstreamError.ofStatus(response.status, response.headers, remedies, errorCode(parsed(body)));
  }
  if (error instanceof sdk.APIError)
    return new UpstreamError('cut', 'upstream reported an error instead of an answer');
  return error;
}

const modelRemedies: Remedies = {
  access: 'check "api_key_env" and "headers_env"',
  address: 'check "base_url" and "model"',
};

function requestRemedy(body: string, fields: readonly string[]): string | undefined {
  if (/context[ _](length|window|size)|maximum context|prompt is too long/i.test(body))
    return 'the conversation is longer than the context of the model';
  if (/credit balance is too low/i.test(body)) return 'the account has no credit left'; // Anthropic's 400
  const named = fields.filter((field) => !required.has(field) && names(body, field));
  if (named.length === 0) return undefined;
  const nulls = named.map((field) => `"${field}": null`).join(', ');
  return `its error names a parameter; to leave it out, set "extra_body": {${nulls}}`;
}

/** Whether a text names a field. A name with an underscore is no word of a sentence; others must stand in quotes. */
function names(text: string, field: string): boolean {
  if (!/^\w+$/.test(field)) return false;
  return new RegExp(field.includes('_') ? `\\b${field}\\b` : `['"\`]${field}\\\\?['"\`]`).test(text);
}

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value[0] : value; // Google sends a list of one error
  } catch {
    return undefined;
  }
}

/** The statuses that vendors send for their words, where an error comes as an event of a response with the status 200. */
const statuses: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  api_error: 500,
  server_is_overloaded: 503,
  rate_limit_exceeded: 429,
  server_error: 500,
};

/**
 * An error that upstream reports in the stream of an answer.
 * @param body has upstream's word for it
 * @param options.isFirst whether nothing came before it: then it stands for the status of the response
 */
export function reportedError(body: unknown, { isFirst = false } = {}): UpstreamError {
  const code = errorCode(body);
  const reason = code === undefined ? '' : ` (${code})`;
  const message = `upstream reported an error${reason} instead of an answer`;
  const status = isFirst && code !== undefined ? own(statuses, code) : undefined;
  return status === undefined
    ? new UpstreamError('cut', message)
    : new UpstreamError('status', message, { status, code });
}

/** Returns the word for an error, such as `context_length_exceeded`. Sentences are not returned: they may quote texts. */
export function errorCode(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const error = isObject(body['error']) ? body['error'] : body;
  const words = [error['code'], error['type'], error['status']];
  const isWord = (value: unknown): boolean => typeof value === 'string' && /^[a-z][\w.-]{1,63}$/i.test(value);
  const word = words.find(isWord) ?? words.find((value) => typeof value === 'number');
  return word === undefined ? undefined : String(word);
}
