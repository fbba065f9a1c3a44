import { asObject, listOf } from '../conversation/read-values.ts';
import type { SessionContext } from './session-context.ts';

interface LostThread {
  readonly store: SessionContext['store'];
  readonly signal: AbortSignal;
  /** Whether the session reads a run. */
  isReading(): boolean;
  /** Leaves the thread. */
  gone(): void | Promise<void>;
}

/**
 * Leaves a thread that the service does not have any more, unless a run uses it. A thread of which nothing is kept here
 * is not left: the page has chosen it, or the visitor.
 * @param error a 404 of the request for its messages
 * @returns whether the thread is gone
 */
export async function leaveLostThread(
  error: unknown,
  { signal, store, isReading, gone }: LostThread,
): Promise<boolean> {
  if (!isMissing(error, 'thread_id') || isReading() || signal.aborted) return false;
  if (store.conversation.messages.length > 0) await gone();
  return true;
}

/**
 * Whether the service answered that it has nothing with the id in this field. A service that only lacks the route names
 * no field.
 * @source our service
 */
export function isMissing(error: unknown, field: string): boolean {
  const problems = listOf(asObject(error)['problem']).map(asObject);
  return problems.some(({ loc, type }) => type === 'not_found' && listOf(loc).includes(field));
}
