const checkIntervalMs = 1_000;

/**
 * Calls `stop` once the process that started this one through npm is gone. `npx` and `npm run` start a shell in between,
 * which ends on a signal without passing it on; the service would live on unattended.
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
