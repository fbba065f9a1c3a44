import type {
  Conversation,
  ConversationItem,
  ConversationMessage,
} from '../../../conversation/conversation.ts';
import { asObject, nonEmptyString, type Fields } from '../../../conversation/read-values.ts';
import { answerTo } from '../../../conversation/visitor-actions.ts';

/** A call of a page tool in a conversation. */
export interface PageToolCallView {
  readonly id: string;
  readonly name: string;
  readonly args: Fields;
  /** `ConversationMessage.id` of the message that asks. */
  readonly messageId: string;
  readonly itemId: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether a page began to run it. */
  readonly isStarted: boolean;
  /** What came of it; undefined while it is open. */
  readonly result: { readonly content: unknown; readonly error: string | undefined } | undefined;
}

/** Key of the mark that a call was begun, among the answers of its message. */
export function startedKey(itemId: string): string {
  return `${itemId} started`;
}

/** Every call of a page tool, oldest first. An id that is repeated is the first call. */
export function pageToolCalls({ messages }: Conversation): readonly PageToolCallView[] {
  const results = new Map<string, PageToolCallView['result']>();
  for (const message of messages) {
    if (message.role !== 'user') continue;
    for (const { source } of message.items) {
      const { type, id, content, error } = asObject(source['user_defined']);
      const callId = type === 'page_tool_result' ? nonEmptyString(id) : undefined;
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
    args: asObject(call['args']),
    messageId: message.id,
    itemId,
    askedAt: message.createdAt,
    isStarted: answerTo(message, startedKey(itemId)) !== undefined,
  };
}

/** Whether the visitor has allowed a tool in this conversation: one of its calls was run. */
export function wasAllowed(calls: readonly PageToolCallView[], name: string): boolean {
  return calls.some((call) => call.name === name && call.isStarted && call.result?.error !== 'declined');
}
