import { hasEnded } from '../conversation/index.ts';
import { foldRunEvent } from '../conversation/fold-run-event.ts';
import { reducersFor } from './load-reducers.ts';
import { httpStatus } from './run-failure.ts';
import type { TurnHost } from './session-context.ts';
import { delayBefore, Waiting } from './backoff.ts';

/** How long a thread whose run has just begun waits to be followed, in milliseconds: the run's first words go before. */
const firstWordsFirst = 500;
/** How long a thread that the token did not open is left alone, in milliseconds; or until the next turn is over. */
const tokenPause = 300_000;

/**
 * Follows the thread's own events where the service has them, so that a callback message appears at once. Keeps its
 * own place in them: it has nothing to do with the place in a run. A service without them ends it in silence.
 */
export class ThreadFollower {
  readonly #host: TurnHost;
  readonly #told: { readonly opened: () => void; readonly arrived: () => void };
  #abort: AbortController | undefined;
  #waiting: Waiting | undefined;
  /** The wait for the first words of a run, or for a better token; the end of a run ends it too. */
  #opening: Waiting | undefined;
  #threadId: string | undefined;
  /** The thread that the service would not let be followed: not asked for again. */
  #refused: string | undefined;
  #isOn = false;
  /** The token did not open the thread: another one is waited for. */
  needsToken = false;

  constructor(host: TurnHost, told: { readonly opened: () => void; readonly arrived: () => void }) {
    this.#host = host;
    this.#told = told;
  }

  start(): void {
    this.#isOn = true;
    this.threadChanged();
  }

  stop(): void {
    this.#isOn = false;
    this.#release();
  }

  /** Tries again at once, if it waits. */
  wake(): void {
    this.#waiting?.wake();
  }

  /** Turns to the thread the conversation is in now. Cheap when it is the same. */
  threadChanged(): void {
    const { threadId, runs } = this.#host.store.conversation;
    const run = runs.at(-1);
    const isBegun = run !== undefined && !hasEnded(run);
    if (!isBegun) this.#opening?.wake();
    if (!this.#isOn || (this.#abort && threadId === this.#threadId)) return;
    this.#release();
    if (threadId === undefined || threadId === this.#refused) return;
    this.#threadId = threadId;
    this.#abort = new AbortController();
    void this.#follow(threadId, this.#abort.signal, isBegun ? firstWordsFirst : 0);
  }

  /** Many a service has no such events: most often the answer is no, and no error needs to be made of it. */
  #refuse(threadId: string): void {
    this.#refused = threadId;
    this.#release();
  }

  #release(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #follow(threadId: string, signal: AbortSignal, pause: number): Promise<void> {
    const { clock, client } = this.#host;
    const waiting = new Waiting(clock, signal);
    this.#waiting = waiting;
    let lastEventId: string | undefined;
    await this.#rest(waiting, pause);
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await waiting.pause(delayBefore(Math.min(attempt, 6), clock.random()));
      if (signal.aborted) return;
      try {
        const place = lastEventId === undefined ? {} : { lastEventId };
        const onOpen = (): void => {
          attempt = 0;
          this.#told.opened();
        };
        const onRefused = (status: number): void => {
          if (status === 404 && !signal.aborted) this.#refuse(threadId);
        };
        const options = { signal, onOpen, onRefused, ...place };
        for await (const event of client().extensions.threadEvents(threadId, options)) {
          const parts = await reducersFor(event);
          if (signal.aborted) return;
          if (event.id !== '') lastEventId = event.id;
          const before = this.#host.store.conversation;
          this.#host.store.change((conversation) =>
            foldRunEvent(conversation, event, { runKey: undefined, at: clock.now() }, parts),
          );
          if (this.#host.store.conversation.messages.length > before.messages.length) this.#told.arrived();
        }
      } catch (error) {
        if (signal.aborted) return; // another thread is followed by now, or none
        const status = httpStatus(error);
        if (status === 401) {
          this.needsToken = true;
          await this.#rest(waiting, tokenPause);
          this.needsToken = false;
          attempt = -1; // it has waited
        } else if (status !== undefined && status < 500 && status !== 408 && status !== 429) {
          return this.#refuse(threadId);
        }
      }
    }
  }

  async #rest(waiting: Waiting, pause: number): Promise<void> {
    this.#opening = waiting;
    await waiting.pause(pause);
    if (this.#opening === waiting) this.#opening = undefined;
  }
}
