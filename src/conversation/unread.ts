import type { Conversation, ConversationMessage } from './conversation.ts';

/** Whether a message is something a visitor would want to be told of: finished, visible, from the other side. */
export function isNews(message: ConversationMessage): boolean {
  return (
    message.status === 'complete' &&
    message.role !== 'user' &&
    !message.hidden &&
    !message.superseded &&
    (message.items.length > 0 || message.connection !== undefined)
  );
}

/** `ConversationMessage.id` of the last message that can be read now: the mark up to which all is read. */
export function lastReadable(conversation: Conversation): string | undefined {
  return conversation.messages.findLast(isNews)?.id;
}

/**
 * How many messages came after the mark.
 * @param readUpTo `lastReadable` at the moment of reading; undefined: nothing was read yet
 */
export function unreadCount(conversation: Conversation, readUpTo: string | undefined): number {
  const from = conversation.messages.findLastIndex((message) => message.id === readUpTo);
  return conversation.messages.slice(from + 1).filter(isNews).length;
}
