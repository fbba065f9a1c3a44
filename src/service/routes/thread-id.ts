import { lenientUuid } from '../../protocol/index.ts';
import { invalid } from '../errors/problem.ts';

/** Parses a thread id from a path or a query. @throws Problem 422 when it is not a UUID */
export function threadIdOf(value: unknown, location: 'path' | 'query' = 'path'): string {
  const result = lenientUuid.safeParse(value);
  if (result.success) return result.data.toLowerCase();
  const missing = value === undefined;
  const msg = missing ? 'is required' : (result.error.issues[0]?.message ?? 'must be a UUID');
  throw invalid([location, 'thread_id'], msg, missing ? 'missing' : 'value_error');
}
