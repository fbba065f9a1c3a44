import type { Conversation } from '../conversation/conversation.ts';
import { asObject, listOf } from '../conversation/read-values.ts';

/**
 * Whether a 404 says that the thread of a conversation with messages does not exist any more, or is somebody else's. A
 * service that only lacks the route names no thread.
 * @source our service
 */
export function isThreadGone(error: unknown, { messages }: Conversation): boolean {
  const problems = listOf(asObject(error)['problem']).map(asObject);
  const namesThread = problems.some(
    ({ loc, type }) => type === 'not_found' && listOf(loc).includes('thread_id'),
  );
  return namesThread && messages.length > 0;
}
