import type { ValidationProblem } from '../protocol/index.ts';
import { isObject, parseJson } from '../protocol/json.ts';
import { type AgentChatError, type Caused, NetworkError } from './errors.ts';
import type { StreamFormatError } from './framing/stream-format-error.ts';
import { HttpError } from './response-errors.ts';

// for the callers of `loadHttpProblem`
export { HttpError, TokenEndpointError } from './response-errors.ts';

const bodyLimit = 64 * 1024;

/** The facts of an unsuccessful response. */
export interface RefusedResponse {
  readonly status: number;
  /** URL of the request, without query. */
  readonly url: string;
  readonly headers: Headers;
  /** The body as text, without tokens. */
  readonly body: string;
}

/** Response headers in which services and proxies send a request id, the most specific first. */
const requestIdHeaders = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid', 'cf-ray'];

/** Creates the error for an unsuccessful response, with the reason from its body. */
export function httpErrorFrom(response: RefusedResponse, options?: Caused): HttpError {
  const parsed = parseJson(response.body);
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const problem = problemsOf(body['detail']);
  return new HttpError(
    {
      status: response.status,
      url: response.url,
      requestId: requestIdOf(response.headers),
      body: response.body.slice(0, bodyLimit),
      reason: reasonOf(body, problem),
      problem,
      retryAfter: retryAfterSeconds(response.headers),
    },
    options,
  );
}

/**
 * Creates the error for a `tokenProvider` that returned no valid token, or threw `options.cause`.
 * @assumed a visitor without a token is signed out, like one whose token is rejected; offline, the network is the cause
 */
export function noToken(options?: Caused): AgentChatError {
  // undefined or true in Node
  if (options && globalThis.navigator?.onLine === false) return new NetworkError('tokenProvider', options);
  const reason = options
    ? 'no token was given'
    : 'tokenProvider must return a string of visible ASCII characters, or {"token": "…"}';
  return new HttpError({ status: 401, body: '', reason }, options);
}

/** The same error with the response's status, URL and request id. */
export function withResponse(
  error: StreamFormatError,
  { status, url, headers }: Omit<RefusedResponse, 'body'>,
): StreamFormatError {
  return error.withResponse({ status, url, requestId: requestIdOf(headers) });
}

/** The request id from the headers, at most 200 characters; undefined when the page can read none. */
export function requestIdOf(headers: Headers): string | undefined {
  const named = requestIdHeaders.map((name) => headers.get(name)?.trim()).find(Boolean);
  const trace = /^[\da-f]{2}-([\da-f]{32})-/i.exec(headers.get('traceparent') ?? '')?.[1];
  return (named ?? trace)?.slice(0, 200);
}

function problemsOf(detail: unknown): readonly ValidationProblem[] | undefined {
  if (!Array.isArray(detail)) return undefined;
  return detail.filter(isObject).map((problem) => ({
    ...problem,
    loc: Array.isArray(problem['loc']) ? problem['loc'].filter(isLocation) : [],
    msg: typeof problem['msg'] === 'string' ? problem['msg'] : '',
    type: typeof problem['type'] === 'string' ? problem['type'] : '',
  }));
}

function isLocation(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

function reasonOf(body: Record<string, unknown>, problem: readonly ValidationProblem[] | undefined): string {
  const first = problem?.[0];
  if (first !== undefined) {
    const more = (problem?.length ?? 0) > 1 ? ` and ${(problem?.length ?? 0) - 1} more` : '';
    const location = first.loc.length > 0 ? `${first.loc.join('.')}: ` : '';
    return `${location}${first.msg}${more}`.slice(0, 500);
  }
  const { detail, error, message } = body;
  const nested = isObject(error) ? error['message'] : undefined;
  const words = [detail, error, nested, message, body['error_description']].find(
    (value) => typeof value === 'string',
  );
  return typeof words === 'string' ? words.slice(0, 500) : '';
}

/** Converts a `Retry-After` header, a number or a date, to seconds; undefined when it is neither. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  const date = Date.parse(text);
  const now = Date.parse(headers.get('Date') ?? '') || Date.now(); // the sender's clock, if it says
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
