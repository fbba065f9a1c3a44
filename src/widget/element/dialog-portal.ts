import type { ChatHost } from '../chat-host.ts';
import { moveElement } from '../platform/move-element.ts';
import { coversViewport, bringToTop } from './top-layer.ts';

const guests = new WeakMap<ChatHost, DialogPortal>();

/**
 * Moves the element into the page's topmost modal dialog while one is open, because everything outside it is inert,
 * and back afterwards. A chat in a container stays there. A panel that covers the window stays too: it would hide
 * the dialog.
 */
export function portalIntoDialog(element: ChatHost, dialog: HTMLDialogElement): void {
  if (!isModal(dialog) || dialog.contains(element) || element.contains(dialog)) return;
  if (element.formKind === 'custom' || coversViewport(element)) return;
  let guest = guests.get(element);
  if (!guest) guests.set(element, (guest = new DialogPortal(element)));
  guest.join(dialog);
}

/** Moves one element through dialogs and back. */
class DialogPortal {
  readonly #element: ChatHost;
  /** Marks the element's place on the page. */
  readonly #home = document.createComment('');
  /** Dialogs that the element was moved through, the innermost last. */
  #dialogs: HTMLDialogElement[] = [];
  /** The focused element inside, saved when a closing dialog drops focus. */
  #focused: HTMLElement | undefined;
  readonly #observer = new MutationObserver(() => this.#follow());

  constructor(element: ChatHost) {
    this.#element = element;
  }

  join(dialog: HTMLDialogElement): void {
    const { parentNode } = this.#element;
    if (!parentNode || this.#dialogs.includes(dialog)) return;
    if (this.#dialogs.length === 0) {
      parentNode.insertBefore(this.#home, this.#element);
      this.#observer.observe(document, { childList: true, subtree: true, attributeFilter: ['open'] });
      for (const type of presses) this.#element.addEventListener(type, keepInside);
      this.#element.addEventListener('focusout', this.#onFocusOut);
    }
    this.#dialogs.push(dialog);
    moveElement(this.#element, dialog);
    bringToTop(this.#element);
  }

  /** Called when a dialog closed or was removed: moves the element to the dialog below, or back. */
  #follow(): void {
    const element = this.#element;
    const last = this.#dialogs.at(-1);
    if (!last || (isModal(last) && last.contains(element))) return;
    const isTakenAway = !last.contains(element);
    this.#dialogs = isTakenAway ? [] : this.#dialogs.filter(isModal);
    const next = this.#dialogs.at(-1);
    if (next) moveElement(element, next);
    // its place was removed, or the page moved the element: leave it where it is
    else if (!isTakenAway && this.#home.parentNode) moveElement(element, this.#home.parentNode, this.#home);
    if (!next) this.#end();
    const focused = this.#focused;
    this.#focused = undefined;
    if (!focused) return;
    // the next update shows the layer again, after it left the document for a moment
    void element.updateComplete.then(() => focused.focus({ preventScroll: true }));
  }

  #end(): void {
    this.#home.remove();
    this.#observer.disconnect();
    for (const type of presses) this.#element.removeEventListener(type, keepInside);
    this.#element.removeEventListener('focusout', this.#onFocusOut);
  }

  readonly #onFocusOut = (event: FocusEvent): void => {
    const [target] = event.composedPath();
    if (this.#dialogs.at(-1)?.open === false && target instanceof HTMLElement) this.#focused = target;
  };
}

const presses = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'] as const;

/** Hides presses on the chat from the dialog: many pages close a dialog on a press outside its box. */
function keepInside(event: Event): void {
  if (event.target === event.currentTarget) event.stopPropagation();
}

function isModal(dialog: HTMLDialogElement): boolean {
  return dialog.isConnected && dialog.matches(':modal');
}
