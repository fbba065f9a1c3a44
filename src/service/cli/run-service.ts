import { statSync, unwatchFile, watchFile } from 'node:fs';
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
    let stopWatching = (): void => undefined;
    const stop = (stopped: () => void): void => {
      stopWatching();
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
        stopWatching = reloadOnChange(service);
        onReady?.(address);
      },
      (error: Error) => stop(() => reject(error)),
    );
  });
}

/** Loads agents and keys again when one of their files changes. Returns a function that stops it. */
function reloadOnChange(service: Service): () => void {
  const watched = new Set<string>();
  const reload = (): void => {
    const since = Date.now();
    void service.reload().then(() => watchFiles(since));
  };
  /** @param since when reading the files began: one may have changed before it is watched */
  const watchFiles = (since: number): void => {
    const added = [...service.files].filter((file) => !watched.has(file));
    for (const file of added) {
      watchFile(file, { interval: watchIntervalMs, persistent: false }, reload);
      watched.add(file);
    }
    if (added.some((file) => changedAt(file) >= since)) reload();
  };
  watchFiles(performance.timeOrigin);
  return () => watched.forEach((file) => unwatchFile(file, reload));
}

/** When a file was changed; 0 if that cannot be found out: who reads it reports that. */
function changedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
