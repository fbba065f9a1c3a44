import type { ContentItem, Message } from '../../protocol/index.ts';
import type { ItemAnswer } from '../../conversation/conversation.ts';
import type { UploadDocument } from '../config/host-options.ts';

/** Content of an answer. */
export interface ItemAnswerInit {
  /** `ConversationMessage.id` of the message that asks. */
  readonly messageId: string;
  readonly itemId: string;
  readonly answer: ItemAnswer;
  /** The message to send. Without one, the answer is stored and nothing is sent. */
  readonly message?: Partial<Message> | undefined;
  /** Called when the page or the visitor cancels the message before it is sent. */
  readonly onRejected?: (() => void) | undefined;
}

/** @summary The visitor answered an item: sent a form, chose an option or a date, pressed a button. */
export class ItemAnswerEvent extends Event {
  static readonly eventName = 'agent-chat-item-answer';
  readonly messageId: string;
  readonly itemId: string;
  readonly answer: ItemAnswer;
  readonly message: Partial<Message> | undefined;
  readonly onRejected: (() => void) | undefined;

  constructor(init: ItemAnswerInit) {
    super(ItemAnswerEvent.eventName, { bubbles: true, composed: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.answer = init.answer;
    this.message = init.message;
    this.onRejected = init.onRejected;
  }
}

/** An action that a button requests of the page. */
export interface ItemActionInit {
  /** Name of the custom event, or `show_panel`, `connect_to_agent`, `connect_app`. */
  readonly name: string;
  readonly messageId: string;
  readonly itemId: string;
  /** The button's whole item, as received. */
  readonly item: ContentItem;
  /** Data of the action: a panel's content, a target. */
  readonly detail?: unknown;
}

/** @summary A button requests an action of the page instead of sending a message: `custom_event`, `show_panel`. */
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

/** Content of an upload event. */
export interface ItemUploadInit {
  readonly messageId: string;
  readonly itemId: string;
  readonly file: File;
  /** Aborted when the visitor removes the file, or the item disappears. */
  readonly signal: AbortSignal;
  /** Reports the share uploaded, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** @summary An item has a file for the page's `uploadDocument`; the handler calls `respondWith`. */
export class ItemUploadEvent extends Event {
  static readonly eventName = 'agent-chat-item-upload';
  readonly messageId: string;
  readonly itemId: string;
  readonly file: File;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** A promise of the document's id, a UUID; undefined if nobody handles the event. */
  result: ReturnType<UploadDocument> | undefined;

  constructor(init: ItemUploadInit) {
    super(ItemUploadEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.file = init.file;
    this.signal = init.signal;
    this.onProgress = init.onProgress;
  }

  /** Accepts the file. The promise resolves to the document's id. */
  respondWith(result: ReturnType<UploadDocument>): void {
    this.result = Promise.resolve(result); // untyped pages may return the id itself
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
