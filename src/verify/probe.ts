import type { Findings } from './finding.ts';

/** Settings for requests to the server under test. */
export interface ProbeSettings {
  /** Root URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  /** Path segment of the deployment. */
  readonly productPath: string;
  /** Origin of the page with the widget. */
  readonly origin: string;
  /** Time limit of a response. */
  readonly timeoutMs: number;
}

/** A request of a check. */
export interface ProbeRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; a string is sent unchanged. Absent: no body. */
  readonly body?: unknown;
  /** `null`: no token. Default: the real one. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with all text so far; true stops reading. */
  readonly enough?: (text: string) => boolean;
}

/** The bytes of one read. */
export interface Arrival {
  /** Time since the request. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** A response with the arrival times of its parts. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly arrivals: readonly Arrival[];
  readonly text: string;
  /** Time until the end, or until it was given up. */
  readonly durationMs: number;
  /** Why reading stopped early. */
  readonly broken?: 'timeout' | 'connection' | 'enough' | 'endless';
}

/** Size limit of a response: twice the largest record of a stream. */
export const maxResponseBytes = 16 * 1024 * 1024;

/** There was no response. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Sends a request and reads the response to the end, recording when each part arrives.
 * @throws NoAnswerError when there is no response
 */
export async function probe(settings: ProbeSettings, request: ProbeRequest): Promise<ProbeResponse> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), settings.timeoutMs);
  const began = performance.now();
  const token = request.token === undefined ? settings.token : request.token;
  let response: Response;
  try {
    response = await fetch(settings.baseUrl + request.path, {
      method: request.method,
      signal: controller.signal,
      redirect: 'manual',
      headers: {
        origin: settings.origin,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined
        ? {}
        : { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) }),
    });
  } catch (cause) {
    clearTimeout(timer);
    const reason =
      cause instanceof Error && cause.cause instanceof Error ? reasonOf(cause.cause) : String(cause);
    throw new NoAnswerError(controller.signal.aborted ? `nothing within ${settings.timeoutMs} ms` : reason);
  }
  const arrivals: Arrival[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  let broken: ProbeResponse['broken'];
  try {
    for await (const bytes of response.body ?? []) {
      arrivals.push({ atMs: performance.now() - began, bytes });
      text += decoder.decode(bytes, { stream: true });
      length += bytes.length;
      if (request.enough?.(text)) broken = 'enough';
      else if (length > maxResponseBytes) broken = 'endless';
      if (broken) break;
    }
  } catch {
    broken = controller.signal.aborted ? 'timeout' : 'connection';
  }
  clearTimeout(timer);
  controller.abort();
  return {
    status: response.status,
    headers: response.headers,
    arrivals,
    text: text + decoder.decode(),
    durationMs: performance.now() - began,
    ...(broken ? { broken } : {}),
  };
}

/** An AggregateError, for a host with several addresses, has no message. */
function reasonOf(cause: Error): string {
  return cause.message || String(Reflect.get(cause, 'code') ?? cause.name);
}

/** Returns the beginning of a body on one line, without the token. */
export function excerpt(text: string, token: string): string {
  const shown = text
    .replaceAll(token || '\u0000', '[token]')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
}

/**
 * Sends one request of a check. If there is no response, records an error of that check and returns
 * `undefined`: one dropped request says nothing about the others.
 */
export async function callEndpoint(
  settings: ProbeSettings,
  findings: Findings,
  check: string,
  request: ProbeRequest,
): Promise<ProbeResponse | undefined> {
  try {
    return await probe(settings, request);
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    findings.error(
      check,
      `no answer to ${request.method} ${request.path}: ${cause.message}`,
      'See the logs of the server and of any proxy: the request was dropped, or took too long.',
    );
    return undefined;
  }
}
