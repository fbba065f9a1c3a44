import type { StreamOptions } from '../client/agent-client.ts';
import { findRun, hasEnded } from '../conversation/index.ts';
import type { Run } from '../conversation/index.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { SessionClock } from './clock.ts';
import type { SessionContext } from './session-context.ts';

/** Milliseconds without an event after which a stream counts as stalled. @source product, states */
export const stallAfterMs = 15_000;

/** Milliseconds of silence after a terminal event that end a turn without `done`. @source wire, section 4 */
export const silenceAfterEndMs = 2_000;

/** Milliseconds of continuous work after which the loop yields to the page. */
const yieldAfterMs = 100;
/** A gap between two events, in milliseconds, in which the page could run. */
const yieldGapMs = 3;

/** Callbacks of a stream that is being read. */
export interface StreamListener {
  /** The response headers arrived; perhaps with the run's id. */
  opened(runId: string | undefined): void;
  /** Applies an event to the conversation. */
  received(event: RunEvent): void;
  /** No event came for 15 s. */
  stalled(): void;
}

/**
 * Reads one stream of events until it closes, falls silent after the run's end, or the signal aborts. Yields to the page
 * between events when reading takes long.
 * @throws what the client throws, unless the run has ended or the signal was aborted
 */
export async function readRun(
  context: SessionContext,
  runKey: string,
  reading: {
    readonly open: (options: StreamOptions) => AsyncIterable<RunEvent>;
    readonly signal: AbortSignal;
    readonly listener: StreamListener;
  },
): Promise<void> {
  const { signal, listener } = reading;
  const own = new AbortController();
  let wake = (): void => undefined;
  own.signal.addEventListener('abort', () => wake());
  const relay = (): void => own.abort(signal.reason);
  if (signal.aborted) return;
  signal.addEventListener('abort', relay);
  const watch = new StallWatch(context.clock, () => listener.stalled());
  let cancelEnd = (): void => undefined;
  const iterator = reading
    .open({
      signal: own.signal,
      onOpen: (opened) => {
        if (own.signal.aborted) return;
        listener.opened(opened?.runId);
        watch.heard();
      },
    })
    [Symbol.asyncIterator]();
  // not `Promise.race`: with a long-lived promise, it would keep every event in memory until the stream ends
  const next = (): Promise<IteratorResult<RunEvent> | 'aborted'> =>
    new Promise((resolve, reject) => {
      wake = () => resolve('aborted');
      iterator.next().then(resolve, reject);
    });
  let since = 0;
  let handledAt = 0;
  try {
    for (let step = await next(); step !== 'aborted' && step.done !== true; step = await next()) {
      if (own.signal.aborted) break;
      const event = step.value;
      const now = context.clock.now();
      if (now - handledAt > yieldGapMs) since = now;
      listener.received(event);
      const run = currentRun(context, runKey);
      if (run && hasEnded(run)) {
        watch.stop();
        cancelEnd();
        cancelEnd = context.clock.after(silenceAfterEndMs, () => own.abort());
      } else if (run?.needsReply === true) {
        watch.stop();
      } else {
        watch.heard();
      }
      handledAt = context.clock.now();
      if (handledAt - since > yieldAfterMs) {
        await new Promise<void>((resolve) => context.clock.after(0, resolve));
        since = context.clock.now();
      }
    }
  } catch (error) {
    const run = currentRun(context, runKey);
    if (!own.signal.aborted && !(run && hasEnded(run))) throw error;
  } finally {
    watch.stop();
    cancelEnd();
    signal.removeEventListener('abort', relay);
    if (!own.signal.aborted) own.abort();
    closeQuietly(iterator);
  }
}

/** Tells when no event has come for 15 s. One timer serves many events: it restarts if one came meanwhile. */
class StallWatch {
  readonly #clock: SessionClock;
  readonly #onStall: () => void;
  #heardAt = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: SessionClock, onStall: () => void) {
    this.#clock = clock;
    this.#onStall = onStall;
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
    if (!this.#cancel) this.#wait(stallAfterMs);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      const now = this.#clock.now();
      this.#heardAt = Math.min(this.#heardAt, now); // the clock may have been set back
      const leftMs = this.#heardAt + stallAfterMs - now;
      if (leftMs > 0) return this.#wait(leftMs);
      this.#cancel = undefined;
      this.#onStall();
    });
  }
}

function currentRun(context: SessionContext, runKey: string): Run | undefined {
  return findRun(context.store.conversation, runKey);
}

/** Closes the iterator without waiting: a generator that waits for bytes closes only after its abort. */
function closeQuietly(iterator: AsyncIterator<RunEvent>): void {
  iterator.return?.().then(undefined, () => undefined);
}
