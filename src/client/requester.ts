import { toJson } from '../protocol/to-json.ts';
import { NetworkError, TimeoutError } from './errors.ts';
import { raceSignal } from './abortable.ts';
import { startTimer } from './start-timer.ts';
import type { TokenSource } from './token-source.ts';

/** One request, before the token is added. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, relative to the base URL, with a leading slash. */
  readonly path: string;
  /** Sent as JSON when present. */
  readonly body?: unknown;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with a status that is no success, before the error is made. */
  readonly onRefused?: ((status: number) => void) | undefined;
}

/** A response whose status is good and whose body is still to be read. */
export interface OpenResponse {
  readonly response: Response;
  /** Aborts with the caller's signal, or by `close`. */
  readonly signal: AbortSignal;
  /** Lets go of the connection; harmless when it has ended already. */
  readonly close: (reason?: unknown) => void;
}

/** A good response, read to its end. */
export interface TextResponse {
  readonly status: number;
  readonly text: string;
}

export interface RequesterSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Milliseconds until the headers must be there; 0: for ever. */
  readonly connectTimeout: number;
}

/** Sends requests with the caller's token, and turns everything that is no success into an error of `errors.ts` or `response-errors.ts`. */
export class Requester {
  readonly #settings: RequesterSettings;

  constructor(settings: RequesterSettings) {
    this.#settings = settings;
  }

  /**
   * Sends, and waits for the headers. A 401 asks once for another token and repeats the request once.
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

  /** Sends, and reads the whole body, which must be there within the connect timeout too. */
  async text(call: Call): Promise<TextResponse> {
    const opened = await this.open(call);
    try {
      const text = await this.#within(opened.response.text(), opened);
      return { status: opened.response.status, text };
    } catch (error) {
      if (call.signal?.aborted === true) throw call.signal.reason;
      throw error instanceof TimeoutError ? error : new NetworkError(this.#address(call), { cause: error });
    } finally {
      opened.close();
    }
  }

  async #send(call: Call, body: string | undefined, token: string | undefined): Promise<OpenResponse> {
    call.signal?.throwIfAborted();
    const { connectTimeout } = this.#settings;
    const send = this.#settings.fetch ?? globalThis.fetch;
    const { signal, close } = linked(call.signal);
    const timer = startTimer(connectTimeout, () => close(new TimeoutError('connect', connectTimeout)));
    try {
      // Called as a plain function: the platform's own refuses any other `this`.
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
      return { response: await raceSignal(request, signal), signal, close };
    } catch (error) {
      const failure = this.#failure(call, signal, error);
      close();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  #failure(call: Call, signal: AbortSignal, error: unknown): unknown {
    if (signal.aborted) return signal.reason;
    return new NetworkError(this.#address(call), { cause: error });
  }

  async #refuse(opened: OpenResponse, call: Call): Promise<never> {
    const { response } = opened;
    // A body that cannot be read takes nothing from what the status says.
    const text = await this.#within(response.text(), opened).catch(() => '');
    opened.close();
    call.onRefused?.(response.status);
    call.signal?.throwIfAborted();
    const { httpErrorFrom } = await import('./http-problem.ts').catch((cause: unknown) => {
      throw new NetworkError(this.#address(call), { cause });
    });
    throw httpErrorFrom({
      status: response.status,
      url: this.#address(call),
      headers: response.headers,
      body: this.#settings.tokens.redact(text),
    });
  }

  async #within<Value>(reading: Promise<Value>, { signal, close }: OpenResponse): Promise<Value> {
    const { connectTimeout } = this.#settings;
    const timer = startTimer(connectTimeout, () => close(new TimeoutError('connect', connectTimeout)));
    try {
      return await raceSignal(reading, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #address(call: Call): string {
    return `${this.#settings.baseUrl}${call.path.replace(/\?.*$/, '')}`;
  }
}

/** A signal of our own that follows the caller's, until it is closed. */
function linked(outer: AbortSignal | undefined): Pick<OpenResponse, 'signal' | 'close'> {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    close: (reason) => {
      outer?.removeEventListener('abort', follow);
      controller.abort(reason);
    },
  };
}
