/** Asks the panel to announce a text to screen readers; fired by components for changes that are only visible. */
export class AnnounceEvent extends Event {
  static readonly type = 'agent-chat-announce';
  /** @param slot of the texts in a slot, only the newest is announced: a count that changes as one types */
  constructor(
    readonly text: string,
    readonly slot?: string,
  ) {
    super(AnnounceEvent.type, { bubbles: true, composed: true });
  }
}

/** An unanswered form was rendered. The transcript scrolls to its first question. */
export class FormOpenEvent extends Event {
  static readonly type = 'agent-chat-form-open';
  constructor() {
    super(FormOpenEvent.type, { bubbles: true, composed: true });
  }
}
