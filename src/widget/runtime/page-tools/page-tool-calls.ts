import type {
  Conversation,
  ConversationItem,
  ConversationMessage,
  ItemAnswer,
} from '../../../conversation/conversation.ts';
import { asObject, nonEmptyString, readTime, type Fields } from '../../../conversation/read-values.ts';
import { serviceTime } from '../../../protocol/service-clock.ts';
import { refusalOf } from '../../../conversation/refusal-of.ts';
import { findMessage, findRun, updateRun, withFields } from '../../../conversation/update.ts';
import { answerTo, recordAnswer } from '../../../conversation/visitor-actions.ts';

/** A call of a page tool in a conversation. */
export interface PageToolCallView {
  readonly id: string;
  readonly name: string;
  /** For the visitor. */
  readonly title: string;
  readonly args: Fields;
  /** `ConversationMessage.id` of the message that asks. */
  readonly messageId: string;
  readonly itemId: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Milliseconds since the epoch after which the service accepts no result; `undefined`: no limit. */
  readonly expiresAt: number | undefined;
  /** Whether the service refused this page's result: it has another one, or accepts none. */
  readonly isRefused: boolean;
  /** When a page began to run it, in milliseconds since the epoch; `undefined` before. */
  readonly startedAt: number | undefined;
  /** The result of the call; undefined while it is open. */
  readonly result: { readonly content: unknown; readonly error: string | undefined } | undefined;
}

/** Marks a call as begun. When the page works on all that a message asks, the visitor is not asked any more. */
export function startCall(conversation: Conversation, call: PageToolCallView): Conversation {
  const { messageId, itemId } = call;
  const mark = { action: 'choose', data: Date.now() } as const;
  const started = recordAnswer(conversation, messageId, startedKey(itemId), mark);
  const message = findMessage(started, messageId);
  const begun = pageToolCalls(started).filter(
    (one) => one.messageId === messageId && (one.startedAt !== undefined || one.result !== undefined),
  );
  if (begun.length !== message?.items.length) return started;
  return updateRun(started, message.runKey, (run) => withFields(run, { needsReply: false }));
}

/** Key of the mark that a call was begun, among the answers of its message. */
function startedKey(itemId: string): string {
  return `${itemId} started`;
}

function startOf(mark: ItemAnswer | undefined): number | undefined {
  return mark && (typeof mark.data === 'number' ? mark.data : 0);
}

/** The messages with a result that the service refused. */
export function refusedResults({ messages, runs }: Conversation): readonly ConversationMessage[] {
  return messages.filter(
    ({ id, role, items }) =>
      role === 'user' &&
      items.some((item) => resultIn(item) !== undefined) &&
      refusalOf(runs.find((run) => run.id === id)) !== undefined,
  );
}

/** Removes a result that the service did not take, and notes at its call that it is settled. */
export function withdrawResult(conversation: Conversation, refused: ConversationMessage): Conversation {
  const callId = refused.items.map((item) => resultIn(item)?.['id']).find((id) => id !== undefined);
  const call = pageToolCalls(conversation).find(({ id }) => id === callId);
  if (!call || !findRun(conversation, refused.id)) return conversation;
  const rest: Conversation = {
    ...conversation,
    messages: conversation.messages.filter(({ id }) => id !== refused.id),
    runs: conversation.runs.filter(({ id }) => id !== refused.id),
  };
  return recordAnswer(rest, call.messageId, refusedKey(call.itemId), { action: 'choose', data: true });
}

function refusedKey(itemId: string): string {
  return `${itemId} refused`;
}

function resultIn({ source }: ConversationItem): Fields | undefined {
  const fields = asObject(source['user_defined']);
  return fields['type'] === 'page_tool_result' ? fields : undefined;
}

/** Every call of a page tool, oldest first. An id that is repeated is the first call. */
export function pageToolCalls({ messages }: Conversation): readonly PageToolCallView[] {
  const results = new Map<string, PageToolCallView['result']>();
  for (const message of messages) {
    if (message.role !== 'user') continue;
    for (const item of message.items) {
      const { id, content, error } = resultIn(item) ?? {};
      const callId = nonEmptyString(id);
      if (callId === undefined || results.has(callId)) continue;
      results.set(callId, { content, error: nonEmptyString(error) });
    }
  }
  const calls = new Map<string, PageToolCallView>();
  for (const message of messages) {
    if (message.role === 'user' || message.superseded || message.status === 'streaming') continue;
    for (const item of message.items) {
      const call = readCall(message, item);
      if (call && !calls.has(call.id)) calls.set(call.id, { ...call, result: results.get(call.id) });
    }
  }
  return [...calls.values()];
}

function readCall(
  message: ConversationMessage,
  { id: itemId, source }: ConversationItem,
): Omit<PageToolCallView, 'result'> | undefined {
  const call = asObject(source['user_defined']);
  const id = nonEmptyString(call['id']);
  const name = nonEmptyString(call['name']);
  if (call['type'] !== 'page_tool_call' || id === undefined || name === undefined) return undefined;
  return {
    id,
    name,
    title: (nonEmptyString(call['title']) ?? name).slice(0, 100),
    args: asObject(call['args']),
    messageId: message.id,
    itemId,
    askedAt: message.createdAt,
    expiresAt: readTime(call['expires_at']),
    isRefused: answerTo(message, refusedKey(itemId)) !== undefined,
    startedAt: startOf(answerTo(message, startedKey(itemId))),
  };
}

/** Whether the visitor has allowed a tool in this conversation: one of its calls was run. */
export function wasAllowed(calls: readonly PageToolCallView[], name: string): boolean {
  return calls.some(
    (call) => call.name === name && call.startedAt !== undefined && call.result?.error !== 'declined',
  );
}

/** Whether nothing can come of a call any more. */
export function isOver(call: PageToolCallView): boolean {
  return call.result !== undefined || call.isRefused || isExpired(call);
}

/** Whether it is too late for a result. */
export function isExpired({ expiresAt }: PageToolCallView): boolean {
  return expiresAt !== undefined && expiresAt <= serviceTime();
}
