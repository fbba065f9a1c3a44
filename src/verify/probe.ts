/** What is asked of the server under test. */
export interface ProbeSettings {
  /** Root of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  /** Path segment of the deployment. */
  readonly productPath: string;
  /** Origin of a page that would ask. */
  readonly origin: string;
  /** Milliseconds after which an answer is given up. */
  readonly timeoutMs: number;
}

/** A request of a check. */
export interface ProbeRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; a string is sent as it is. Absent: no body. */
  readonly body?: unknown;
  /** `null`: no token at all. Default: the real one. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with all bytes so far; true ends the reading. */
  readonly enough?: (text: string) => boolean;
}

/** Bytes that came in one read. */
export interface Arrival {
  /** Milliseconds after the request went out. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** An answer with the times at which its parts came. */
export interface ProbeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly arrivals: readonly Arrival[];
  readonly text: string;
  /** Milliseconds until the end, or until it was given up. */
  readonly durationMs: number;
  /** Why it ended, when not by itself. */
  readonly broken?: 'timeout' | 'connection' | 'enough' | 'endless';
}

/** Bytes after which an answer is given up: twice the largest record of a stream. */
export const maxResponseBytes = 16 * 1024 * 1024;

/** No answer at all. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Asks once and reads to the end, noting when each part came.
 * @throws NoAnswerError when no response begins.
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

/** An AggregateError, for a name with several addresses, has no message of its own. */
function reasonOf(cause: Error): string {
  return cause.message || String(Reflect.get(cause, 'code') ?? cause.name);
}

/** The beginning of a body, on one line, without the token. */
export function excerpt(text: string, token: string): string {
  const shown = text
    .replaceAll(token || '\u0000', '[token]')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > 120 ? `${shown.slice(0, 120)}…` : shown;
}
