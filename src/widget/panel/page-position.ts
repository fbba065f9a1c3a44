import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How long after a resize a scroll of the page counts as the browser's, in ms. */
const settleMs = 1_000;

/**
 * Keeps the page's scroll position while the panel covers the window. When a phone is turned while a field has focus,
 * browsers scroll the page towards the field, although the field is in a fixed panel. The visitor would return to
 * another part of the page.
 */
export class PagePosition implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly covers: boolean };
  /**
   * Scroll position by width of the window: turning a phone changes the page's height, and turning back restores it.
   */
  readonly #tops = new Map<number, number>();
  #resizedAt = -Infinity;

  constructor(host: ReactiveControllerHost & { readonly covers: boolean }) {
    this.#host = host;
    host.addController(this);
    this.hostUpdated();
  }

  hostConnected(): void {
    addEventListener('resize', this.#onResize);
    addEventListener('scroll', this.#onScroll);
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.#onResize);
    removeEventListener('scroll', this.#onScroll);
  }

  hostUpdated(): void {
    if (!this.#host.covers) this.#tops.clear();
    else if (this.#tops.size === 0) this.#tops.set(innerWidth, scrollY);
  }

  readonly #onResize = (): void => {
    this.#resizedAt = performance.now();
  };

  readonly #onScroll = ({ target }: Event): void => {
    if (target !== document || !this.#host.covers) return;
    const top = this.#tops.get(innerWidth);
    const isOfTurn = performance.now() - this.#resizedAt < settleMs;
    if (isOfTurn && top !== undefined) scrollTo({ top, behavior: 'instant' });
    else this.#tops.set(innerWidth, scrollY); // the page's own script, or the first time at this width
  };
}
