import { toolApproval, type StoredMessage } from '../../protocol/index.ts';

/**
 * Returns the messages that lead to a message, oldest first. Turns that an edit or a regeneration replaced are left
 * out, even if their answers were stored later.
 *
 * A visitor's message with a known `parent_message_id` follows that message. Every other message follows the one
 * before it, so turns that ran at the same time are all included. If the parent is a visitor's message too, the new
 * message replaces it; this way, the first turn of a thread can be edited.
 * Answers to decisions and forms name the message that asked, which may be turns ago. They replace nothing but an
 * earlier answer to the same form.
 * @param thread all messages up to and perhaps including `message`, oldest first
 */
export function activeBranch(
  thread: readonly StoredMessage[],
  message: StoredMessage,
): readonly StoredMessage[] {
  const places = new Map(thread.map((one, place) => [one.id, place]));
  const parentOf = ({ parent_message_id: parent }: StoredMessage): number | undefined =>
    parent == null ? undefined : places.get(parent.toLowerCase());
  const before = (one: StoredMessage, place: number): number => {
    const parent = one.role === 'user' && !decides(one) ? parentOf(one) : undefined;
    if (parent === undefined || parent >= place) return place - 1;
    const form = formAnsweredIn(one);
    const isAnswer = (other: StoredMessage, at: number): boolean =>
      at < place && other.role === 'user' && parentOf(other) === parent && formAnsweredIn(other) === form;
    const replaced = form === undefined ? parent : thread.findLastIndex(isAnswer);
    const old = thread[replaced];
    if (old?.role === 'user') return before(old, replaced);
    return form === undefined ? parent : place - 1;
  };
  const branch = new Set<StoredMessage>();
  let place = before(message, places.get(message.id) ?? thread.length);
  for (let one = thread[place]; one; one = thread[place]) {
    branch.add(one);
    place = before(one, place);
  }
  const isAnswered = (one: StoredMessage): boolean => {
    const prompt = one.role === 'user' ? undefined : thread[parentOf(one) ?? -1];
    return prompt?.role !== 'user' || branch.has(prompt);
  };
  return [...branch].reverse().filter(isAnswered);
}

function decides({ content }: StoredMessage): boolean {
  return Array.isArray(content) && content.some(({ sub_type: kind }) => kind === toolApproval);
}

/** The id of the form that a message submits or cancels; undefined for any other message. */
function formAnsweredIn({ content }: StoredMessage): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const operation = content.find(({ response_type: type }) => type === 'form_operation');
  return operation && String(operation['id'] ?? '');
}
