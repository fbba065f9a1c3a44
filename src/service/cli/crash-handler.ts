import type { FastifyBaseLogger } from 'fastify';
import { moduleOfError } from '../agents/module-scope.ts';
import { markModuleError } from '../errors/module-errors.ts';

/**
 * Handles uncaught errors. An error of an agent module is logged, and the service continues: the module
 * affects only its own run. After any other error, the state of the service is unknown, so `stop` ends it
 * gracefully and a supervisor can restart it.
 */
export function installCrashHandler(log: FastifyBaseLogger, stop: (error: Error) => void): void {
  const onUncaught = (error: unknown): void => {
    const err = error instanceof Error ? error : new Error(String(error));
    const scope = moduleOfError(error);
    if (scope) {
      markModuleError(err);
      log.error(
        { err, module: scope.module, run_id: scope.runId },
        'uncaught error in an agent module; the service continues. In the module, await every promise or add a catch, and catch errors in timers and listeners',
      );
      return;
    }
    log.fatal({ err }, 'uncaught error; the service ends its runs and stops');
    stop(err);
  };
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
}
