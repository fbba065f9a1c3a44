import type { Conversation, ConversationMessage } from '../../conversation/conversation.ts';
import { readText } from '../../conversation/read-values.ts';

/** Texts of the visitor's queued messages, oldest first. */
export function unsentTexts(conversation: Conversation): readonly string[] {
  const { messages, runs } = conversation;
  return messages
    .filter(({ id, status, hidden }) => status === 'queued' && !hidden && !runs.some((run) => run.id === id))
    .map(visitorText)
    .filter(Boolean);
}

/** The visible text of a visitor's message. */
export function visitorText({ displayText, items }: ConversationMessage): string {
  return (
    displayText ??
    items
      .map(({ text, source }) => text || readText(source['text']))
      .join('\n\n')
      .trim()
  );
}
