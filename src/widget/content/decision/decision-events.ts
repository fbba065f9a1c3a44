import type { DecisionView } from '../../../conversation/tool-decision.ts';

/** What a decision is watched with. */
export interface DecisionWatchInit {
  /** `ConversationMessage.id` of the message that asks. */
  readonly messageId: string;
  readonly itemId: string;
  /** The card: while it is in view, decisions from other devices are fetched. */
  readonly card: Element;
  /** Called at once and after every change. */
  readonly onChange: (decision: DecisionView) => void;
}

/**
 * A decision is shown and asks for its state. Whoever owns the conversation calls `preventDefault()`, then
 * `onChange` until `signal` aborts. Without a handler, the card shows what its item says.
 */
export class DecisionWatchEvent extends Event {
  static readonly eventName = 'agent-chat-decision-watch';
  readonly kind = 'decision';
  readonly messageId: string;
  readonly itemId: string;
  readonly card: Element;
  readonly onChange: (decision: DecisionView) => void;
  /** Aborted when the card is removed. */
  readonly signal: AbortSignal;

  constructor(init: DecisionWatchInit, signal: AbortSignal) {
    super(DecisionWatchEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.card = init.card;
    this.onChange = init.onChange;
    this.signal = signal;
  }
}
