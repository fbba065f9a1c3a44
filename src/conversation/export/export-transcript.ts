import type { ContentItem } from '../../protocol/index.ts';
import { toJson } from '../../protocol/to-json.ts';
import type { Conversation, ConversationItem, ConversationMessage } from '../conversation.ts';
import { textOf } from '../read-values.ts';
import { itemMarkdown } from './item-to-markdown.ts';

/**
 * A conversation as the text of a file: `markdown` for people, `json` whole, `jsonl` one message a line.
 * Hidden and superseded messages are left out.
 * @throws TypeError for another format
 */
export function exportTranscript(conversation: Conversation, format: 'markdown' | 'json' | 'jsonl'): string {
  if (!['markdown', 'json', 'jsonl'].includes(format))
    throw new TypeError('exportTranscript takes markdown, json or jsonl');
  const messages = conversation.messages.filter((message) => !message.hidden && !message.superseded);
  if (format === 'json') {
    return toJson({ thread_id: conversation.threadId, messages: messages.map(asData) }, 2);
  }
  if (format === 'jsonl') return messages.map((message) => `${toJson(asData(message))}\n`).join('');
  return messages.map(asMarkdown).join('\n---\n\n');
}

function asData({ messageId, role, createdAt, items, answers, displayText }: ConversationMessage): unknown {
  return {
    id: messageId,
    role,
    created_on: timeOf(createdAt),
    text: displayText ?? joined(items, ({ text, source }) => text || textOf(source['text'])),
    content: items.map((item) => item.source),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
  };
}

function asMarkdown({ role, createdAt, items, displayText, connection }: ConversationMessage): string {
  const words = displayText ?? joined(items, (item) => itemMarkdown(item));
  const body = [words, connection?.message ?? ''].filter(Boolean).join('\n\n');
  return `**${role}** · ${timeOf(createdAt)}\n\n${body || items.map(({ source }) => inBrackets(source)).join(' ')}\n`;
}

function joined(items: readonly ConversationItem[], say: (item: ConversationItem) => string): string {
  return items.map(say).filter(Boolean).join('\n\n');
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** What an item without text is, a form's outcome in the words it is known by. */
function inBrackets({ response_type: type, form_operation: operation }: ContentItem): string {
  if (operation === 'submit') return '[Submitted]';
  if (operation === 'cancel') return '[Cancelled]';
  return `[${type ?? 'item'}]`;
}
