/** Asks the panel to announce a text to screen readers; fired by components for changes that are only visible. */
export class AnnounceEvent extends Event {
  static readonly type = 'agent-chat-announce';
  constructor(readonly text: string) {
    super(AnnounceEvent.type, { bubbles: true, composed: true });
  }
}
