import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { lenientUuid } from '../../protocol/index.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid } from '../errors/problem.ts';
import type { ServiceContext } from '../service-context.ts';
import type { AdmitBytes } from '../storage/payload-size.ts';

/** How a caller asks for a part of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

/**
 * Reads a list. One from a mebibyte on is read in its turn, which lasts until its answer is on its way, and counts by its
 * size: each whole mebibyte as one more request. One visitor who asks for many at once would hold up everybody.
 * @throws Problem 429, and what `read` throws
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
 * Reads how many of a list's last are wanted, `most` when not said, and before which of them.
 * @param what one of the list, with its article: `a message`
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
