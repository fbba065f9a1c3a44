import type { FastifyBaseLogger } from 'fastify';
import { RareTexts } from '../rare-texts.ts';
import { isOutage } from '../storage/database-error.ts';

/** Logs an error. @param what failed, in words */
export type LogError = (error: unknown, what: string, facts?: object) => void;

/**
 * Returns a function that logs errors. While the database cannot be used, everything fails for the same reason: each
 * `what` is then logged at most once a minute.
 */
export function createErrorLog(log: Pick<FastifyBaseLogger, 'error'>): LogError {
  const outages = new RareTexts(60_000);
  return (error, what, facts = {}) => {
    if (!isOutage(error) || outages.isDue(what)) log.error({ err: error, ...facts }, what);
  };
}
