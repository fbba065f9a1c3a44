import { lenientUuid } from '../../protocol/index.ts';
import { Problem } from '../errors/problem.ts';

/** Parses a thread id from a path or a query. @throws Problem 422 when it is not a UUID */
export function threadIdOf(value: unknown, location: 'path' | 'query' = 'path'): string {
  const result = lenientUuid.safeParse(value);
  if (result.success) return result.data.toLowerCase();
  const missing = value === undefined;
  const msg = missing ? 'is required' : (result.error.issues[0]?.message ?? 'must be a UUID');
  throw new Problem(422, { loc: [location, 'thread_id'], msg, type: missing ? 'missing' : 'value_error' });
}
