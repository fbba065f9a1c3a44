import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { cssZoom } from '../platform/css-zoom.ts';
import { compactViewport, matchMediaSafe } from '../platform/media-queries.ts';

/**
 * Height of the visual viewport in pixels below which the header is hidden while the on-screen keyboard is open.
 */
const minHeightForHeader = 320;

/** A panel that fits into the visual viewport. */
export interface ViewportHost extends ReactiveControllerHost, HTMLElement {
  /** Whether the panel covers the page of a phone. */
  readonly covers: boolean;
}

/**
 * Fits a panel that covers the window into the visual viewport: on phones, the on-screen keyboard shrinks only that.
 * Sets `--_viewport-height`, `--_viewport-top` and the attribute `low`.
 */
export class ViewportController implements ReactiveController {
  readonly #host: ViewportHost;
  /**
   * Matches where the style sheet uses the visual viewport. Reading its size forces a layout, so it is skipped
   * elsewhere.
   */
  readonly #compact = matchMediaSafe(compactViewport);
  /** Undefined in happy-dom, which pages may use for their tests. */
  readonly #viewport = globalThis.visualViewport;
  #pagePosition: Promise<unknown> | undefined;

  constructor(host: ViewportHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether an open panel covers the whole window. */
  get isCompact(): boolean {
    return this.#compact.matches;
  }

  hostConnected(): void {
    this.#viewport?.addEventListener('resize', this.update);
    this.#viewport?.addEventListener('scroll', this.update);
  }

  hostDisconnected(): void {
    this.#viewport?.removeEventListener('resize', this.update);
    this.#viewport?.removeEventListener('scroll', this.update);
  }

  /** Call it when the panel was opened. */
  readonly update = (): void => {
    const host = this.#host;
    if (host.covers)
      this.#pagePosition ??= import('./page-position.ts').then(
        (module) => new module.PagePosition(host),
        () => undefined,
      );
    if (!this.isCompact) {
      // after a rotation the old values are wrong
      host.style.removeProperty('--_viewport-height');
      host.style.removeProperty('--_viewport-top');
      host.removeAttribute('low');
      return;
    }
    const viewport = this.#viewport;
    if (!viewport || viewport.scale > 1.01) return;
    const { height, offsetTop } = viewport;
    const zoom = cssZoom(host);
    host.style.setProperty('--_viewport-height', `${height / zoom}px`);
    host.style.setProperty('--_viewport-top', `${offsetTop / zoom}px`);
    // a phone in landscape with its keyboard open has room for conversation and composer only
    host.toggleAttribute('low', height < minHeightForHeader && height < innerHeight - minHeightForHeader / 4);
  };
}
