import type { ContentItem, Message } from '../../protocol/index.ts';
import type { ItemAnswer } from '../../conversation/conversation.ts';

/** What an answer consists of. */
export interface ItemAnswerInit {
  /** `ConversationMessage.id` of the asking message. */
  readonly messageId: string;
  readonly itemId: string;
  readonly answer: ItemAnswer;
  /** The message to send for it. Without one nothing is sent: the answer is only kept. */
  readonly message?: Partial<Message> | undefined;
}

/** @summary The visitor answered an item: sent a form, chose an option or a date, pressed a button. */
export class ItemAnswerEvent extends Event {
  static readonly eventName = 'agent-chat-item-answer';
  readonly messageId: string;
  readonly itemId: string;
  readonly answer: ItemAnswer;
  readonly message: Partial<Message> | undefined;

  constructor(init: ItemAnswerInit) {
    super(ItemAnswerEvent.eventName, { bubbles: true, composed: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.answer = init.answer;
    this.message = init.message;
  }
}

/** What a button asks the page for. */
export interface ItemActionInit {
  /** The custom event's name, or `show_panel`, `connect_to_agent`, `connect_app`. */
  readonly name: string;
  readonly messageId: string;
  readonly itemId: string;
  /** The button's whole item as it came. */
  readonly item: ContentItem;
  /** What the item says the action is about: a panel's content, a target. */
  readonly detail?: unknown;
}

/** @summary A button asks the page for something that is no message: `custom_event`, `show_panel`. */
export class ItemActionEvent extends Event {
  static readonly eventName = 'agent-chat-item-action';
  readonly name: string;
  readonly messageId: string;
  readonly itemId: string;
  readonly item: ContentItem;
  readonly detail: unknown;

  constructor(init: ItemActionInit) {
    super(ItemActionEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.name = init.name;
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.item = init.item;
    this.detail = init.detail;
  }
}

/** What an upload needs. */
export interface ItemUploadInit {
  readonly messageId: string;
  readonly itemId: string;
  readonly file: File;
  /** Aborted when the visitor removes the file or the item goes. */
  readonly signal: AbortSignal;
  /** Share of the file that is there, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @summary An item has a file for the host's `uploadDocument`; whoever takes it answers with `respondWith`. */
export class ItemUploadEvent extends Event {
  static readonly eventName = 'agent-chat-item-upload';
  readonly messageId: string;
  readonly itemId: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** The document's id, once somebody took the file; undefined when nobody did. */
  result: Promise<string> | undefined;

  constructor(init: ItemUploadInit) {
    super(ItemUploadEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.file = init.file;
    this.signal = init.signal;
    this.onProgress = init.onProgress;
  }

  /** Takes the file. The promise gives the document's id. */
  respondWith(result: Promise<string>): void {
    this.result = Promise.resolve(result); // a page without types may give the id itself
    this.preventDefault();
  }
}

declare global {
  interface HTMLElementEventMap {
    'agent-chat-item-answer': ItemAnswerEvent;
    'agent-chat-item-action': ItemActionEvent;
    'agent-chat-item-upload': ItemUploadEvent;
  }
  interface GlobalEventHandlersEventMap {
    'agent-chat-item-answer': ItemAnswerEvent;
    'agent-chat-item-action': ItemActionEvent;
    'agent-chat-item-upload': ItemUploadEvent;
  }
}
