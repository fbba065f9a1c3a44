import { createService } from '../create-service.ts';
import type { ServiceSettings } from '../settings.ts';

/** Milliseconds after which a stop that does not come to its end is cut short. */
const stopLimit = 10_000;

/** Runs a service until SIGTERM or SIGINT, then stops it in good order. `ready` hears its address. */
export async function runService(
  settings: ServiceSettings,
  ready?: (address: string) => void,
): Promise<void> {
  const service = await createService(settings);
  const address = await service.listen().catch(async (fault: unknown) => {
    await service.close();
    throw fault;
  });
  ready?.(address);
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      const limit = setTimeout(() => process.exit(1), stopLimit);
      limit.unref();
      service.close().then(resolve, reject);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}
