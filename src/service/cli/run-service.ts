import { createService, type ServiceOptions } from '../create-service.ts';
import type { ServiceSettings } from '../settings.ts';
import { handleShutdownSignals } from './shutdown-signals.ts';
import { installCrashHandler } from './crash-handler.ts';

/** Milliseconds after which a stop that does not come to its end is cut short. */
const stopTimeoutMs = 10_000;

/**
 * Runs a service until SIGTERM or SIGINT, then stops it in good order; a second signal a second later cuts that short.
 * `ready` hears its address.
 * @throws Error when it stopped because of a fault of its own that nothing caught.
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
      const limit = setTimeout(() => process.exit(1), stopTimeoutMs);
      limit.unref();
      service.close().then(stopped, reject);
    };
    handleShutdownSignals(process, { stop: () => stop(resolve), endNow: () => process.exit(1) });
    installCrashHandler(service.app.log, (error) => stop(() => reject(error)));
  });
}
