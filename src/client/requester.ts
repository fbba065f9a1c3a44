import { toJson } from '../protocol/json.ts';
import { NetworkError, TimeoutError } from './errors.ts';
import { abortable, endOfTask, startTimer } from './abortable.ts';
import { loadHttpProblem } from './load-http-problem.ts';
import type { TokenSource } from './token-source.ts';

/** One request, before the token is added. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, relative to the base URL, with a leading slash. */
  readonly path: string;
  /** Sent as JSON when present. */
  readonly body?: unknown;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the status of an error response, before its body is read. */
  readonly onRefused?: ((status: number) => void) | undefined;
}

/** A successful response whose body was not read yet. */
export interface OpenResponse {
  readonly response: Response;
  /** URL of the request, without query. */
  readonly url: string;
  /** Aborts with the caller's signal, or by `close`. */
  readonly signal: AbortSignal;
  /** Stops following the caller's signal. */
  readonly release: () => void;
  /** Closes the connection. Can be called after the end. */
  readonly close: (reason?: unknown) => void;
}

export interface RequesterSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Milliseconds to wait for the headers; 0: no limit. */
  readonly connectTimeout: number;
}

/** Sends requests with the caller's token. Throws the errors of `errors.ts` and `response-errors.ts`. */
export class Requester {
  readonly #settings: RequesterSettings;

  constructor(settings: RequesterSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a request and waits for the headers. After a 401 it requests another token and repeats the request once.
   * @throws HttpError NetworkError TimeoutError, or the signal's reason.
   */
  async open(call: Call): Promise<OpenResponse> {
    const { tokens } = this.#settings;
    const body = call.body === undefined ? undefined : toJson(call.body);
    call.signal?.throwIfAborted();
    const token = await tokens.current(call.signal);
    const first = await this.#send(call, body, token);
    if (first.response.ok) return first;
    if (first.response.status !== 401 || !tokens.renewable) return this.#refuse(first, call);
    first.close();
    const second = await this.#send(call, body, await tokens.replace(token, call.signal));
    return second.response.ok ? second : this.#refuse(second, call);
  }

  /**
   * Reads the whole body within the connect timeout.
   * @throws TimeoutError, the signal's reason, or the error of the body
   */
  async readText({ response, signal, close }: OpenResponse): Promise<string> {
    const timer = this.#startTimer(close);
    try {
      return await abortable(response.text(), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(call: Call, body: string | undefined, token: string | undefined): Promise<OpenResponse> {
    call.signal?.throwIfAborted();
    const send = this.#settings.fetch ?? globalThis.fetch;
    const { signal, release, close } = linked(call.signal);
    const timer = this.#startTimer(close);
    try {
      // called as a plain function: the platform's `fetch` rejects any other `this`
      const request = send(`${this.#settings.baseUrl}${call.path}`, {
        method: call.method,
        headers: {
          Accept: call.accept,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...call.headers,
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        cache: 'no-store',
        signal,
      });
      return { response: await abortable(request, signal), url: this.#address(call), signal, release, close };
    } catch (error) {
      // When the visitor leaves the page, the browser ends its requests, perhaps between two `pagehide` listeners. Wait
      // for the rest of the listeners: if one aborts this request, the error must be the abort.
      if (!signal.aborted) await endOfTask();
      const failure: unknown = signal.aborted
        ? signal.reason
        : new NetworkError(this.#address(call), { cause: error });
      close();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  async #refuse(opened: OpenResponse, call: Call): Promise<never> {
    const { url, response } = opened;
    const { status, headers } = response;
    call.onRefused?.(status);
    // the status is enough if the body cannot be read
    const text = await this.readText(opened).catch(() => '');
    opened.close();
    call.signal?.throwIfAborted();
    const { httpErrorFrom } = await loadHttpProblem(url);
    throw httpErrorFrom({
      status,
      url,
      headers,
      body: this.#settings.tokens.redact(text),
    });
  }

  #startTimer(close: OpenResponse['close']): ReturnType<typeof startTimer> {
    const { connectTimeout } = this.#settings;
    return startTimer(connectTimeout, () => close(new TimeoutError('connect', connectTimeout)));
  }

  #address(call: Call): string {
    return `${this.#settings.baseUrl}${call.path.replace(/\?.*$/, '')}`;
  }
}

/** A signal that aborts with the caller's until it is closed. */
function linked(outer: AbortSignal | undefined): Pick<OpenResponse, 'signal' | 'release' | 'close'> {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer?.reason);
  const release = (): void => outer?.removeEventListener('abort', follow);
  outer?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    release,
    close: (reason) => {
      release();
      controller.abort(reason);
    },
  };
}
