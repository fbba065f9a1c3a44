import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { checkKeySet } from '../auth/key-set.ts';
import { createService, type Service, type ServiceOptions } from '../create-service.ts';
import type { ServiceSettings } from '../settings.ts';
import { handleShutdownSignals, onOrphaned } from './shutdown-signals.ts';
import { installCrashHandler } from './crash-handler.ts';
import { misspelledSettings } from './misspelled-settings.ts';

/** Time limit for a graceful stop, after `DRAIN_TIMEOUT`. */
const stopTimeoutMs = 10_000;
/** How often the files of agents and keys are checked. Polling also sees files that a mount replaces. */
const watchIntervalMs = 2_000;
/** By how much the time that a file system notes for a change may lie behind the clock. */
const clockTickMs = 20;

/**
 * Runs a service until SIGTERM or SIGINT, then stops it gracefully. A second signal more than a second later
 * exits at once. SIGHUP, and a changed file, loads agents and keys again.
 * @param onReady receives the address
 * @throws Error when an uncaught error stopped the service
 */
export async function runService(
  settings: ServiceSettings,
  options: ServiceOptions,
  onReady?: (address: string) => void,
): Promise<void> {
  const service = await createService(settings, options);
  const { log } = service.app;
  for (const line of misspelledSettings(process.env)) log.warn(line);
  if (settings.jwksUrl !== undefined)
    void checkKeySet(settings.jwksUrl).then((fault) => {
      if (fault) log.warn(`${fault.message}; until it can be fetched, its tokens get 503`);
    });
  await new Promise<void>((resolve, reject) => {
    const stopping = new AbortController();
    const stop = (stopped: () => void): void => {
      stopping.abort();
      const limit = setTimeout(() => process.exit(1), settings.drainTimeout * 1000 + stopTimeoutMs);
      limit.unref();
      service.close().then(stopped, reject);
    };
    const reload = (): void => void service.reload();
    // before it listens: a supervisor may send signals as soon as the address answers
    const onSignal = handleShutdownSignals(process, {
      stop: () => stop(resolve),
      endNow: () => process.exit(1),
    });
    // In a terminal, SIGHUP means that it was closed.
    process.on('SIGHUP', process.stdout.isTTY ? onSignal : reload);
    onOrphaned(onSignal);
    installCrashHandler(log, (error) => stop(() => reject(error)));
    service.listen().then(
      (address) => {
        void reloadOnChange(service, stopping.signal);
        onReady?.(address);
      },
      (error: Error) => stop(() => reject(error)),
    );
  });
}

/** Loads agents and keys again when one of their files changes, until `signal` is aborted. */
async function reloadOnChange(service: Service, signal: AbortSignal): Promise<void> {
  const stamps = new Map<string, string>();
  let readAt = performance.timeOrigin;
  while (!signal.aborted) {
    const checkedAt = Date.now();
    let isChanged = false;
    for (const file of service.files) {
      const stats = await stat(file).catch(() => undefined);
      const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}` : '';
      const known = stamps.get(file);
      stamps.set(file, stamp);
      // a file that is new here may have changed since it was read
      isChanged ||= known === undefined ? (stats?.ctimeMs ?? 0) > readAt - clockTickMs : stamp !== known;
    }
    if (isChanged && !signal.aborted) {
      readAt = checkedAt;
      await service.reload();
    }
    await wait(watchIntervalMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
