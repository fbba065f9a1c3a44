import { blankMessage, blankRun } from './blank.ts';
import type { Conversation, ConversationMessage, Run } from './conversation.ts';
import { fieldsOf, isFields, nameOf } from './reading.ts';
import type { Fields } from './reading.ts';
import { readMessageSteps } from './steps.ts';
import { readWireMessage } from './wire-message.ts';

/**
 * Puts a thread's stored messages under what is known of it here. A message that is known stays the very object it is;
 * what the service does not have yet stays at the end; turns that were edited away stay out of sight.
 * @param stored oldest first
 * @param at milliseconds since the epoch, for messages that do not say when they were made
 */
export function mergeHistory(
  conversation: Conversation,
  stored: readonly unknown[],
  at: number,
): Conversation {
  const entries = stored.filter(isFields);
  const known = new Set<ConversationMessage>();
  const branch = activeBranch(entries);
  const promptOfRun = new Map<string, ConversationMessage>();
  const messages: ConversationMessage[] = [];
  for (const [place, entry] of entries.entries()) {
    const read = readStored(entry, { at, superseded: !branch.has(place) });
    const own = conversation.messages.find((message) => !known.has(message) && isSame(message, read));
    const runId = nameOf(entry['run_id']);
    const prompt = runId === undefined ? undefined : promptOfRun.get(runId);
    if (own) known.add(own);
    const message = own ?? { ...read, runKey: read.role === 'user' ? read.id : prompt?.id };
    if (message.role === 'user' && runId !== undefined && !prompt) promptOfRun.set(runId, message);
    messages.push(own && own.messageId === undefined ? { ...own, messageId: read.messageId } : message);
  }
  const others = conversation.messages.filter((message) => !known.has(message));
  const answers = new Map<string | undefined, ConversationMessage>();
  for (const message of messages) if (message.id !== message.runKey) answers.set(message.runKey, message);
  const lastPrompt = messages.findLast((message) => message.role === 'user');
  const runs = [...promptOfRun].flatMap(([runId, prompt]) =>
    storedRun(conversation, { runId, prompt, answer: answers.get(prompt.id), isLast: prompt === lastPrompt }),
  );
  if (
    runs.length === 0 &&
    messages.length === known.size &&
    messages.every((message, place) => message === conversation.messages[place])
  ) {
    return conversation;
  }
  const order = new Map(messages.map((message, place) => [message.id, place]));
  const all = [...conversation.runs, ...runs].sort((left, right) => place(order, left) - place(order, right));
  return { ...conversation, messages: [...messages, ...others], runs: all };
}

function readStored(
  entry: Fields,
  options: { readonly at: number; readonly superseded: boolean },
): ConversationMessage {
  const wire = readWireMessage(entry, readMessageSteps);
  const isOwn = wire.role === 'user';
  const created = Date.parse(nameOf(entry['created_on']) ?? '');
  return {
    ...blankMessage({
      id: (isOwn ? wire.clientMessageId : undefined) ?? wire.messageId ?? '',
      role: wire.role,
      status: isOwn ? 'sent' : 'complete',
      runKey: undefined,
      createdAt: Number.isNaN(created) ? options.at : created,
    }),
    ...wire,
    superseded: options.superseded,
  };
}

/** A run of the past, of which only its messages are left; the last, without an answer, may still be going on. */
function storedRun(
  conversation: Conversation,
  {
    runId,
    prompt,
    answer,
    isLast,
  }: {
    readonly runId: string;
    readonly prompt: ConversationMessage;
    /** The last one. */
    readonly answer: ConversationMessage | undefined;
    readonly isLast: boolean;
  },
): readonly Run[] {
  if (conversation.runs.some((run) => run.id === prompt.id || run.runId === runId)) return [];
  const isOpen = isLast && !answer;
  return [
    {
      ...blankRun({ id: prompt.id, promptId: prompt.id, startedAt: prompt.createdAt }),
      runId,
      status: isOpen ? 'interrupted' : 'completed',
      endedAt: answer?.createdAt ?? prompt.createdAt,
      done: !isOpen,
    },
  ];
}

function isSame(message: ConversationMessage, read: ConversationMessage): boolean {
  if (message.messageId !== undefined) return message.messageId === read.messageId;
  return read.clientMessageId !== undefined && message.clientMessageId === read.clientMessageId;
}

/** Where a run's prompt stands; runs of messages that are not stored come last. */
function place(order: ReadonlyMap<string, number>, run: Run): number {
  return order.get(run.promptId) ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Places of the messages that led to the last one, back along `parent_message_id`. A visitor's message whose parent is
 * a visitor's message took that one's place.
 * @assumed a message without a parent follows the one before it, as in our service
 */
function activeBranch(entries: readonly Fields[]): ReadonlySet<number> {
  const places = new Map(entries.map((entry, index) => [nameOf(entry['id']), index]));
  const isVisitors = (index: number): boolean => fieldsOf(entries[index])['role'] === 'user';
  const before = (index: number): number => {
    const parent = nameOf(fieldsOf(entries[index])['parent_message_id']);
    const found = parent === undefined ? undefined : places.get(parent);
    if (found === undefined || found >= index) return index - 1;
    return isVisitors(index) && isVisitors(found) ? before(found) : found;
  };
  const branch = new Set<number>();
  for (let index = entries.length - 1; index >= 0; index = before(index)) branch.add(index);
  return branch;
}
