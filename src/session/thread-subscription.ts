import { hasEnded, reduceRunEvent } from '../conversation/index.ts';
import { asObject } from '../conversation/read-values.ts';
import { failureOf, httpStatus, isFinal } from './run-failure.ts';
import type { SessionContext } from './session-context.ts';
import { backoffDelay, Backoff } from './backoff.ts';

/** Delay of the subscription while a run starts, in milliseconds, so that the run's first events come first. */
const runStartDelayMs = 500;
/** Delay after a 401 before the next attempt, in milliseconds. The end of a turn ends the delay. */
const tokenRetryMs = 300_000;

/** Callbacks of the thread's events. */
export interface ThreadListener {
  /** Called with `true` when a response begins; with `false` if it is no stream of thread events, such as a page. */
  opened(isService: boolean): void;
  /** Called when a message has arrived. */
  arrived(): void;
}

/**
 * Receives the thread's events where the service offers them, so that callback messages appear at once. Resumes after
 * the thread's last event id, which is independent of a run's. A service without thread events ends it silently.
 */
export class ThreadSubscription {
  readonly #context: SessionContext;
  readonly #listener: ThreadListener;
  #abort: AbortController | undefined;
  #waiting: Backoff | undefined;
  /** The delay for a run's first events, or for another token. */
  #opening: Backoff | undefined;
  #threadId: string | undefined;
  /** The thread for which the service refused the subscription. */
  #refused: string | undefined;
  #isOn = false;
  #isPaused = false;
  /** Whether the service rejected the token for this thread. */
  needsToken = false;

  constructor(context: SessionContext, listener: ThreadListener) {
    this.#context = context;
    this.#listener = listener;
  }

  start(): void {
    this.#isOn = true;
    this.threadChanged();
  }

  stop(): void {
    this.#isOn = false;
    this.#release();
  }

  /** Pauses the subscription; `false` returns to what `start` or `stop` last set. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#release();
    this.threadChanged();
  }

  /** Ends a delay before the next attempt. */
  wake(): void {
    this.#waiting?.wake();
  }

  /** Subscribes to the conversation's current thread, if it changed. */
  threadChanged(): void {
    const { threadId, runs } = this.#context.store.conversation;
    const run = runs.at(-1);
    const isBegun = run !== undefined && !hasEnded(run);
    if (!isBegun) this.#opening?.wake();
    if (!this.#isOn || this.#isPaused || (this.#abort && threadId === this.#threadId)) return;
    this.#release();
    if (threadId === undefined || threadId === this.#refused) return;
    this.#threadId = threadId;
    this.#abort = new AbortController();
    void this.#follow(threadId, this.#abort.signal, isBegun ? runStartDelayMs : 0);
  }

  /** Most services have no thread events, so a refusal is not an error. */
  #refuse(threadId: string): void {
    this.#refused = threadId;
    this.#release();
  }

  #release(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #follow(threadId: string, signal: AbortSignal, pause: number): Promise<void> {
    const { clock, client } = this.#context;
    const waiting = new Backoff(clock, signal);
    this.#waiting = waiting;
    let lastEventId: string | undefined;
    await this.#rest(waiting, pause);
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await waiting.pause(backoffDelay(Math.min(attempt, 6), clock.random()));
      if (signal.aborted) return;
      try {
        const onOpen = (): void => {
          attempt = 0;
          this.#listener.opened(true);
        };
        const onRefused = (status: number): void => {
          if (status === 404 && !signal.aborted) this.#refuse(threadId);
        };
        const options = { signal, onOpen, onRefused, lastEventId };
        for await (const event of client().extensions.threadEvents(threadId, options)) {
          if (signal.aborted) return;
          if (event.id !== '') lastEventId = event.id;
          const before = this.#context.store.conversation;
          const { created_on: created } = asObject(event.data['message']);
          const at = Date.parse(String(created)) || clock.now();
          this.#context.store.change((conversation) =>
            reduceRunEvent(conversation, event, { runKey: undefined, at }),
          );
          if (this.#context.store.conversation.messages.length > before.messages.length)
            this.#listener.arrived();
        }
      } catch (error) {
        if (signal.aborted) return; // another thread is followed by now, or none
        const isPage = failureOf(error).kind === 'format';
        if (isPage) this.#listener.opened(false);
        if (httpStatus(error) === 401) {
          this.needsToken = true;
          await this.#rest(waiting, tokenRetryMs);
          this.needsToken = false;
          attempt = -1; // no backoff: the pause above was long enough
        } else if (isPage || isFinal(error)) return this.#refuse(threadId);
      }
    }
  }

  async #rest(waiting: Backoff, pause: number): Promise<void> {
    this.#opening = waiting;
    await waiting.pause(pause);
    if (this.#opening === waiting) this.#opening = undefined;
  }
}
