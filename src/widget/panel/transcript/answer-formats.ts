import type { ConversationItem } from '../../../conversation/conversation.ts';
import { itemMarkdown } from '../../../conversation/export/item-to-markdown.ts';
import type { ClipboardFormats } from '../../platform/copy-formats.ts';
import { markdownToHtml } from './markdown-to-html.ts';

/** An answer for the clipboard: its items as Markdown, and the same as HTML. */
export function answerFormats(items: readonly ConversationItem[]): ClipboardFormats {
  const text = items
    .map((item) => itemMarkdown(item))
    .filter(Boolean)
    .join('\n\n');
  return { 'text/plain': text, 'text/html': markdownToHtml(text) };
}
