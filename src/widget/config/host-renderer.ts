import type { ConversationMessage, ItemAnswer } from '../../conversation/conversation.ts';
import type { ContentItem } from '../../protocol/index.ts';

/** The third argument of a page's renderer, after the item and its container. */
export interface HostRenderContext {
  /** The message that contains the item. */
  readonly message: ConversationMessage;
  /** BCP 47 tag of the chat’s language. */
  readonly locale: string;
  /** Whether the item can be answered now. */
  readonly active: boolean;
  /** The answer that was given, if any. */
  readonly answer: ItemAnswer | undefined;
  /** Answers the item as the visitor: text is sent as a message, other data as a form submission. */
  respond(data: unknown): void;
}

/**
 * A page's own renderer for a response type. It renders into the page's light DOM, so that the page's CSS applies.
 * It may fill `container`, return a node or text to insert, or return a cleanup function. It is called again with
 * the same container when the item, its answer, `active` or the language changes, after its cleanup function.
 */
export type HostRenderer = (item: ContentItem, container: HTMLElement, context: HostRenderContext) => unknown;
