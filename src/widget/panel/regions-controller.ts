import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isWriting } from '../platform/focus.ts';

/** A panel made of regions one can walk through with the keyboard. */
export interface RegionsHost extends ReactiveControllerHost, HTMLElement {
  /** The regions in order. */
  readonly regions: readonly HTMLElement[];
  /** Whether the panel is open. */
  readonly shown: boolean;
  /** The box that may cover the whole window. */
  readonly frame: HTMLElement | null;
  /** Opens the list of shortcuts. */
  showHelp(): void;
  /** Where focus goes when what had it is gone. */
  focusFallback(): void;
}

const focusable =
  'button, [href], input, textarea, select, summary, [tabindex="0"], agent-chat-composer, agent-chat-transcript';

/**
 * The keyboard between the regions of a panel: F6 and Shift+F6 walk, `?` shows the shortcuts, focus that would be lost
 * with a removed button is kept, and none goes behind a panel that covers the window.
 */
export class RegionsController implements ReactiveController {
  readonly #host: RegionsHost;
  #hadFocus = false;
  /** Which way Tab goes, while it does. */
  #tab: 1 | -1 | undefined;
  #check = 0;

  constructor(host: RegionsHost) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('keydown', this.#onKey);
    host.addEventListener('click', this.#onClick);
    host.addEventListener('focusin', this.#onFocusIn);
    host.addEventListener('focusout', this.#onFocusOut);
  }

  hostConnected(): void {
    document.addEventListener('focusin', this.#onFocusElsewhere);
  }

  hostDisconnected(): void {
    document.removeEventListener('focusin', this.#onFocusElsewhere);
    cancelAnimationFrame(this.#check);
    this.#hadFocus = false;
  }

  hostUpdated(): void {
    if (this.#hadFocus) this.#checkSoon();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? -1 : 1;
    this.#tab = event.key === 'Tab' ? step : undefined;
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'F6') {
      event.preventDefault();
      this.#walk(event.composedPath(), step);
    } else if (event.key === '?' && !isWriting(event.composedPath()[0])) {
      event.preventDefault();
      this.#host.showHelp();
    }
    this.#checkSoon();
  };

  readonly #onClick = (): void => this.#checkSoon();

  readonly #onFocusIn = (): void => {
    this.#hadFocus = true;
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    const target = event.composedPath()[0];
    const to = event.relatedTarget;
    if (to instanceof Node && !this.#host.contains(to)) {
      this.#hadFocus = false;
      // between the panel and the launcher the document hears of nothing
      if (this.#tab && this.#coversWindow) this.#enter(this.#tab);
    } else if (!to) {
      // the visitor went elsewhere, unless the element was taken away
      requestAnimationFrame(() => {
        if (target instanceof Element && target.isConnected && !this.#hasFocus) this.#hadFocus = false;
        else if (this.#hadFocus) this.#checkSoon();
      });
    }
  };

  /** What the panel covers cannot be seen: focus that goes there comes back, except to a dialog of the host's. */
  readonly #onFocusElsewhere = (event: Event): void => {
    const path = event.composedPath();
    if (!this.#host.shown || path.includes(this.#host) || !this.#coversWindow) return;
    const dialog = event.target instanceof Element ? event.target.closest(':modal') : null;
    // the panel's own element may stand in it, and then the panel covers it too
    const { host } = this.#host.getRootNode() as ShadowRoot; // a panel is drawn in a shadow root
    if (dialog && !dialog.contains(host)) return;
    this.#enter(this.#tab ?? 1);
  };

  #walk(path: readonly EventTarget[], step: 1 | -1): void {
    const { regions } = this.#host;
    const count = regions.length;
    const found = regions.findIndex((region) => path.includes(region));
    const at = found < 0 && step > 0 ? -1 : Math.max(found, 0);
    for (let tried = 1; tried <= count; tried += 1) {
      const next = regions[(at + step * tried + 2 * count) % count];
      const target = next && firstFocusable(next);
      if (!target) continue;
      target.focus();
      return;
    }
  }

  /** Into the panel again, as if the window ended where it does. */
  #enter(step: 1 | -1): void {
    setTimeout(() => this.#walk([], step));
  }

  #checkSoon(): void {
    cancelAnimationFrame(this.#check);
    this.#check = requestAnimationFrame(() => {
      this.#check = requestAnimationFrame(() => {
        if (!this.#hadFocus || this.#hasFocus || !this.#host.shown) return;
        if ((document.activeElement ?? document.body) === document.body) this.#host.focusFallback();
      });
    });
  }

  get #hasFocus(): boolean {
    return this.#host.matches(':focus-within');
  }

  get #coversWindow(): boolean {
    const { frame } = this.#host;
    if (frame?.getAttribute('role') !== 'dialog') return false;
    // its size in the layout: while it comes it is drawn smaller
    const { offsetWidth, offsetHeight } = frame;
    return offsetWidth >= document.documentElement.clientWidth - 1 && offsetHeight >= innerHeight - 1;
  }
}

/** What focus goes to in a region: itself when it can take focus, else the first thing in it that can. */
function firstFocusable(region: HTMLElement): HTMLElement | undefined {
  if (region.matches(focusable)) return region;
  const inside = [...(region.shadowRoot ?? region).querySelectorAll<HTMLElement>(focusable)];
  return inside.find((element) => !element.hidden && element.getClientRects().length > 0);
}
