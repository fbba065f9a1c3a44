import { findRun } from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Prompt } from '../conversation/index.ts';
import { readItems } from '../conversation/items.ts';
import { asObject, nonEmptyString, visibleText } from '../conversation/read-values.ts';
import { extrasOf } from '../conversation/read-message.ts';
import type { OutgoingMessage } from './session-settings.ts';

/** Creates the prompt for a message; undefined when the message is empty. */
export function promptOf(input: OutgoingMessage, id: string): Prompt | undefined {
  const { message } = input;
  const items = readItems(message?.content ?? input.content);
  const documentIds = input.documentIds ?? message?.document_ids ?? [];
  const isEmpty = items.every((item) => item.type === 'text' && !visibleText(item.text));
  if (isEmpty && documentIds.length === 0) return undefined;
  const { display_text: displayed } = asObject(message?.message_state?.['input']);
  return {
    id,
    items: isEmpty ? [] : items,
    role: nonEmptyString(message?.role) ?? 'user',
    mentions: input.mentions ?? message?.mentions ?? [],
    documentIds,
    displayText: input.displayText ?? nonEmptyString(displayed),
    parentMessageId: input.parentMessageId ?? nonEmptyString(message?.parent_message_id),
    hidden: input.silent === true || message?.additional_properties?.display_properties?.skip_render === true,
    additionalProperties: message?.additional_properties ?? undefined,
    messageState: message?.message_state ?? undefined,
    clientMessageId: nonEmptyString(message?.additional_properties?.['client_message_id']) ?? id,
    extras: message && extrasOf(message),
  };
}

/** Whether the visitor sent something after a message. Replaced and queued messages do not count. */
export function hasLaterTurn({ messages }: Conversation, prompt: ConversationMessage): boolean {
  return messages
    .slice(messages.indexOf(prompt) + 1)
    .some(({ role, superseded, status }) => role === 'user' && !superseded && status !== 'queued');
}

/**
 * The parent of a new message: the open question that it answers, or the turn before an edit that did not reach the
 * service. Otherwise none: a parent would hide everything that was stored after it, such as a turn that runs in another
 * tab at the same time.
 */
export function parentOfNext(conversation: Conversation): string | undefined {
  const asking = conversation.runs.findLast((run) => run.needsReply);
  const spoken = conversation.messages.filter((message) => message.role !== 'user' && !message.superseded);
  if (asking) return spoken.findLast((message) => message.runKey === asking.id)?.messageId;
  const isStored = ({ id, messageId }: ConversationMessage): boolean =>
    messageId !== undefined || findRun(conversation, id)?.runId !== undefined;
  if (conversation.messages.findLast(isStored)?.superseded !== true) return undefined;
  return spoken.findLast((message) => message.messageId !== undefined)?.messageId;
}
