import { html, nothing } from 'lit';
import type { ConversationItem } from '../../conversation/conversation.ts';
import { languageOf } from '../../conversation/message-properties.ts';
import { exportedContentParts } from '../theme/css-parts.ts';
import type { ItemContext } from './item-context.ts';

/**
 * Renders a content item: text as Markdown, types with a page's renderer through it, others by their row of the
 * registry. For a message's own items use `renderMessageItem`, which also loads the item element.
 */
export function renderItem(item: ConversationItem, context: ItemContext, fallback?: string): unknown {
  if (isMarkdown(item, context)) return renderText(item.text, context);
  return html`<agent-chat-item
    part="item"
    exportparts=${exportedContentParts}
    .item=${item}
    .context=${context}
    >${fallback ?? nothing}</agent-chat-item
  >`;
}

/** Whether an item renders as Markdown rather than as an element of its own. */
export function isMarkdown(item: ConversationItem, { hostRenderers }: ItemContext): boolean {
  return item.type === 'text' && !hostRenderers?.has('text');
}

/**
 * Renders Markdown from the agent with the page's policy for links and images. Its language is the message's: for the
 * voice of a screen reader, and for hyphens where the answer is narrow.
 */
export function renderText(text: string, context: ItemContext): unknown {
  return html`<agent-chat-markdown
    part="text"
    lang=${languageOf(context.message) ?? nothing}
    .text=${text}
    .streaming=${context.streaming}
    .policy=${context.policy}
    .words=${context.words}
  ></agent-chat-markdown>`;
}
