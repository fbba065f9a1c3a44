import { findMessage, findRun } from '../conversation/index.ts';
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

/** The fields to copy when a message is sent again: no ids and no results. */
export function contentOf(prompt: ConversationMessage): Omit<Prompt, 'id'> {
  const { items, role, mentions, documentIds, displayText, hidden } = prompt;
  const { additionalProperties, messageState, extras } = prompt;
  return {
    items,
    role,
    mentions,
    documentIds,
    displayText,
    hidden,
    additionalProperties,
    messageState,
    extras,
  };
}

/**
 * The prompt that replaces a turn: the same message with a new id and the parent of the old one. In the first turn of a
 * thread, the old message itself is the parent.
 */
export function replacementFor(conversation: Conversation, prompt: ConversationMessage, id: string): Prompt {
  const parentMessageId = parentBefore(conversation, prompt.id) ?? prompt.messageId;
  return { ...contentOf(prompt), id, clientMessageId: id, parentMessageId };
}

/** Whether the visitor sent something after a message. Replaced and queued messages do not count. */
export function hasLaterTurn({ messages }: Conversation, prompt: ConversationMessage): boolean {
  return messages
    .slice(messages.indexOf(prompt) + 1)
    .some(({ role, superseded, status }) => role === 'user' && !superseded && status !== 'queued');
}

/** The wire id of the last answer before a turn. */
function parentBefore(conversation: Conversation, id: string): string | undefined {
  const index = conversation.messages.findIndex((message) => message.id === id);
  return conversation.messages
    .slice(0, Math.max(0, index))
    .findLast((message) => !message.superseded && message.role !== 'user' && message.messageId !== undefined)
    ?.messageId;
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

/** The prompt of the turn that a message belongs to. */
export function promptOfTurn(conversation: Conversation, messageId: string): ConversationMessage | undefined {
  return findMessage(conversation, findMessage(conversation, messageId)?.runKey);
}
