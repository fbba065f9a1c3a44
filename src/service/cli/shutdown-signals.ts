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
  const onSignal = (): void => {
    if (first === undefined) {
      first = now();
      stop();
    } else if (now() - first > repeatWindowMs) endNow();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) source.on(signal, onSignal);
  return onSignal;
}

const checkIntervalMs = 1_000;

/**
 * Calls `stop` once the process that started this one through npm is gone. `npx` and `npm run` start a shell in
 * between, which ends on a signal without passing it on; the service would live on unattended.
 */
export function onOrphaned(stop: () => void): void {
  if (process.env['npm_command'] === undefined && process.env['npm_lifecycle_event'] === undefined) return;
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(timer);
    stop();
  }, checkIntervalMs);
  timer.unref();
}
