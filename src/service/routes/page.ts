import { lenientUuid } from '../../protocol/index.ts';
import { invalid } from '../problem.ts';

/** How a caller asks for a part of a list. */
export interface PageQuery {
  readonly limit?: string;
  readonly before?: string;
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
