import type { StreamOptions } from '../client/agent-client.ts';
import { findRun, hasEnded, type Run } from '../conversation/index.ts';
import type { RunEvent } from '../protocol/index.ts';
import type { SessionContext } from './session-context.ts';

/** Milliseconds without headers or an event after which a stream counts as stalled. @source product, states */
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
  /** Neither headers nor an event came for 15 s. */
  stalled(): void;
}

/**
 * Reads one stream of events until it closes, falls silent after the run's end, or `abort` is aborted. Yields to the
 * page between events when reading takes long.
 * @throws what the client throws, unless the run has ended or `abort` was aborted
 */
export async function readRun(
  { clock, store }: SessionContext,
  runKey: string,
  reading: {
    readonly open: (options: StreamOptions) => AsyncIterable<RunEvent>;
    /** Ends the reading; also aborted here, when nothing follows the run's end. */
    readonly abort: AbortController;
    readonly listener: StreamListener;
  },
): Promise<void> {
  const { abort, listener } = reading;
  const { signal } = abort;
  if (signal.aborted) return;
  const findOwn = (): Run | undefined => findRun(store.conversation, runKey);
  const hasRunEnded = (run = findOwn()): boolean => run !== undefined && hasEnded(run);
  let cancelTimer = (): void => undefined;
  const restartTimer = (): void => {
    cancelTimer();
    if (hasRunEnded()) cancelTimer = clock.after(silenceAfterEndMs, () => abort.abort());
    else if (!findOwn()?.needsReply) cancelTimer = clock.after(stallAfterMs, () => listener.stalled());
  };
  const onOpen: StreamOptions['onOpen'] = (opened) => {
    if (signal.aborted) return;
    listener.opened(opened?.runId);
    restartTimer();
  };
  let since = 0;
  let handledAt = 0;
  restartTimer();
  try {
    for await (const event of reading.open({ signal, onOpen })) {
      if (signal.aborted) break;
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
    if (!signal.aborted && !hasRunEnded()) throw error;
  } finally {
    cancelTimer();
  }
}
