import type { LitElement } from 'lit';
import type { ConversationItem } from '../../conversation/conversation.ts';
import { LazyElement } from '../platform/lazy-element.ts';
import type { ItemContext } from './item-context.ts';
import { isMarkdown, renderItem } from './render-item.ts';

const itemElement = new LazyElement('agent-chat-item', () =>
  import('./item.ts').then((module) => module.ItemElement),
);

/**
 * Renders an item of a message, and loads the item element with the first one that is not Markdown.
 * @param requester renders the item; updated when the element could not be loaded
 */
export function renderMessageItem(
  item: ConversationItem,
  context: ItemContext,
  requester: LitElement,
): unknown {
  if (!isMarkdown(item, context)) itemElement.request(requester);
  return renderItem(item, context, itemElement.hasFailed ? context.words.t('content.failed') : undefined);
}
