import { lenientUuid } from '../../protocol/index.ts';
import type { Caller } from '../auth/caller.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { invalid } from '../problem.ts';
import type { AdmitBytes } from '../storage/body-size.ts';

/** How a caller asks for a part of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
}

/**
 * Counts a list by its size: each whole mebibyte of it as one more request. One visitor who asks for many large ones at once
 * would hold up everybody and fill the memory.
 */
export function listAdmission(rate: RateLimit, { tenantId, author }: Caller): AdmitBytes {
  return (bytes) => {
    const more = Math.floor(bytes / 1_048_576);
    if (more > 0) rate.take(`${tenantId}\n${author}`, more);
  };
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
