import { createService, type ServiceOptions } from '../create-service.ts';
import type { ServiceSettings } from '../settings.ts';
import { handleShutdownSignals } from './shutdown-signals.ts';
import { installCrashHandler } from './crash-handler.ts';

/** Time limit for a graceful stop, after `DRAIN_TIMEOUT`. */
const stopTimeoutMs = 10_000;

/**
 * Runs a service until SIGTERM or SIGINT, then stops it gracefully. A second signal more than a second later
 * exits at once.
 * @param onReady receives the address
 * @throws Error when an uncaught error stopped the service
 */
export async function runService(
  settings: ServiceSettings,
  options: ServiceOptions,
  onReady?: (address: string) => void,
): Promise<void> {
  const service = await createService(settings, options);
  const address = await service.listen().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  onReady?.(address);
  await new Promise<void>((resolve, reject) => {
    const stop = (stopped: () => void): void => {
      const limit = setTimeout(() => process.exit(1), settings.drainTimeout * 1000 + stopTimeoutMs);
      limit.unref();
      service.close().then(stopped, reject);
    };
    handleShutdownSignals(process, { stop: () => stop(resolve), endNow: () => process.exit(1) });
    installCrashHandler(service.app.log, (error) => stop(() => reject(error)));
  });
}
