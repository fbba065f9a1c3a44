import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { lenientUuid } from '../../protocol/index.ts';
import { limitKeyOf, type Caller } from '../auth/caller.ts';
import { invalid } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import type { AdmitBytes } from '../storage/payload-size.ts';

/** Query parameters of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

/**
 * Reads a list. One of 1 MiB or more waits for a slot of the list limiter, held until the response is sent, and each
 * full mebibyte counts as one more request of the caller, so that no visitor can block the service.
 * @throws Problem 429, and the errors of `read`
 */
export async function readList<T>(
  { rate, listLimiter }: ServiceContext,
  caller: Caller,
  { raw }: FastifyReply,
  read: (admit: AdmitBytes) => Promise<T>,
): Promise<T> {
  const name = limitKeyOf(caller);
  let release = (): void => undefined;
  try {
    return await read(async (bytes) => {
      const more = Math.floor(bytes / 1_048_576);
      if (more === 0) return;
      rate.take(name, more);
      release = await listLimiter.acquire(name, bytes);
    });
  } finally {
    finished(raw, () => release());
  }
}

/**
 * Parses the query: `limit`, the number of newest entries (default and maximum: `most`), and `before`, the id before
 * which they end.
 * @param entryName an entry with its article: `a message`
 * @throws Problem 422
 */
export function parsePageQuery({ limit, before }: PageQuery, most: number, entryName: string) {
  const entries = parseLimit(limit, most);
  if (before !== undefined && !lenientUuid.safeParse(before).success) {
    throw invalid(['query', 'before'], `must be the id of ${entryName}`);
  }
  return { limit: entries, ...(before === undefined ? {} : { before }) };
}

/** Parses the query parameter `limit`. @throws Problem 422 */
export function parseLimit(limit: string | undefined, most: number, fallback = most): number {
  if (limit === undefined) return fallback;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw invalid(['query', 'limit'], 'must be an integer from 1 to 999999');
  return Math.min(Number(limit), most);
}
