import { failureOf, httpStatus, isFinal } from './run-failure.ts';
import type { SessionContext } from './session-context.ts';
import { askedDelay, attemptLimit, backoffDelay, Backoff } from './backoff.ts';

/**
 * State of the thread's stored messages. `loading`: no message is known yet. `failed`: the request failed and is
 * repeated. `auth-needed`: another token is needed. `gone`: the service does not have the thread any more; if
 * messages of it were shown, it was left. `none`: nothing to wait for.
 */
export type HistoryState = 'none' | 'loading' | 'failed' | 'auth-needed' | 'gone';

type HistoryFailure = 'failed' | 'auth-needed' | 'gone' | undefined;

/** Delay between attempts after many have failed, in milliseconds. */
const slowRetryMs = 60_000;
/** Delay after a 401 before the next attempt, in milliseconds. */
const tokenRetryMs = 300_000;
/** Attempts without a response, before `wake`, while messages are shown already: the service may offer no histories. */
const quietAttempts = 3;
/** Delay after those attempts, in milliseconds. `wake` ends it. */
const givenUpRetryMs = 86_400_000;

interface ThreadHistoryOptions {
  /** Whether the session reads a run. */
  isReading(): boolean;
  /** Called for each callback message that came while nothing was read here. */
  arrived(): void;
  /** Called after the history was merged, with the number of failed attempts before. */
  loaded(attempt: number): void;
  /** Leaves the thread, because the service does not have it any more. */
  gone(): void | Promise<void>;
}

/**
 * Loads the stored messages of the session's thread. Failed requests are repeated with backoff; a service that offers
 * no history is not asked again.
 */
export class ThreadHistory {
  readonly #context: SessionContext;
  readonly #options: ThreadHistoryOptions;
  #abort: AbortController | undefined;
  /** The thread whose history is loading. */
  #loading: string | undefined;
  #waiting: Backoff | undefined;
  #failure: HistoryFailure;
  /** The thread whose history was loaded, or is not available. */
  #settled: string | undefined;

  constructor(context: SessionContext, options: ThreadHistoryOptions) {
    this.#context = context;
    this.#options = options;
  }

  get state(): HistoryState {
    if (this.#failure) return this.#failure;
    const { threadId, messages } = this.#context.store.conversation;
    return threadId !== undefined && threadId !== this.#settled && messages.length === 0 ? 'loading' : 'none';
  }

  /**
   * Loads the history of the current thread.
   * @returns whether the first request succeeded; retries continue in the background
   */
  load(): Promise<boolean> {
    const { threadId } = this.#context.store.conversation;
    this.cancel();
    if (threadId === undefined) return Promise.resolve(false);
    const abort = (this.#abort = new AbortController());
    this.#loading = threadId;
    return new Promise((resolve) => {
      void this.#run(threadId, abort.signal, resolve).finally(() => resolve(false));
    });
  }

  /** Ends the delay before the next attempt. */
  wake(): void {
    this.#waiting?.wake();
  }

  /** Stops loading if the conversation now has another thread, because of this tab or another one. */
  threadChanged(): void {
    if (this.#loading !== undefined && this.#loading !== this.#context.store.conversation.threadId)
      this.cancel();
  }

  /** Stops loading. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = this.#loading = this.#waiting = undefined;
    if (this.#failure) this.#show(undefined);
  }

  async #run(
    threadId: string,
    signal: AbortSignal,
    reportLoaded: (hasLoaded: boolean) => void,
  ): Promise<void> {
    const { clock, online, store } = this.#context;
    const waiting = (this.#waiting = new Backoff(clock, signal));
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const error = await this.#attempt(threadId, signal);
      if (signal.aborted) return;
      if (error === undefined || !mayRetry(error)) {
        if (error !== undefined && httpStatus(error) === undefined) this.#diagnose(error);
        this.#settled = threadId;
        const lost = httpStatus(error) === 404 && (await import('./lost-thread.ts').catch(() => undefined));
        if (lost && (await lost.leaveLostThread(error, { ...this.#options, store, signal })))
          return this.#show('gone');
        this.#show(undefined);
        if (error === undefined) this.#options.loaded(attempt);
        return reportLoaded(error === undefined);
      }
      const failure = failureOf(error);
      const { kind } = failure;
      // a service without histories may reject the preflight; the messages shown are enough then
      const isQuiet = kind === 'network' && store.conversation.messages.length > 0;
      const isGivenUp = isQuiet && attempt + 1 >= quietAttempts;
      if (attempt === 0) this.#diagnose(error);
      if (!isQuiet) this.#show(kind === 'auth' ? 'auth-needed' : 'failed');
      reportLoaded(false);
      const backoff = attempt + 1 < attemptLimit ? backoffDelay(attempt + 1, clock.random()) : slowRetryMs;
      const delay = isGivenUp ? givenUpRetryMs : Math.max(askedDelay(failure), backoff);
      await waiting.pause(kind === 'auth' ? tokenRetryMs : delay);
      await waiting.online(online);
    }
  }

  /** Requests the history once. Resolves with the error, or with undefined when the history was merged. */
  async #attempt(threadId: string, signal: AbortSignal): Promise<unknown> {
    const { client, clock, store } = this.#context;
    try {
      const [stored, { mergeHistory, countNewCallbacks }] = await Promise.all([
        client().extensions.listMessages(threadId, { signal }),
        import('../conversation/merge-history.ts'),
      ]);
      const isReading = this.#options.isReading();
      if (signal.aborted) return undefined;
      const known = store.conversation;
      const merged = mergeHistory(known, stored, { at: clock.now(), isReading });
      store.change(() => merged);
      for (let news = countNewCallbacks(known, merged); news > 0; news -= 1) this.#options.arrived();
      return undefined;
    } catch (error) {
      return error ?? new Error('no reason given');
    }
  }

  /** Sets the failure that is shown. */
  #show(failure: HistoryFailure): void {
    this.#failure = failure;
    this.#context.store.announce();
  }

  #diagnose(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#context.diagnose({
      code: 'history-failed',
      message: `The messages of the thread could not be loaded: ${reason}`,
    });
  }
}

/** Whether the same request may succeed later. It cannot if the service has no such route or thread. */
function mayRetry(error: unknown): boolean {
  if (httpStatus(error) === 401) return true;
  return !isFinal(error) && !(error instanceof Error && error.name === 'ResponseShapeError');
}
