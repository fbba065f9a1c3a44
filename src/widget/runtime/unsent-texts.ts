import type { Conversation, ConversationMessage } from '../../conversation/conversation.ts';
import { readText } from '../../conversation/read-values.ts';

/** What the visitor wrote in messages that still wait to be sent, oldest first. */
export function unsentTexts(conversation: Conversation): readonly string[] {
  const { messages, runs } = conversation;
  return messages
    .filter(({ id, status, hidden }) => status === 'queued' && !hidden && !runs.some((run) => run.id === id))
    .map(visitorText)
    .filter(Boolean);
}

/** The words of a message as the visitor sees them. */
export function visitorText({ displayText, items }: ConversationMessage): string {
  return (
    displayText ??
    items
      .map(({ text, source }) => text || readText(source['text']))
      .join('\n\n')
      .trim()
  );
}
