import type { ChatHost } from '../chat-host.ts';
import { moveElement } from '../platform/move-element.ts';
import { coversViewport, bringToTop } from './top-layer.ts';

const guests = new WeakMap<ChatHost, DialogPortal>();

/**
 * While a modal dialog of the page is open all that stands outside it is inert, the chat too. So the element goes into
 * the dialog that opened last, over it, and back to its place when that is over. What stands in place stays there, and
 * so does a panel that covers the window: it would hide the dialog that the page wants seen.
 */
export function portalIntoDialog(element: ChatHost, dialog: HTMLDialogElement): void {
  if (!isModal(dialog) || dialog.contains(element) || element.contains(dialog)) return;
  if (element.formKind === 'custom' || coversViewport(element)) return;
  let guest = guests.get(element);
  if (!guest) guests.set(element, (guest = new DialogPortal(element)));
  guest.join(dialog);
}

/** One element on its way through dialogs. */
class DialogPortal {
  readonly #element: ChatHost;
  /** Keeps the element's place on the page. */
  readonly #home = document.createComment('');
  /** The dialogs that it stood in and may go back to, the last one on top. */
  #dialogs: HTMLDialogElement[] = [];
  /** What had focus in the element when a closing dialog took it. */
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

  /** A dialog was closed or taken away: back into the one under it, or home. */
  #follow(): void {
    const element = this.#element;
    const last = this.#dialogs.at(-1);
    if (!last || (isModal(last) && last.contains(element))) return;
    const isTakenAway = !last.contains(element);
    this.#dialogs = isTakenAway ? [] : this.#dialogs.filter(isModal);
    const next = this.#dialogs.at(-1);
    if (next) moveElement(element, next);
    // gone with its place, or put elsewhere by the page: then that is where it belongs
    else if (!isTakenAway && this.#home.parentElement)
      moveElement(element, this.#home.parentElement, this.#home);
    if (!next) this.#end();
    const focused = this.#focused;
    this.#focused = undefined;
    if (!focused) return;
    // a layer that left the page for a moment is shown by the element's next update
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

/** Many pages close a dialog when a press lands outside its box; one on the chat is not meant for it. */
function keepInside(event: Event): void {
  if (event.target === event.currentTarget) event.stopPropagation();
}

function isModal(dialog: HTMLDialogElement): boolean {
  return dialog.isConnected && dialog.matches(':modal');
}
