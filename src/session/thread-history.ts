import { failureOf, httpStatus } from './run-failure.ts';
import type { SessionContext } from './session-context.ts';
import { attemptLimit, backoffDelay, longestWait, Backoff } from './backoff.ts';

/**
 * Whether the stored messages of the thread are still to come. `loading`: nothing is known of the thread yet. `failed`:
 * they did not come and are asked for again. `auth-needed`: they need another token. `none`: nothing to wait for.
 */
export type HistoryState = 'none' | 'loading' | 'failed' | 'auth-needed';

/** Time between two tries once many have failed, in milliseconds. */
const slowPause = 60_000;
/** Time until the history is asked for again with the same token, in milliseconds. */
const tokenPause = 300_000;
/** Tries without a response while the conversation is shown anyway; the service may not offer histories at all. */
const quietTries = 3;

interface ThreadHistoryOptions {
  /** Whether the session reads a run. */
  isReading(): boolean;
  /** Called after the history was merged, with the number of failed tries before. */
  loaded(attempt: number): void;
}

/**
 * Loads the stored messages of the session's thread. Failed requests are repeated with backoff; a service that offers no
 * history is not asked again.
 */
export class ThreadHistory {
  readonly #host: SessionContext;
  readonly #options: ThreadHistoryOptions;
  #abort: AbortController | undefined;
  /** The thread whose history is loading. */
  #loading: string | undefined;
  #waiting: Backoff | undefined;
  #failure: 'failed' | 'auth-needed' | undefined;
  /** The thread whose history has come, or is not to be had. */
  #settled: string | undefined;
  /** The thread whose history was given up until `wake`. */
  #givenUp: string | undefined;

  constructor(host: SessionContext, options: ThreadHistoryOptions) {
    this.#host = host;
    this.#options = options;
  }

  get state(): HistoryState {
    if (this.#failure) return this.#failure;
    const { threadId, messages } = this.#host.store.conversation;
    return threadId !== undefined && threadId !== this.#settled && messages.length === 0 ? 'loading' : 'none';
  }

  /**
   * Loads the history of the thread the conversation is in now.
   * @returns whether the first request brought it; later ones go on by themselves
   */
  load(): Promise<boolean> {
    const { threadId } = this.#host.store.conversation;
    this.cancel();
    if (threadId === undefined) return Promise.resolve(false);
    const abort = (this.#abort = new AbortController());
    this.#loading = threadId;
    return new Promise((resolve) => {
      void this.#run(threadId, abort.signal, resolve).finally(() => resolve(false));
    });
  }

  /** Ends a wait for the next try. */
  wake(): void {
    this.#waiting?.wake();
    const { threadId } = this.#host.store.conversation;
    if (threadId !== undefined && threadId === this.#givenUp) void this.load();
  }

  /** Stops loading when the conversation turned to another thread, here or in another tab. */
  threadChanged(): void {
    if (this.#loading !== undefined && this.#loading !== this.#host.store.conversation.threadId)
      this.cancel();
  }

  /** Stops loading. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = this.#loading = this.#waiting = this.#givenUp = undefined;
    if (this.#failure) this.#show(undefined);
  }

  async #run(threadId: string, signal: AbortSignal, told: (hasLoaded: boolean) => void): Promise<void> {
    const { clock, online, store } = this.#host;
    const waiting = (this.#waiting = new Backoff(clock, signal));
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const error = await this.#attempt(threadId, signal);
      if (signal.aborted) return;
      if (error === undefined || !mayPass(error)) {
        if (error !== undefined && httpStatus(error) === undefined) this.#diagnose(error);
        this.#settled = threadId;
        this.#show(undefined);
        if (error === undefined) this.#options.loaded(attempt);
        return told(error === undefined);
      }
      const { kind, retryAfter } = failureOf(error);
      // the conversation is shown, and the service may be one without histories that refuses the preflight
      const isQuiet = kind === 'network' && store.conversation.messages.length > 0;
      if (isQuiet && attempt + 1 >= quietTries) {
        this.#givenUp = threadId;
        return;
      }
      if (attempt === 0) this.#diagnose(error);
      if (!isQuiet) this.#show(kind === 'auth' ? 'auth-needed' : 'failed');
      told(false);
      const backoff = attempt + 1 < attemptLimit ? backoffDelay(attempt + 1, clock.random()) : slowPause;
      const asked = Math.min((retryAfter ?? 0) * 1000, longestWait);
      await waiting.pause(kind === 'auth' ? tokenPause : Math.max(asked, backoff));
      await waiting.online(online);
    }
  }

  /** Asks once. Resolves with what went wrong; with nothing when the history was merged. */
  async #attempt(threadId: string, signal: AbortSignal): Promise<unknown> {
    const { client, clock, store } = this.#host;
    try {
      const [stored, { mergeHistory }] = await Promise.all([
        client().extensions.listMessages(threadId, { signal }),
        import('../conversation/merge-history.ts'),
      ]);
      const isReading = this.#options.isReading();
      if (!signal.aborted)
        store.change((known) => mergeHistory(known, stored, { at: clock.now(), isReading }));
      return undefined;
    } catch (error) {
      return error ?? new Error('no reason given');
    }
  }

  /** What is shown of it changes. */
  #show(failure: 'failed' | 'auth-needed' | undefined): void {
    this.#failure = failure;
    this.#host.connectionChanged();
  }

  #diagnose(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#host.diagnose({
      code: 'history-failed',
      message: `The messages of the thread could not be loaded: ${reason}`,
    });
  }
}

/** Whether the same request may succeed later. A service that has no such route, or no such thread, says so for good. */
function mayPass(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) return status !== 501 && failureOf(error).retryable;
  return !(error instanceof Error && error.name === 'ResponseShapeError');
}
