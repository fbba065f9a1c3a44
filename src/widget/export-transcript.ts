import type { ContentItem } from '../protocol/index.ts';
import type { Conversation } from '../conversation/conversation.ts';

/**
 * A conversation as the text of a file: `markdown` for people, `json` whole, `jsonl` one message a line.
 * Hidden and superseded messages are left out.
 */
export function exportTranscript(conversation: Conversation, format: 'markdown' | 'json' | 'jsonl'): string {
  const messages = conversation.messages
    .filter((message) => !message.hidden && !message.superseded)
    .map(({ messageId, role, createdAt, items, answers, displayText }) => ({
      id: messageId,
      role,
      created_on: new Date(createdAt).toISOString(),
      text:
        displayText ??
        items
          .map((item) => item.text)
          .filter(Boolean)
          .join('\n\n'),
      content: items.map((item) => item.source),
      ...(Object.keys(answers).length > 0 ? { answers } : {}),
    }));
  if (format === 'json') return JSON.stringify({ thread_id: conversation.threadId, messages }, null, 2);
  if (format === 'jsonl') return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  return messages
    .map(({ role, created_on, text, content }) => {
      const body = text || content.map(inBrackets).join(' ');
      return `**${role}** · ${created_on}\n\n${body}\n`;
    })
    .join('\n---\n\n');
}

/** What an item without text is, a form's outcome in the words it is known by. */
function inBrackets({ response_type: type, form_operation: operation }: ContentItem): string {
  if (operation === 'submit') return '[Submitted]';
  if (operation === 'cancel') return '[Cancelled]';
  return `[${type ?? 'item'}]`;
}
