/** An unanswered form was rendered. The transcript scrolls to its first question. */
export class FormOpenEvent extends Event {
  static readonly type = 'agent-chat-form-open';
  constructor() {
    super(FormOpenEvent.type, { bubbles: true, composed: true });
  }
}
