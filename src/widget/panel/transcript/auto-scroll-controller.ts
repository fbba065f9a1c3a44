import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { matchMediaSafe } from '../../platform/media-queries.ts';

/** Distance from the end, in pixels, that still counts as being there. */
const tolerance = 24;

/** A place in the text: an element, and how far down it, as a share of its height. */
interface Anchor {
  readonly element: Element;
  readonly share: number;
}

/**
 * Keeps the end of the transcript in view while the reader is there, and leaves the reader alone otherwise.
 * Reads and writes the scroll position after layout only, so that following costs no layout of its own.
 */
export class AutoScrollController implements ReactiveController {
  /** The reader is at the end, or nothing was scrolled yet. */
  following = true;
  /** Something was added below while the reader was elsewhere. */
  newBelow = false;
  readonly #host: ReactiveControllerHost;
  #scroller: HTMLElement | undefined;
  #left: HTMLElement | undefined;
  #observer: ResizeObserver | undefined;
  /** What the reader has before them, away from the end. */
  #anchor: Anchor | undefined;
  #top = 0;
  #width = 0;
  #view = 0;
  #height = 0;
  #hidden = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Out of the page a scroller forgets its place: it is put back when the host comes back. */
  hostConnected(): void {
    const top = this.#top;
    if (!this.#left) return;
    const scroller = this.#left;
    this.#host.requestUpdate();
    requestAnimationFrame(() => {
      scroller.scrollTop = this.following ? scroller.scrollHeight : top;
    });
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#left = this.#scroller;
    this.#scroller = undefined;
  }

  /** Starts with a scroller and the content that grows in it. Safe to call at every update. */
  attach(scroller: HTMLElement, content: HTMLElement): void {
    if (this.#scroller === scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    if (!window.ResizeObserver) return; // as in jsdom, where nothing has a size
    this.#observer = new ResizeObserver(this.#onResize);
    this.#observer.observe(content);
    this.#observer.observe(scroller);
  }

  /** Nothing is there to follow, until it is attached again. */
  leave(): void {
    this.hostDisconnected();
    this.#left = undefined;
    this.#top = 0;
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.follow();
    const behavior = matchMediaSafe('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    this.#scroller?.scrollTo({ top: this.#scroller.scrollHeight, behavior });
  }

  /** Goes to the end when what was added below is laid out, and stays there. */
  follow(): void {
    this.following = true;
    this.newBelow = false;
    this.#top = 0; // where it stands by then is nobody's choice
    this.#host.requestUpdate();
  }

  /** Something was said. Where the reader does not see its end, they are told. @param find gives it, once it is drawn */
  added(find: () => Element | null | undefined): void {
    if (this.following || this.newBelow) return;
    requestAnimationFrame(() => {
      const last = find();
      if (!last || !this.#scroller || this.following) return;
      const end = last.getBoundingClientRect().bottom; // not that of the room it has to grow
      if (end <= this.#scroller.getBoundingClientRect().bottom + tolerance) return;
      this.newBelow = true;
      this.#host.requestUpdate();
    });
  }

  readonly #onScroll = (): void => {
    const scroller = this.#scroller;
    if (!scroller || this.#hidden) return;
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = scroller;
    // lines break elsewhere: that moves the position, not the reader, and is seen to after layout
    if (clientWidth !== this.#width) return;
    const up = scrollTop < this.#top - 1;
    this.#top = scrollTop;
    const atEnd = scrollHeight - scrollTop - clientHeight <= tolerance;
    const { following, newBelow } = this;
    // what shrinks moves the position up without the reader's doing, but to the end
    if (atEnd) this.following = true;
    else if (up) this.following = false;
    this.#height = scrollHeight;
    this.#anchor = this.following ? undefined : middleOf(scroller);
    if (atEnd) this.newBelow = false;
    if (following !== this.following || newBelow !== this.newBelow) this.#host.requestUpdate();
  };

  readonly #onResize = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    const hidden = scroller.clientHeight === 0;
    const back = this.#hidden && !hidden;
    this.#hidden = hidden;
    // without a box of its own it has no place: the one it had is kept for when it is shown again
    if (hidden) return;
    if (back) scroller.scrollTop = this.#top;
    // the reader went up in this very frame: that is told of in the next one only
    const { scrollTop, clientHeight, clientWidth } = scroller;
    const isReflow = clientWidth !== this.#width;
    const below = Math.min(this.#height, scroller.scrollHeight) - scrollTop - clientHeight;
    if (!isReflow && scrollTop < this.#top - 1 && below > tolerance) this.following = false;
    if (isReflow) {
      // lines break elsewhere: the reader keeps the line they had before them, or the share of the text they had reached
      const share = this.#height > 0 ? (this.#top + this.#view / 2) / this.#height : 0;
      this.#width = clientWidth;
      if (!this.following) {
        const ahead = this.#anchor && distanceFromMiddle(scroller, this.#anchor);
        scroller.scrollTop =
          ahead === undefined
            ? share * scroller.scrollHeight - scroller.clientHeight / 2
            : scroller.scrollTop + ahead;
        this.#top = scroller.scrollTop;
      }
    }
    this.#anchor ??= this.following ? undefined : middleOf(scroller);
    this.#view = scroller.clientHeight;
    this.#height = scroller.scrollHeight;
    if (this.following) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#top = scroller.scrollTop;
    }
  };
}

/** The innermost element in the middle of what is seen, through shadow roots; undefined when something covers it. */
function middleOf(scroller: HTMLElement): Anchor | undefined {
  const { left, top, width, height } = scroller.getBoundingClientRect();
  const middle = top + height / 2;
  let root: DocumentOrShadowRoot | null = scroller.getRootNode() as ShadowRoot; // it stands in a component's
  let element: Element | null = null;
  while (root) {
    const hit: Element | null = root.elementFromPoint(left + width / 2, middle);
    if (!hit || hit === element) break;
    if (!element && !scroller.contains(hit)) return undefined;
    element = hit;
    root = hit.shadowRoot;
  }
  const box = element?.getBoundingClientRect();
  return element && box && box.height > 0 ? { element, share: (middle - box.top) / box.height } : undefined;
}

/** How far below the middle of what is seen a place is now, in pixels; undefined when it is no longer there. */
function distanceFromMiddle(scroller: HTMLElement, { element, share }: Anchor): number | undefined {
  const { top, height } = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return height > 0 ? top + share * height - (view.top + view.height / 2) : undefined;
}
