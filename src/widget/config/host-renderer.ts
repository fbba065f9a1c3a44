import type { ConversationMessage, ItemAnswer } from '../../conversation/conversation.ts';
import type { ContentItem } from '../../protocol/index.ts';

/** What a host's renderer gets beside the item and the element to fill. */
export interface HostRenderContext {
  readonly message: ConversationMessage;
  readonly locale: string;
  /** Whether an answer is welcome now. */
  readonly active: boolean;
  /** What was answered, if anything. */
  readonly answer: ItemAnswer | undefined;
  /** Answers the item in the visitor's name: `text` is sent as a message, other data as a form submission. */
  respond(data: unknown): void;
}

/**
 * A host's own rendering of a response type, into the page's light DOM, so that the page's CSS reaches it.
 * It may fill `container` itself, or return a node or a text to put there, or a function that cleans up.
 * Called again with the same container when the item, its answer, `active` or the language changes; a function that cleans
 * up is called before.
 */
export type HostRenderer = (item: ContentItem, container: HTMLElement, context: HostRenderContext) => unknown;
