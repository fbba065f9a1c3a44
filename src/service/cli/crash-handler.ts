import type { FastifyBaseLogger } from 'fastify';
import { moduleOfError } from '../agents/module-scope.ts';

/**
 * Hears of faults that nothing caught. One that an agent's module left behind is logged, and the service goes on: it
 * touched nothing but its own run. After any other the state of the service is unknown, so `stop` is called to end it in
 * good order; whoever watches the process starts it again.
 */
export function installCrashHandler(log: FastifyBaseLogger, stop: (error: Error) => void): void {
  const hear = (error: unknown): void => {
    const err = error instanceof Error ? error : new Error(String(error));
    const scope = moduleOfError(error);
    if (scope) {
      log.error(
        { err, module: scope.module, run_id: scope.runId },
        'an agent module left a fault uncaught; the service goes on. In the module, await every promise or give it a catch, and catch what timers and listeners throw',
      );
      return;
    }
    log.fatal({ err }, 'a fault was left uncaught; the service ends its runs and stops, to be started again');
    stop(err);
  };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
}
