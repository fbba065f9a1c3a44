/** Asks the panel to say something to those who listen; from components, for what else is only seen. */
export class AnnounceEvent extends Event {
  static readonly type = 'agent-chat-say';
  constructor(readonly text: string) {
    super(AnnounceEvent.type, { bubbles: true, composed: true });
  }
}
