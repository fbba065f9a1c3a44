/**
 * Moves focus between the messages of a transcript: arrow keys to the next and previous, Home and End to the first
 * and last. Works from the scroller and from a message, but not from controls inside a message, which keep their
 * keys. A focused message is described by its content while it has focus.
 */
export class MessageNavigation {
  readonly #host: HTMLElement & { readonly renderRoot: ParentNode };

  constructor(host: HTMLElement & { readonly renderRoot: ParentNode }) {
    this.#host = host;
    host.addEventListener('keydown', this.#onKey);
  }

  get #messages(): readonly HTMLElement[] {
    return [...this.#host.renderRoot.querySelectorAll('agent-chat-turn')].flatMap(({ shadowRoot }) => [
      ...(shadowRoot?.querySelectorAll<HTMLElement>('.message') ?? []),
    ]);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const [origin] = event.composedPath();
    if (!(origin instanceof HTMLElement) || !origin.matches('.scroller, .message')) return;
    const messages = this.#messages;
    const at = messages.indexOf(origin);
    const next = {
      ArrowDown: at < 0 ? messages.at(-1) : messages[at + 1],
      ArrowUp: at < 0 ? messages.at(-1) : messages[at - 1],
      Home: messages[0],
      End: messages.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    focusMessage(next);
  };
}

/** Focuses a message; screen readers read its content after its name. */
export function focusMessage(message: HTMLElement, options?: FocusOptions): void {
  describe(message);
  message.focus(options);
}

/** Describes a message by its content while it has focus. */
function describe(message: HTMLElement): void {
  const parts = [
    ...message.querySelectorAll('agent-chat-visitor-message, .answer, agent-chat-notice, .status'),
  ];
  const ids = parts.map((part, index) => (part.id ||= `part-${message.dataset['side'] ?? ''}-${index}`));
  if (ids.length === 0) return;
  message.setAttribute('aria-describedby', ids.join(' '));
  message.addEventListener('blur', () => message.removeAttribute('aria-describedby'), { once: true });
}
