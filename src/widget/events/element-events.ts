// The events that the launcher needs. In a file of their own, so that it does not load the others.

/** Options of every event of the widget. */
export const bubblingComposed = { bubbles: true, composed: true } as const;

/** The element has read its settings and shows the launcher. */
export class ReadyEvent extends Event {
  static readonly type = 'agent-chat-ready';
  constructor() {
    super(ReadyEvent.type, bubblingComposed);
  }
}

/** The panel is about to open. Cancelable. Setting `open` does not fire it. */
export class OpenEvent extends Event {
  static readonly type = 'agent-chat-open';
  constructor() {
    super(OpenEvent.type, { ...bubblingComposed, cancelable: true });
  }
}

/** The panel is about to close. Cancelable. Setting `open` does not fire it. */
export class CloseEvent extends Event {
  static readonly type = 'agent-chat-close';
  constructor() {
    super(CloseEvent.type, { ...bubblingComposed, cancelable: true });
  }
}

/**
 * Something is misconfigured or malformed, such as an attribute with an invalid value. `code` is a stable name;
 * `message` says what is wrong and what to do. `preventDefault()` keeps it out of the console.
 */
export class DiagnosticEvent extends Event {
  static readonly type = 'agent-chat-diagnostic';
  constructor(
    /** Stable name of the problem, such as `invalid-attribute`. */
    readonly code: string,
    /** What is wrong and what to do. */
    readonly message: string,
  ) {
    super(DiagnosticEvent.type, { ...bubblingComposed, cancelable: true });
  }
}
