import type { LitElement, ReactiveController } from 'lit';
import { placePopover, transcriptBoundary } from '../place-popover.ts';
import { CitationMarkElement } from './citation-mark.ts';

/** How long the pointer rests on a source until its preview shows, in ms. */
const restMs = 250;
/** How long the preview stays, so that the pointer can move into it, in ms. */
const leaveMs = 200;

/** A source in the row, or a mark in the text. */
interface Anchor {
  readonly element: Element;
  readonly number: number;
}

/**
 * The preview of the source under the pointer, or of the one with keyboard focus. It can be moved into, stays until
 * pointer and focus have left, and Escape dismisses it. A finger opens the source instead.
 * @source WCAG 2.2, 1.4.13 "Content on Hover or Focus"
 */
export class SourcePreviewController implements ReactiveController {
  readonly #host: LitElement;
  #shown: Anchor | undefined;
  #focused: Anchor | undefined;
  /** Stays hidden until pointer and focus have left it. */
  #dismissed: Element | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isQuiet = false;

  /** @param host renders `.preview`, a manual popover that is empty while nothing is shown */
  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Number of the source, from 1; 0 while none is shown. */
  get number(): number {
    return this.#shown?.number ?? 0;
  }

  hostConnected(): void {
    this.listen(this.#host.renderRoot);
  }

  /** Listens where sources or marks are: what moves between two of them is not heard further out. */
  listen(root: HTMLElement | DocumentFragment): void {
    // DOM types know these events of elements only
    const target = root as HTMLElement;
    target.addEventListener('pointerover', this.#onOver);
    target.addEventListener('pointerout', this.#onOut);
    target.addEventListener('pointerdown', this.#hide);
    target.addEventListener('focusin', this.#onFocus);
    target.addEventListener('focusout', this.#onBlur);
  }

  hostDisconnected(): void {
    this.#hide();
  }

  hostUpdated(): void {
    const popover = this.#popover;
    if (!popover?.togglePopover || !popover.isConnected) return;
    const anchor = this.#shown?.element;
    const isShown = Boolean(anchor?.isConnected && popover.childElementCount);
    popover.togglePopover(isShown);
    if (isShown) this.#place();
  }

  /** Runs an action that focuses a source, without a preview: the visitor has just left it. */
  focusQuietly(focus: () => void): void {
    this.#hide();
    this.#isQuiet = true;
    focus();
    this.#isQuiet = false;
  }

  get #popover(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.preview');
  }

  readonly #onOver = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') return;
    const anchor = this.#anchorOf(event);
    if (anchor?.element !== this.#dismissed) this.#dismissed = undefined;
    else return;
    if (anchor?.element === this.#shown?.element || this.#isInPreview(event)) clearTimeout(this.#timer);
    else if (anchor) this.#after(restMs, anchor);
  };

  readonly #onOut = (): void => this.#after(leaveMs, this.#focused);

  readonly #onFocus = (event: FocusEvent): void => {
    const [target] = event.composedPath();
    const anchor = this.#anchorOf(event);
    if (!anchor || this.#isQuiet || !(target instanceof Element && target.matches(':focus-visible'))) return;
    this.#focused = anchor;
    this.#show(anchor);
  };

  readonly #onBlur = (): void => {
    this.#focused = this.#dismissed = undefined;
    this.#hide();
  };

  /** Heard wherever the focus is; only then can the preview below the pointer be dismissed, too. */
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || !this.#popover?.matches(':popover-open')) return;
    event.preventDefault();
    event.stopPropagation();
    this.#dismissed = this.#shown?.element;
    this.#focused = undefined;
    this.#hide();
  };

  readonly #hide = (): void => this.#show(undefined);

  readonly #place = (): void => {
    const [popover, anchor] = [this.#popover, this.#shown?.element];
    if (!popover || !anchor) return;
    const boundary = transcriptBoundary(anchor);
    const { top, bottom } = anchor.getBoundingClientRect();
    if (bottom < boundary.top || top > boundary.bottom) this.#hide();
    else placePopover(popover, anchor, { boundary, side: 'above' });
  };

  #after(delayMs: number, anchor: Anchor | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(anchor), delayMs);
  }

  #show(anchor: Anchor | undefined): void {
    clearTimeout(this.#timer);
    if (this.#shown?.element === anchor?.element) return;
    this.#shown = anchor;
    const change = anchor ? addEventListener : removeEventListener;
    change('keydown', this.#onKey, true);
    change('scroll', this.#place, true);
    this.#host.requestUpdate();
  }

  #isInPreview(event: Event): boolean {
    const popover = this.#popover;
    return popover !== null && event.composedPath().includes(popover);
  }

  #anchorOf(event: Event): Anchor | undefined {
    for (const element of event.composedPath()) {
      if (element instanceof CitationMarkElement) return { element, number: element.number };
      if (element instanceof HTMLElement && element.matches('.source')) return sourceAnchor(element);
    }
    return undefined;
  }
}

/** A source that has nothing more to tell than is seen has no preview. */
function sourceAnchor(element: HTMLElement): Anchor | undefined {
  const title = element.querySelector('span');
  const isCut = title !== null && title.scrollWidth > title.clientWidth;
  if (!isCut && !element.hasAttribute('aria-describedby')) return undefined;
  return { element, number: Number(element.dataset['number']) };
}
