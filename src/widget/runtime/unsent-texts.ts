import type { Conversation, ConversationMessage } from '../../conversation/conversation.ts';
import { readText } from '../../conversation/read-values.ts';

/** Texts of the visitor's queued messages and of the last ones that the service rejected, oldest first. */
export function unsentTexts(conversation: Conversation): readonly string[] {
  const { messages, runs } = conversation;
  const shown = messages.filter(({ hidden, superseded }) => !hidden && !superseded);
  const taken = shown.findLastIndex(({ status }) => status !== 'rejected' && status !== 'queued');
  return shown
    .filter(({ id, status }, at) =>
      status === 'queued' ? !runs.some((run) => run.id === id) : status === 'rejected' && at > taken,
    )
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
