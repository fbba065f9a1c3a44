import type { FastifyBaseLogger } from 'fastify';
import { LogThrottle } from '../log-throttle.ts';
import { isOutage } from '../storage/database-error.ts';

/** Logs an error. @param what failed, in words */
export type LogError = (error: unknown, what: string, facts?: object) => void;

/**
 * Returns a function that logs errors. While the database cannot be used, everything fails for the same reason: each
 * `what` is then logged at most once a minute.
 */
export function createErrorLog(log: Pick<FastifyBaseLogger, 'error'>): LogError {
  const outages = new LogThrottle();
  return (error, what, facts = {}) => {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    if (!causes.some(isOutage) || outages.admits(what)) log.error({ err: error, ...facts }, what);
  };
}
