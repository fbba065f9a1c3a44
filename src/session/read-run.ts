import type { StreamOptions } from '../client/agent-client.ts';
import { findRun, hasEnded } from '../conversation/index.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { SessionContext } from './session-context.ts';

/** Milliseconds without an event after which a stream counts as stalled. @source product, states */
const stallAfterMs = 15_000;

/** Milliseconds of silence after a terminal event that end a turn without `done`. @source wire, section 4 */
const silenceAfterEndMs = 2_000;

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
 * Reads one stream of events until it closes, falls silent after the run's end, or the signal aborts. Yields to the
 * page between events when reading takes long.
 * @throws what the client throws, unless the run has ended or the signal was aborted
 */
export async function readRun(
  { clock, store }: SessionContext,
  runKey: string,
  reading: {
    readonly open: (options: StreamOptions) => AsyncIterable<RunEvent>;
    readonly signal: AbortSignal;
    readonly listener: StreamListener;
  },
): Promise<void> {
  const { signal, listener } = reading;
  if (signal.aborted) return;
  const own = new AbortController();
  const relay = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', relay);
  const hasRunEnded = (): boolean => {
    const run = findRun(store.conversation, runKey);
    return run !== undefined && hasEnded(run);
  };
  let cancelTimer = (): void => undefined;
  const restartTimer = (): void => {
    cancelTimer();
    if (hasRunEnded()) cancelTimer = clock.after(silenceAfterEndMs, () => own.abort());
    else if (!findRun(store.conversation, runKey)?.needsReply)
      cancelTimer = clock.after(stallAfterMs, () => listener.stalled());
  };
  const onOpen: StreamOptions['onOpen'] = (opened) => {
    if (own.signal.aborted) return;
    listener.opened(opened?.runId);
    restartTimer();
  };
  let since = 0;
  let handledAt = 0;
  try {
    for await (const event of reading.open({ signal: own.signal, onOpen })) {
      if (own.signal.aborted) break;
      const now = clock.now();
      if (now - handledAt > yieldGapMs) since = now;
      listener.received(event);
      restartTimer();
      handledAt = clock.now();
      if (handledAt - since > yieldAfterMs) {
        await new Promise<void>((resolve) => clock.after(0, resolve));
        since = clock.now();
      }
    }
  } catch (error) {
    if (!own.signal.aborted && !hasRunEnded()) throw error;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', relay);
  }
}
