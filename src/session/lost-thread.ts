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
 * Leaves a thread that the service does not have any more, unless nothing of it is kept here or a run uses it.
 * @param error a 404 of the request for its messages
 * @returns whether the thread was left
 */
export async function leaveLostThread(
  error: unknown,
  { signal, store, isReading, gone }: LostThread,
): Promise<boolean> {
  const isKept = store.conversation.messages.length > 0 && !isReading();
  if (!namesThread(error) || !isKept || signal.aborted) return false;
  await gone();
  return true;
}

/**
 * Whether a 404 says that the thread does not exist, or is somebody else's. A service that only lacks the route names
 * no thread.
 * @source our service
 */
function namesThread(error: unknown): boolean {
  return listOf(asObject(error)['problem'])
    .map(asObject)
    .some(({ loc, type }) => type === 'not_found' && listOf(loc).includes('thread_id'));
}
