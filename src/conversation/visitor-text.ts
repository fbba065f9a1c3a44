import type { ConversationMessage } from './conversation.ts';
import { readText } from './read-values.ts';

/** The visible text of a visitor's message: its display text, else its text items. */
export function visitorText({ displayText, items }: ConversationMessage): string {
  return (
    displayText ??
    items
      .map(({ text, source }) => text || readText(source['text']))
      .filter(Boolean)
      .join('\n\n')
  );
}
