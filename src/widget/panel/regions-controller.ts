import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isWriting } from '../platform/focus.ts';

/** A panel whose regions can be reached with the keyboard. */
export interface RegionsHost extends ReactiveControllerHost, HTMLElement {
  /** The regions in order. */
  readonly regions: readonly HTMLElement[];
  /** Whether the panel is open. */
  readonly shown: boolean;
  /** The box that may cover the whole window. */
  readonly frame: HTMLElement | null;
  /** Opens the list of shortcuts. */
  showHelp(): void;
  /** Moves focus to a sensible place after the focused element was removed. */
  focusFallback(): void;
}

const focusable =
  'button, [href], input, textarea, select, summary, [tabindex="0"], agent-chat-composer, agent-chat-transcript';

/**
 * Keyboard navigation between the regions of a panel. F6 and Shift+F6 move between regions, `?` opens the help. When
 * the focused element is removed, focus moves to a fallback. While the panel covers the window, focus stays in it.
 */
export class RegionsController implements ReactiveController {
  readonly #host: RegionsHost;
  /** The element inside that has focus, or had it when it was removed. */
  #focused: HTMLElement | undefined;
  /** Direction of a Tab press in progress. */
  #tab: 1 | -1 | undefined;
  #check = 0;

  constructor(host: RegionsHost) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('keydown', this.#onKey);
    host.addEventListener('focusin', this.#onFocusIn);
    host.addEventListener('focusout', this.#onFocusOut);
  }

  hostConnected(): void {
    document.addEventListener('focusin', this.#onFocusElsewhere);
    // on an element, screen readers would call everything inside "clickable"
    document.addEventListener('click', this.#onClick);
  }

  hostDisconnected(): void {
    document.removeEventListener('focusin', this.#onFocusElsewhere);
    document.removeEventListener('click', this.#onClick);
    const focused = this.#focused;
    this.#focused = undefined;
    // a page that swaps its body (Turbo, htmx) puts the chat back at once
    setTimeout(() => document.activeElement === document.body && focused?.focus({ preventScroll: true }));
  }

  hostUpdated(): void {
    if (this.#focused) this.#checkSoon();
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

  readonly #onFocusIn = (event: FocusEvent): void => {
    this.#focused = event.composedPath()[0] as HTMLElement; // no other element takes focus
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    const target = event.composedPath()[0];
    const to = event.relatedTarget;
    if (to instanceof Node && !this.#host.contains(to)) {
      this.#focused = undefined;
      // the document gets no event when focus moves between panel and launcher
      if (this.#tab && this.#coversWindow) this.#enter(this.#tab);
    } else if (!to) {
      // the visitor moved focus elsewhere, unless the element was removed
      requestAnimationFrame(() => {
        if (target instanceof Element && target.isConnected && !this.#hasFocus) this.#focused = undefined;
        else if (this.#focused) this.#checkSoon();
      });
    }
  };

  /**
   * Content behind the panel is invisible: focus that goes there is moved back, except into one of the page's
   * dialogs.
   */
  readonly #onFocusElsewhere = (event: Event): void => {
    const path = event.composedPath();
    if (!this.#host.shown || path.includes(this.#host) || !this.#coversWindow) return;
    const dialog = event.target instanceof Element ? event.target.closest(':modal') : null;
    // the chat itself may be inside that dialog; then the panel covers it as well
    const { host } = this.#host.getRootNode() as ShadowRoot; // the panel is always in a shadow root
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

  /** Moves focus back into the panel, at the end that Tab would reach next. */
  #enter(step: 1 | -1): void {
    setTimeout(() => this.#walk([], step));
  }

  #checkSoon(): void {
    cancelAnimationFrame(this.#check);
    this.#check = requestAnimationFrame(() => {
      this.#check = requestAnimationFrame(() => {
        if (!this.#focused || this.#hasFocus || !this.#host.shown) return;
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
    // the layout size: during the opening animation the box looks smaller
    const { offsetWidth, offsetHeight } = frame;
    return offsetWidth >= document.documentElement.clientWidth - 1 && offsetHeight >= innerHeight - 1;
  }
}

/** Returns the region itself if it is focusable, else the first focusable element in it. */
function firstFocusable(region: HTMLElement): HTMLElement | undefined {
  if (region.matches(focusable)) return region;
  const inside = [...(region.shadowRoot ?? region).querySelectorAll<HTMLElement>(focusable)];
  return inside.find((element) => !element.hidden && element.getClientRects().length > 0);
}
