import type { ValidationProblem } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import type { Caused } from './errors.ts';
import { parseJson } from './framing/parse-json.ts';
import { StreamFormatError } from './framing/stream-format-error.ts';
import { HttpError } from './response-errors.ts';

export { HttpError, TokenEndpointError } from './response-errors.ts';

const bodyLimit = 64 * 1024;

/** What an error needs to know of a response. */
export interface RefusedResponse {
  readonly status: number;
  /** Where the request went, without query. */
  readonly url: string;
  readonly headers: Headers;
  /** The body as text, tokens taken out. */
  readonly body: string;
}

/** Response headers in which services and proxies name a request, the most telling first. */
const requestIdHeaders = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid', 'cf-ray'];

/** Makes the error of a response that is no success, by the shape of its body and never by its status. */
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
      retryAfter: retryAfterSeconds(response.headers.get('Retry-After')),
    },
    options,
  );
}

/** The same error with the status, address and id of the response that it is about; other errors as they are. */
export function withResponse(error: unknown, response: Omit<RefusedResponse, 'body'>): unknown {
  if (!(error instanceof StreamFormatError)) return error;
  const { status, url, headers } = response;
  return new StreamFormatError(error.framing, error.reason, error.excerpt, {
    status,
    url,
    requestId: requestIdOf(headers),
  });
}

/** How the service named the request, at most 200 characters; undefined when no header that the page may read does. */
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
    const place = first.loc.length > 0 ? `${first.loc.join('.')}: ` : '';
    return `${place}${first.msg}${more}`.slice(0, 500);
  }
  const { detail, error, message } = body;
  const nested = isObject(error) ? error['message'] : undefined;
  const words = [detail, error, nested, message, body['error_description']].find(
    (value) => typeof value === 'string',
  );
  return typeof words === 'string' ? words.slice(0, 500) : '';
}

/** Seconds of a `Retry-After` header, whether it holds a number or a date; undefined when it holds neither. */
export function retryAfterSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
