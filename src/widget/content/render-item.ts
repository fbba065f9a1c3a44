import { html, nothing, type LitElement } from 'lit';
import type { ConversationItem } from '../../conversation/conversation.ts';
import { LazyElement } from '../platform/lazy-element.ts';
import { exportedContentParts } from '../theme/content-parts.ts';
import type { ItemContext } from './item-context.ts';

const frame = new LazyElement('agent-chat-item', () => import('./item.ts').then((part) => part.ItemElement));

/**
 * Renders a content item: text as Markdown, types with a page's renderer through it, others by their row of the
 * registry.
 * @param asker renders the item, and causes the item's wrapper to load. Omitted inside another item.
 */
export function renderItem(item: ConversationItem, context: ItemContext, asker?: LitElement): unknown {
  if (item.type === 'text' && !context.hostRenderers?.has('text')) return renderText(item.text, context);
  if (asker) frame.request(asker);
  return html`<agent-chat-item
    part="item"
    exportparts=${exportedContentParts}
    .item=${item}
    .context=${context}
    >${frame.hasFailed ? context.words.t('content.failed') : nothing}</agent-chat-item
  >`;
}

/** Renders Markdown from the agent with the page's policy for links and images. */
export function renderText(text: string, context: ItemContext): unknown {
  return html`<agent-chat-markdown
    part="text"
    .text=${text}
    .streaming=${context.streaming}
    .policy=${context.policy}
    .words=${context.words}
  ></agent-chat-markdown>`;
}
