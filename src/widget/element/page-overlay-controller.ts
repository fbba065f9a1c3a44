import type { ReactiveController } from 'lit';
import type { ChatHost } from '../chat-host.ts';

/**
 * Detects what the page opens over the chat: a modal dialog, which takes focus and makes everything outside inert,
 * or a popover, which enters the top layer above the chat.
 */
export class PageOverlayController implements ReactiveController {
  readonly #host: ChatHost;

  constructor(host: ChatHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('focusin', this.#onFocusIn);
    document.addEventListener('toggle', this.#onToggle, true); // `toggle` does not bubble
    this.#onFocusIn();
  }

  hostDisconnected(): void {
    document.removeEventListener('focusin', this.#onFocusIn);
    document.removeEventListener('toggle', this.#onToggle, true);
  }

  readonly #onFocusIn = (): void => {
    const dialog = document.activeElement?.closest('dialog');
    if (!dialog) return;
    import('./dialog-portal.ts').then(
      (module) => module.portalIntoDialog(this.#host, dialog),
      () => undefined, // retried at the next focus change
    );
  };

  readonly #onToggle = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement) || !target.popover || !target.matches(':popover-open')) return;
    import('./top-layer.ts').then(
      (module) => module.bringAbovePopover(this.#host, target),
      () => undefined, // the chat stays below the popover
    );
  };
}
