import { own } from '../protocol/json.ts';
import { compact } from './event-deduplication.ts';
import { createMessage, createRun } from './factories.ts';
import type { Conversation, ConversationMessage, ItemAnswer, Run } from './conversation.ts';
import { asObject } from './read-values.ts';
import { appendMessage, findMessage, mapChanged, updateMessage, updateRun, withFields } from './update.ts';

/** A visitor's message before it is sent. */
export type Prompt = Pick<ConversationMessage, 'id' | 'items'> &
  Partial<
    Pick<
      ConversationMessage,
      | 'role'
      | 'mentions'
      | 'documentIds'
      | 'displayText'
      | 'parentMessageId'
      | 'hidden'
      | 'additionalProperties'
      | 'messageState'
      | 'clientMessageId'
      | 'replacedClientMessageIds'
      | 'extras'
    >
  >;

/**
 * Adds the visitor's message as `queued`; `beginRun` sends it. If the last turn was superseded, the message replaces
 * that turn and goes before the queued messages, otherwise after them.
 */
export function addPrompt(conversation: Conversation, prompt: Prompt, at: number): Conversation {
  const message: ConversationMessage = {
    ...createMessage({ id: prompt.id, role: 'user', status: 'queued', runKey: prompt.id, createdAt: at }),
    ...prompt,
  };
  if (conversation.messages.findLast(({ status }) => status !== 'queued')?.superseded)
    return appendMessage(conversation, message);
  return { ...conversation, messages: [...conversation.messages, message] };
}

/**
 * Starts the run of a queued prompt. Open questions count as answered. If other messages were answered while the prompt
 * was queued, it moves behind them.
 * @param runKey id of the prompt, and of the new run
 */
export function beginRun(
  conversation: Conversation,
  runKey: string,
  options: { readonly at: number; readonly route?: Run['route'] },
): Conversation {
  const prompt = findMessage(conversation, runKey);
  if (!prompt || conversation.runs.some((run) => run.id === runKey)) return conversation;
  const others = conversation.messages.filter((message) => message !== prompt);
  const { messages } = appendMessage({ ...conversation, messages: others }, { ...prompt, status: 'sending' });
  const run: Run = {
    ...createRun({ id: runKey, startedAt: options.at }),
    route: options.route ?? 'run',
  };
  return { ...conversation, messages, runs: [...mapChanged(conversation.runs, settleQuestion), run] };
}

/** Removes a queued prompt. */
export function removePrompt(conversation: Conversation, id: string): Conversation {
  const message = findMessage(conversation, id);
  if (message?.status !== 'queued') return conversation;
  return { ...conversation, messages: conversation.messages.filter((candidate) => candidate !== message) };
}

/**
 * Starts a run over: keeps its prompt, removes its answers.
 * @param options.newClientMessageId for a run that the service has ended: with the old id, the service would only
 *   replay that end. The new turn replaces the old one in the thread.
 */
export function restartRun(
  conversation: Conversation,
  runKey: string,
  options: { readonly at: number; readonly newClientMessageId?: string | undefined },
): Conversation {
  const reset = updateRun(conversation, runKey, (run) => ({
    ...createRun({ id: run.id, startedAt: options.at }),
    route: run.route,
  }));
  if (reset === conversation) return conversation;
  const messages = reset.messages.filter((message) => message.runKey !== runKey || message.id === runKey);
  return updateMessage({ ...reset, messages }, runKey, (prompt) => ({
    ...prompt,
    status: 'sending',
    ...(options.newClientMessageId !== undefined && {
      clientMessageId: options.newClientMessageId,
      replacedClientMessageIds: replacedBy(prompt),
      parentMessageId: prompt.parentMessageId ?? prompt.messageId,
      messageId: undefined,
    }),
  }));
}

/** `client_message_id`s of the turns that a retry of a message replaces. */
export function replacedBy({
  clientMessageId,
  replacedClientMessageIds = [],
}: ConversationMessage): readonly string[] {
  return [...replacedClientMessageIds, clientMessageId].filter((id) => id !== undefined);
}

/** The visitor's answer to an item, if any. The service chooses the id, so it may be `constructor`. */
export function answerTo({ answers }: ConversationMessage, itemId: string): ItemAnswer | undefined {
  return own(answers, itemId);
}

/** Records the answer to an item, which makes it read-only; `undefined` removes the answer. */
export function recordAnswer(
  conversation: Conversation,
  messageId: string,
  itemId: string,
  answer: ItemAnswer | undefined,
): Conversation {
  return updateMessage(conversation, messageId, (message) => {
    const { [itemId]: old, ...others } = message.answers;
    if (old === answer) return message;
    return { ...message, answers: answer ? { ...others, [itemId]: answer } : others };
  });
}

/** Feedback on an answer, as in `message_state`. @source seen on the wire, section 3 */
export interface Feedback {
  readonly is_positive: boolean;
  readonly text?: string;
  readonly selected_categories?: readonly string[];
}

/**
 * Records feedback where services store it: in `message_state.content["<item id>"].feedback` of the message, and of the
 * next message that is sent. If feedback for the same item id of another message is still to be sent, the message's id
 * is used as the key instead.
 */
export function recordFeedback(
  conversation: Conversation,
  messageId: string,
  itemKey: string,
  feedback: Feedback,
): Conversation {
  const message = findMessage(conversation, messageId);
  const pending = { ...conversation.feedback };
  const isTaken = own(pending, itemKey) && !own(asObject(message?.messageState?.['content']), itemKey);
  const key = isTaken ? (message?.messageId ?? messageId) : itemKey;
  const judged = { ...conversation, feedback: { ...pending, [key]: { feedback } } };
  return updateMessage(judged, messageId, (message) => {
    const content = asObject(message.messageState?.['content']);
    const item = {
      ...asObject(own(content, key)),
      feedback: { text: '', selected_categories: [], ...feedback },
    };
    return {
      ...message,
      messageState: { ...message.messageState, content: { ...content, [key]: item } },
    };
  });
}

/**
 * A new message closes the open question; the records of applied events are cleared. A run whose stream is still open
 * stays `waiting` until its next event, or the end of the stream.
 */
function settleQuestion(run: Run): Run {
  const over = run.endedAt !== undefined || run.done;
  return withFields(run, {
    needsReply: false,
    status: run.status === 'waiting' && over ? 'completed' : run.status,
    applied: over ? compact(run.applied, run.lastEventId) : run.applied,
  });
}
