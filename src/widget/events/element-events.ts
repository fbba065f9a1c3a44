// The events of the first chunk; apart from the others, so that a page does not load those before the panel.

/** The way every event of the widget travels. */
export const bubblingComposed = { bubbles: true, composed: true } as const;

/** The element has read its settings and shows the launcher. */
export class ReadyEvent extends Event {
  static readonly type = 'agent-chat-ready';
  constructor() {
    super(ReadyEvent.type, bubblingComposed);
  }
}

/** The panel is about to open. Cancelable. */
export class OpenEvent extends Event {
  static readonly type = 'agent-chat-open';
  constructor() {
    super(OpenEvent.type, { ...bubblingComposed, cancelable: true });
  }
}

/** The panel is about to close. Cancelable. */
export class CloseEvent extends Event {
  static readonly type = 'agent-chat-close';
  constructor() {
    super(CloseEvent.type, { ...bubblingComposed, cancelable: true });
  }
}

/**
 * Something is not as it should be, like an attribute with a wrong value. `code` is a stable name, `message` says what
 * was wrong and what to do. `preventDefault()` keeps it off the console.
 */
export class DiagnosticEvent extends Event {
  static readonly type = 'agent-chat-diagnostic';
  constructor(
    readonly code: string,
    readonly message: string,
  ) {
    super(DiagnosticEvent.type, { ...bubblingComposed, cancelable: true });
  }
}
