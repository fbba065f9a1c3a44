import type { EventEmitter } from 'node:events';

/**
 * A second signal within this time counts as a repetition of the first: npm forwards signals that the process has
 * already received from the terminal or a supervisor.
 */
const repeatWindowMs = 1_000;

/**
 * Handles SIGTERM and SIGINT. The first signal calls `stop`; a later one calls `endNow`. Returns the handler.
 * @param now a monotonic clock, in ms
 */
export function handleShutdownSignals(
  source: EventEmitter,
  { stop, endNow }: { readonly stop: () => void; readonly endNow: () => void },
  now: () => number = () => performance.now(),
): () => void {
  let first: number | undefined;
  const hear = (): void => {
    if (first === undefined) {
      first = now();
      stop();
    } else if (now() - first > repeatWindowMs) endNow();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) source.on(signal, hear);
  return hear;
}
