import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { deepestFocus, isWriting } from '../../platform/focus.ts';
import { matchMediaSafe } from '../../platform/media-queries.ts';
import { ownPixels } from '../../platform/own-pixels.ts';

/** Distance from the end, in pixels, that still counts as the end. */
const tolerance = 24;
/** The same while the reader scrolls by hand, in pixels; rounding errors are smaller. */
const gestureTolerance = 1;

/** Distance of a question from the top of the view, in pixels, when the answer below it outgrows the view. */
const questionGap = 16;

/** An element whose start stays in view: the end is not followed past it. */
interface Stop {
  readonly element: HTMLElement;
  /** Distance in pixels from the top of a view with this height at which the element's start stays. */
  readonly gap: (viewHeight: number) => number;
  /** Whether content that is added out of view is new to the reader, as an answer is. */
  readonly hasNewBelow: boolean;
}

/** A position in the text: an element, and the share of its height above the position. */
interface Anchor {
  readonly element: Element;
  readonly share: number;
}

/**
 * Keeps the end of the transcript in view while the reader is there; otherwise leaves the position alone. Reads and
 * writes the scroll position only after layout, so that following forces no extra layout.
 */
export class AutoScrollController implements ReactiveController {
  /** True when content was added below the reader's position. */
  newBelow = false;
  readonly #host: ReactiveControllerHost;
  readonly #findLast: () => Element | null | undefined;
  #isFollowing = true;
  #scroller: HTMLElement | undefined;
  #detachedScroller: HTMLElement | undefined;
  #observer: ResizeObserver | undefined;
  /** What the reader has in view while not at the end. */
  #anchor: Anchor | undefined;
  #lastTop = 0;
  #viewWidth = 0;
  #viewHeight = 0;
  #scrollHeight = 0;
  #isHidden = false;
  /** A finger rests on the transcript, so nothing is scrolled. */
  #isTouched = false;
  /** A size changed under the finger. */
  #isBehind = false;
  /** Nothing is scrolled, as on the home page. */
  #isPaused = false;
  /** Where following stops, until the reader scrolls or the next turn begins. */
  #stop: Stop | undefined;
  /** Distance from the end, in pixels, at which scrolling up stops following. */
  #unfollowPx = tolerance;

  /** @param findLast returns the element in which content is added, once it is rendered */
  constructor(host: ReactiveControllerHost, findLast: () => Element | null | undefined) {
    this.#host = host;
    this.#findLast = findLast;
    host.addController(this);
  }

  /** True while the reader is at the end, and before the first scroll. */
  get following(): boolean {
    return this.#isFollowing;
  }

  /** A scroller loses its position when it is disconnected. */
  hostConnected(): void {
    const top = this.#lastTop;
    const scroller = this.#detachedScroller;
    if (!scroller) return;
    this.#host.requestUpdate();
    requestAnimationFrame(() => this.restore(scroller, top));
  }

  /** Restores the position, after a move without `hostDisconnected` too: a dialog that closes leaves no box. */
  restore(scroller = this.#scroller, top = this.#lastTop): void {
    if (scroller && !this.#isPaused) scroller.scrollTop = this.following ? scroller.scrollHeight : top;
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    for (const type of gestureStarts) this.#scroller?.removeEventListener(type, this.#onGesture);
    this.#isTouched = false;
    this.#detachedScroller = this.#scroller;
    this.#scroller = undefined;
  }

  /** Starts with a scroller and its content. Safe to call at every update. */
  attach(scroller: HTMLElement, content: HTMLElement): void {
    if (this.#scroller === scroller && !this.#isPaused) return;
    this.#isPaused = false;
    this.#observe(scroller, content);
    this.#setFollowing(this.following);
    for (const type of gestureStarts) scroller.addEventListener(type, this.#onGesture, { passive: true });
  }

  /** Leaves the position alone until `attach` is called. Safe to call at every update. */
  pause(scroller: HTMLElement, content: HTMLElement): void {
    if (this.#scroller === scroller && this.#isPaused) return;
    this.#isPaused = true;
    this.#observe(scroller, content);
    this.#detachedScroller = undefined;
    this.#lastTop = 0;
  }

  #observe(scroller: HTMLElement, content: HTMLElement): void {
    this.hostDisconnected();
    this.#scroller = scroller;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    if (!window.ResizeObserver) return; // missing in jsdom, where nothing has a size
    this.#observer = new ResizeObserver(this.#onResize);
    this.#observer.observe(content);
    this.#observer.observe(scroller);
  }

  /** Scrolls to the end and follows it. */
  scrollToEnd(): void {
    this.follow();
    if (this.#scroller) scrollSmoothly(this.#scroller, this.#scroller.scrollHeight);
  }

  /** Scrolls by so many views, up if negative; `Infinity` means to the start or the end. False if there is no more. */
  scrollByViews(scroller: HTMLElement, views: number): boolean {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const end = scrollHeight - clientHeight;
    const top = Math.min(Math.max(0, scrollTop + views * clientHeight), end);
    if (Math.abs(top - scrollTop) < 1) return false;
    this.#unfollowPx = gestureTolerance;
    this.#stop = undefined;
    if (views < 0) this.#setFollowing(false);
    if (views === Infinity) this.follow();
    scrollSmoothly(scroller, top);
    return true;
  }

  /**
   * While following, stops where an element starts in the upper third of the view, with some of the text before it.
   * After a question, does so if the element starts in the same view as the question.
   */
  keepStart(element: HTMLElement): void {
    const scroller = this.#scroller;
    const isNext =
      this.#stop?.hasNewBelow && scroller
        ? distanceFromTop(this.#stop.element, element) < scroller.clientHeight
        : this.following;
    if (!isNext) return;
    this.follow();
    this.#stop = { element, gap: (viewHeight) => viewHeight / 3, hasNewBelow: false };
  }

  /**
   * Follows the end; scrolls there after the next layout.
   * @param question stays at the top of the view, so that the answer is read from its beginning; of one that is taller
   *   than half the view, the last lines stay
   */
  follow(question?: HTMLElement | null): void {
    this.#setFollowing(true);
    this.newBelow = false;
    this.#unfollowPx = tolerance;
    this.#stop = question
      ? {
          element: question,
          gap: (viewHeight) => Math.min(questionGap, viewHeight / 2 - question.offsetHeight),
          hasNewBelow: true,
        }
      : undefined;
    this.#lastTop = 0; // the current position was not chosen by the reader
    this.#host.requestUpdate();
  }

  /** Called when the answer has ended. Of one that is only a little taller than the view, shows the end. */
  answerEnded(): void {
    const scroller = this.#scroller;
    if (!scroller || !this.#stop?.hasNewBelow || this.#isTouched) return;
    if (distanceToEnd(scroller) <= tolerance) this.#jumpToEnd(scroller, undefined);
  }

  /** Called when content was added. Sets `newBelow` if its end is out of view. */
  contentAdded(): void {
    if (this.following || this.newBelow || this.#stop?.hasNewBelow === false) return;
    requestAnimationFrame(() => {
      if (!this.#scroller || this.following || !this.#isLastBelow(this.#scroller)) return;
      this.newBelow = true;
      this.#host.requestUpdate();
    });
  }

  /** Whether the end of the last turn is out of view; the space that is reserved below it does not count. */
  #isLastBelow(scroller: HTMLElement): boolean {
    const last = this.#findLast() ?? scroller;
    return last.getBoundingClientRect().bottom > scroller.getBoundingClientRect().bottom + tolerance;
  }

  readonly #onScroll = (): void => {
    const scroller = this.#scroller;
    if (!scroller || this.#isHidden) return;
    markEdges(scroller);
    if (this.#isPaused) return;
    const { scrollTop, scrollHeight, clientWidth } = scroller;
    // the text reflows: not a scroll of the reader; `#onResize` handles it
    if (clientWidth !== this.#viewWidth) return;
    const up = this.#isAbove(scrollTop);
    this.#lastTop = scrollTop;
    const below = distanceToEnd(scroller);
    const { following, newBelow } = this;
    // shrinking content also moves the position up, but then to the end
    if (up && below >= this.#unfollowPx) this.#setFollowing(false);
    else if (below <= tolerance) this.#setFollowing(true);
    this.#scrollHeight = scrollHeight;
    this.#anchor = this.following ? undefined : middleOf(scroller);
    if (below <= tolerance) this.newBelow = false;
    if (following !== this.following || newBelow !== this.newBelow) this.#host.requestUpdate();
  };

  readonly #onResize = (): void => {
    const scroller = this.#scroller;
    if (!scroller) return;
    if (this.#isPaused) return markEdges(scroller);
    const hidden = scroller.clientHeight === 0;
    const back = this.#isHidden && !hidden;
    this.#isHidden = hidden;
    // a hidden scroller has no position; keep the old one until it is shown again
    if (hidden) return;
    if (back) scroller.scrollTop = this.#lastTop;
    const isReflow = scroller.clientWidth !== this.#viewWidth;
    const isViewResized = this.#viewHeight > 0 && (isReflow || scroller.clientHeight !== this.#viewHeight);
    if (isReflow) this.#reflow(scroller);
    else this.#noticeScroll(scroller);
    this.#anchor ??= this.following ? undefined : middleOf(scroller);
    this.#viewHeight = scroller.clientHeight;
    this.#scrollHeight = scroller.scrollHeight;
    this.#isBehind = this.#isTouched;
    // a reader at the end stays there when a phone is turned or its keyboard opens
    if (this.following && !this.#isTouched) this.#jumpToEnd(scroller, isViewResized ? undefined : this.#stop);
    markEdges(scroller);
    // a view that has grown may contain what was below it, without a scroll
    if (!isViewResized) return;
    revealField(scroller);
    this.newBelow &&= this.#isLastBelow(scroller);
    this.#host.requestUpdate();
  };

  /** The text has another width: keeps the line that the reader had in view, or else their share of the whole text. */
  #reflow(scroller: HTMLElement): void {
    const share = this.#scrollHeight > 0 ? (this.#lastTop + this.#viewHeight / 2) / this.#scrollHeight : 0;
    this.#viewWidth = scroller.clientWidth;
    if (this.following) return;
    const ahead = this.#anchor && distanceFromMiddle(scroller, this.#anchor);
    scroller.scrollTop =
      ahead === undefined
        ? share * scroller.scrollHeight - scroller.clientHeight / 2
        : scroller.scrollTop + ahead;
    this.#lastTop = scroller.scrollTop;
  }

  /**
   * Called when the reader may start to scroll by hand: with the wheel, a key, or a pointer. From then on, one pixel up
   * stops following: a drag moves less than `tolerance` per frame, and following a fast answer would undo that in every
   * frame. While a finger touches the transcript, nothing is scrolled.
   */
  readonly #onGesture = (event: Event): void => {
    this.#unfollowPx = gestureTolerance;
    this.#stop = undefined;
    if (event.type !== 'touchstart') return;
    this.#isTouched = true;
    // listen on the target, which gets these events even after its removal
    const target = event.composedPath()[0];
    for (const type of touchEnds) target?.addEventListener(type, this.#onTouchEnd);
  };

  readonly #onTouchEnd = (event: Event): void => {
    if ((event as TouchEvent).touches.length > 0) return; // listens to touch events only
    for (const type of touchEnds) event.currentTarget?.removeEventListener(type, this.#onTouchEnd);
    this.#isTouched = false;
    // a tap of a reader near the end moves nothing: the click would miss its button
    if (!this.#isBehind || !this.#scroller) return;
    this.#isBehind = false;
    this.#noticeScroll(this.#scroller);
    if (this.following) this.#jumpToEnd(this.#scroller, this.#stop);
  };

  /** The reader may have scrolled up in this frame, before the scroll event. */
  #noticeScroll(scroller: HTMLElement): void {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const below = Math.min(this.#scrollHeight, scrollHeight) - scrollTop - clientHeight;
    if (this.#isAbove(scrollTop) && below >= this.#unfollowPx) this.#setFollowing(false);
  }

  /**
   * Turns following on or off. While it is on, the browser's scroll anchoring is off: when content shrinks, such as a
   * turn that is retried, anchoring would move the end out of view, as if the reader had scrolled up.
   */
  #setFollowing(isFollowing: boolean): void {
    this.#isFollowing = isFollowing;
    if (this.#scroller) this.#scroller.style.overflowAnchor = isFollowing ? 'none' : '';
  }

  #isAbove(scrollTop: number): boolean {
    return scrollTop < this.#lastTop - (this.#isTouched ? 0 : gestureTolerance / 2);
  }

  #jumpToEnd(scroller: HTMLElement, stop: Stop | undefined): void {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const top = stop?.element.isConnected
      ? scrollTop + distanceFromTop(scroller, stop.element) - stop.gap(clientHeight)
      : Infinity;
    this.#setFollowing(top >= scrollHeight - clientHeight);
    scroller.scrollTop = this.following ? scrollHeight : Math.max(scrollTop, top);
    this.#lastTop = scroller.scrollTop;
    if (this.following || !stop?.hasNewBelow || distanceToEnd(scroller) <= tolerance) return;
    this.newBelow = true;
    this.#host.requestUpdate();
  }
}

/** Events that may start scrolling by hand. */
const gestureStarts = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;
const touchEnds = ['touchend', 'touchcancel'] as const;

/** Distance from an end, in pixels, at which the text begins to fade there. */
const edge = 8;

/** Tells the style sheet at which ends of the view there is more text. */
function markEdges(scroller: HTMLElement): void {
  scroller.toggleAttribute('data-more-above', scroller.scrollTop > edge);
  scroller.toggleAttribute('data-more-below', distanceToEnd(scroller) > edge);
}

/** Height of the content below the view, in pixels. */
function distanceToEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop;
}

/** Scrolls a focused text field to the middle of the view if it is out of view, as when an on-screen keyboard opens. */
function revealField(scroller: HTMLElement): void {
  const root = scroller.getRootNode() as ShadowRoot; // of the transcript
  const field = deepestFocus(root.activeElement) as HTMLElement | null; // in HTML
  if (!field || !isWriting(field)) return;
  const room = scroller.clientHeight - field.offsetHeight;
  const top = distanceFromTop(scroller, field);
  if (top < 0 || top > room) scroller.scrollTop += top - room / 2;
}

function scrollSmoothly(scroller: HTMLElement, top: number): void {
  const behavior = matchMediaSafe('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  scroller.scrollTo({ top, behavior });
}

/** Distance from the top of one element, such as the scroller, down to another, in the first one's pixels. */
export function distanceFromTop(from: HTMLElement, element: HTMLElement): number {
  const ahead = element.getBoundingClientRect().top - from.getBoundingClientRect().top;
  return ahead * ownPixels(from);
}

/** The innermost element in the middle of the view, across shadow roots; undefined when something covers it. */
function middleOf(scroller: HTMLElement): Anchor | undefined {
  const { left, top, width, height } = scroller.getBoundingClientRect();
  const middle = top + height / 2;
  // the scroller is in an element's shadow root
  let root: DocumentOrShadowRoot | null = scroller.getRootNode() as ShadowRoot;
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

/** Pixels of the scroller from the middle of the view down to a position; undefined when it no longer exists. */
function distanceFromMiddle(scroller: HTMLElement, { element, share }: Anchor): number | undefined {
  const { top, height } = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  const ahead = top + share * height - (view.top + view.height / 2);
  return height > 0 ? ahead * ownPixels(scroller) : undefined;
}
