import { findMessage } from '../conversation/index.ts';
import type { Conversation, ConversationMessage, Prompt } from '../conversation/index.ts';
import { supersedeFrom } from '../conversation/supersede.ts';
import type { Message } from '../protocol/index.ts';
import { promptOf } from './prompts.ts';
import type { SessionContext } from './session-context.ts';
import type { TurnQueue } from './turn-queue.ts';

/** The prompt of the turn that a message belongs to. */
export function promptOfTurn(conversation: Conversation, messageId: string): ConversationMessage | undefined {
  return findMessage(conversation, findMessage(conversation, messageId)?.runKey);
}

/** Hides a turn and all later ones, and sends its message again, perhaps with other content. */
export async function replace(
  { store, clock }: SessionContext,
  turns: TurnQueue,
  { messageId, content }: { readonly messageId: string; readonly content: string | Message | undefined },
): Promise<void> {
  const replaced = replaceTurn(store.conversation, messageId, { id: clock.uuid(), content });
  if (!replaced) return;
  const isBusy = turns.current !== undefined;
  store.change(() => replaced.conversation);
  const over = turns.add(replaced.prompt);
  if (isBusy) void turns.stoppable?.stop(); // the replacement is the first in the queue
  await over;
}

/**
 * Hides a turn and all later ones. `prompt` is what replaces them: it has a new id and the parent of the old one. In the
 * first turn of a thread, the old message itself is the parent.
 * @param options.content the new text, or the complete message; by default the same again
 * @returns undefined when there is no such turn, or the content is empty
 */
function replaceTurn(
  conversation: Conversation,
  messageId: string,
  { id, content }: { readonly id: string; readonly content: string | Message | undefined },
): { readonly conversation: Conversation; readonly prompt: Prompt } | undefined {
  const old = promptOfTurn(conversation, messageId);
  const message = old && content !== undefined ? edited(old, content) : old;
  if (!old || !message) return undefined;
  const parentMessageId = parentBefore(conversation, old.id) ?? old.messageId;
  return {
    conversation: supersedeFrom(conversation, old.id),
    prompt: { ...contentOf(message), id, clientMessageId: id, parentMessageId },
  };
}

/** The message with other content; undefined when that is empty. */
function edited(prompt: ConversationMessage, content: string | Message): ConversationMessage | undefined {
  const isText = typeof content === 'string';
  const message = promptOf(isText ? { content } : { content: content.content ?? [], message: content }, '');
  if (!message) return undefined;
  const words = isText ? { items: message.items, displayText: undefined } : message;
  return { ...prompt, ...words, role: message.role ?? 'user' };
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

/** The wire id of the last answer before a turn. */
function parentBefore(conversation: Conversation, id: string): string | undefined {
  const index = conversation.messages.findIndex((message) => message.id === id);
  return conversation.messages
    .slice(0, Math.max(0, index))
    .findLast((message) => !message.superseded && message.role !== 'user' && message.messageId !== undefined)
    ?.messageId;
}
