import type { Fields } from '../read-item.ts';

/** Where the call of a page tool stands. */
export interface PageToolView {
  /**
   * `waiting`: no page in view has the tool. `gone`: the page no longer has it. `unknown`: it began and has no result.
   * `settled`: the service has another result. `expired`: it takes none any more.
   */
  readonly state:
    | 'waiting'
    | 'asked'
    | 'running'
    | 'done'
    | 'failed'
    | 'declined'
    | 'gone'
    | 'unknown'
    | 'settled'
    | 'expired';
  readonly title: string;
  readonly args: Fields;
  readonly schema: Fields;
  /** Whether the page declares that the tool changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether consent holds for the conversation. */
  readonly isRemembered: boolean;
  /** Why it failed; `''`: unknown. */
  readonly error: string;
}

/** The call of a page tool is shown and wants to know where it stands. See `DecisionWatchEvent`. */
export class PageToolWatchEvent extends Event {
  static readonly eventName = 'agent-chat-decision-watch';
  readonly kind = 'page-tool';
  readonly messageId: string;
  readonly itemId: string;
  readonly onChange: (call: PageToolView) => void;
  /** Aborted when the card is removed. */
  readonly signal: AbortSignal;
  /** Allows or declines the call; set by the handler. */
  choose: ((isAllowed: boolean) => void) | undefined;

  constructor(init: Pick<PageToolWatchEvent, 'messageId' | 'itemId' | 'onChange'>, signal: AbortSignal) {
    super(PageToolWatchEvent.eventName, { bubbles: true, composed: true, cancelable: true });
    this.messageId = init.messageId;
    this.itemId = init.itemId;
    this.onChange = init.onChange;
    this.signal = signal;
  }
}
