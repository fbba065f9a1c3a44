// The events of the first chunk; apart from the others, so that a page does not load those before the panel.

/** The way every event of the widget travels. */
export const travelling = { bubbles: true, composed: true } as const;

/** The first chunk is there: settings are read, the launcher stands. */
export class ReadyEvent extends Event {
  static readonly type = 'agent-chat-ready';
  constructor() {
    super(ReadyEvent.type, travelling);
  }
}

/** The panel opens. Cancelable. */
export class OpenEvent extends Event {
  static readonly type = 'agent-chat-open';
  constructor() {
    super(OpenEvent.type, { ...travelling, cancelable: true });
  }
}

/** The panel closes. Cancelable. */
export class CloseEvent extends Event {
  static readonly type = 'agent-chat-close';
  constructor() {
    super(CloseEvent.type, { ...travelling, cancelable: true });
  }
}

/** Something odd that did no harm. `preventDefault()` keeps it off the console. */
export class DiagnosticEvent extends Event {
  static readonly type = 'agent-chat-diagnostic';
  constructor(
    readonly code: string,
    readonly message: string,
  ) {
    super(DiagnosticEvent.type, { ...travelling, cancelable: true });
  }
}
