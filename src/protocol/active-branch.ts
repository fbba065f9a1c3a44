import { isObject } from './json.ts';
import { toolApproval } from './tool-approval.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the messages that lead to the last one, and that one, oldest first. Turns that an edit or a regeneration
 * replaced are left out, even if their answers were stored later. Client and service both use it, so a visitor sees
 * the history that the agent gets.
 *
 * A visitor's message with a known `parent_message_id` follows that message. Every other message follows the one
 * before it, so turns that ran at the same time are all included. If the parent is a visitor's message too, the new
 * message replaces it; this way, the first turn of a thread can be edited.
 * Answers to decisions and forms name the message that asked, which may be several turns back. They replace nothing
 * but an earlier answer to the same form.
 * @param thread stored messages, oldest first; need not match the schema
 * @assumed a message without a parent follows the one before it, as in our service
 */
export function activeBranch<Message extends Fields>(thread: readonly Message[]): readonly Message[] {
  const indexById = new Map(thread.map(({ id }, index) => [idOf(id), index]));
  const parentOf = ({ parent_message_id: value }: Fields): number | undefined => {
    const parent = idOf(value);
    return parent === undefined ? undefined : indexById.get(parent);
  };
  const indexBefore = (message: Fields, index: number): number => {
    const parent = isFromVisitor(message) && !isDecision(message) ? parentOf(message) : undefined;
    if (parent === undefined || parent >= index) return index - 1;
    const form = formAnsweredIn(message);
    const isEarlierAnswer = (other: Fields, at: number): boolean =>
      at < index && isFromVisitor(other) && parentOf(other) === parent && formAnsweredIn(other) === form;
    const replaced = form === undefined ? parent : thread.findLastIndex(isEarlierAnswer);
    const old = thread[replaced];
    if (old && isFromVisitor(old)) return indexBefore(old, replaced);
    return form === undefined ? parent : index - 1;
  };
  const branch = new Set<Fields>();
  let index = thread.length - 1;
  for (let message = thread[index]; message; message = thread[index]) {
    branch.add(message);
    index = indexBefore(message, index);
  }
  const answersReplaced = (message: Fields): boolean => {
    const prompt = isFromVisitor(message) ? undefined : thread[parentOf(message) ?? -1];
    return prompt !== undefined && isFromVisitor(prompt) && !branch.has(prompt);
  };
  return thread.filter((message) => branch.has(message) && !answersReplaced(message));
}

/** UUIDs are the same in upper and lower case. */
function idOf(value: unknown): string | undefined {
  const isId = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isId ? String(value).toLowerCase() : undefined;
}

function isFromVisitor({ role }: Fields): boolean {
  return role === 'user';
}

function isDecision(message: Fields): boolean {
  return itemsOf(message).some(({ sub_type: kind }) => kind === toolApproval);
}

/** The id of the form that a message submits or cancels; undefined for any other message. */
function formAnsweredIn(message: Fields): string | undefined {
  const operation = itemsOf(message).find(({ response_type: type }) => type === 'form_operation');
  return operation && String(operation['id'] ?? '');
}

function itemsOf({ content }: Fields): readonly Fields[] {
  return (Array.isArray(content) ? content : [content]).filter(isObject);
}
