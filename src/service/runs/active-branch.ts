import type { StoredMessage } from '../../protocol/index.ts';

/**
 * Returns the messages that lead to a message, oldest first, by following `parent_message_id`. A message
 * without a known parent follows the one before it. Edited and regenerated turns are on other branches and
 * are left out. A visitor's message whose parent is a visitor's message replaces that one, so the first turn
 * of a thread can be edited too.
 * @param thread all messages up to and perhaps including `message`, oldest first
 */
export function activeBranch(
  thread: readonly StoredMessage[],
  message: StoredMessage,
): readonly StoredMessage[] {
  const places = new Map(thread.map((one, place) => [one.id, place]));
  const before = (one: StoredMessage, place: number): number => {
    const parent =
      one.parent_message_id == null ? undefined : places.get(one.parent_message_id.toLowerCase());
    if (parent === undefined || parent >= place) return place - 1;
    const replaced = thread[parent];
    return one.role === 'user' && replaced?.role === 'user' ? before(replaced, parent) : parent;
  };
  const branch: StoredMessage[] = [];
  let place = before(message, places.get(message.id) ?? thread.length);
  for (let one = thread[place]; one; one = thread[place]) {
    branch.push(one);
    place = before(one, place);
  }
  return branch.reverse();
}
