import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { lenientUuid } from '../../protocol/index.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import type { AdmitBytes } from '../storage/payload-size.ts';

/** Query parameters of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

/**
 * Reads a list. A list of 1 MiB or more waits for its turn, and each whole mebibyte counts as one more
 * request, so one visitor cannot block the service.
 * @throws Problem 429, and the errors of `read`
 */
export async function readList<T>(
  { rate, listLimiter }: ServiceContext,
  { tenantId, author }: Caller,
  { raw }: FastifyReply,
  read: (admit: AdmitBytes) => Promise<T>,
): Promise<T> {
  const name = `${tenantId}\n${author}`;
  let leave = (): void => undefined;
  try {
    return await read(async (bytes) => {
      const more = Math.floor(bytes / 1_048_576);
      if (more === 0) return;
      rate.take(name, more);
      leave = await listLimiter.acquire(name, bytes);
    });
  } finally {
    finished(raw, () => leave());
  }
}

/**
 * Parses the query: how many of the newest entries to return (default and limit: `most`), and before which
 * one.
 * @param what an entry, with its article: `a message`
 * @throws Problem 422
 */
export function pageOf({ limit, before }: PageQuery, most: number, what: string) {
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
    throw invalid(['query', 'limit'], 'must be a whole number from 1');
  if (before !== undefined && !lenientUuid.safeParse(before).success) {
    throw invalid(['query', 'before'], `must be the id of ${what}`);
  }
  return { limit: Math.min(Number(limit ?? most), most), ...(before === undefined ? {} : { before }) };
}
