import { activeBranch } from '../../protocol/active-branch.ts';
import type { StoredMessage } from '../../protocol/index.ts';

/**
 * Returns the messages that lead to a message, without it, oldest first: what its agent gets as the history.
 * @param thread messages of the thread, oldest first. May contain the message, and later ones.
 */
export function branchBefore(
  thread: readonly StoredMessage[],
  message: StoredMessage,
): readonly StoredMessage[] {
  const index = thread.findIndex(({ id }) => id === message.id);
  const earlier = index < 0 ? thread : thread.slice(0, index);
  return activeBranch([...earlier, message]).filter((one) => one !== message);
}
