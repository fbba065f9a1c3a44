import type { StoredMessage } from '../../protocol/index.ts';

/**
 * The messages that led to one, oldest first: from it back along `parent_message_id`. A message without a parent, or
 * with one that is not in the thread, follows the one before it. Turns that were edited or regenerated hang on another
 * branch and are left out. A visitor's message whose parent is a visitor's message takes that one's place: so the first
 * turn of a thread, which follows nothing, can be edited too.
 * @param thread every message up to and perhaps including `message`, oldest first
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
