import type { EventEmitter } from 'node:events';

/**
 * Milliseconds within which a second signal is the first one passed on: npm hands its own down to a process that a
 * terminal or a supervisor has told already.
 */
const repeatWindowMs = 1_000;

/**
 * Hears SIGTERM and SIGINT. The first calls `stop`; another one later calls `endNow`: whoever asks again does not want
 * to wait.
 * @param now milliseconds, rising
 */
export function handleShutdownSignals(
  source: EventEmitter,
  { stop, endNow }: { readonly stop: () => void; readonly endNow: () => void },
  now: () => number = () => performance.now(),
): void {
  let first: number | undefined;
  const hear = (): void => {
    if (first === undefined) {
      first = now();
      stop();
    } else if (now() - first > repeatWindowMs) endNow();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) source.on(signal, hear);
}
