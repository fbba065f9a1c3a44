/** A form that waits for the visitor is drawn. Its first question is to be seen. */
export class FormOpenEvent extends Event {
  static readonly type = 'agent-chat-form-open';
  constructor() {
    super(FormOpenEvent.type, { bubbles: true, composed: true });
  }
}
