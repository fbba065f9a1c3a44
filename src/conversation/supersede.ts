import type { Conversation } from './conversation.ts';

/** Hides a message and all later ones, for an edit or a regeneration. */
export function supersedeFrom(conversation: Conversation, id: string): Conversation {
  const from = conversation.messages.findLastIndex((message) => message.id === id);
  if (from < 0) return conversation;
  const messages = conversation.messages.map((message, index) =>
    index < from || message.superseded || message.status === 'queued'
      ? message
      : { ...message, superseded: true },
  );
  return { ...conversation, messages };
}

/** Hides a message and its answers, but no later messages. */
export function supersedeTurn(conversation: Conversation, id: string): Conversation {
  const messages = conversation.messages.map((message) =>
    message.id === id || message.runKey === id ? { ...message, superseded: true } : message,
  );
  return { ...conversation, messages };
}
