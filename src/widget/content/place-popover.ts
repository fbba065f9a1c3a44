import { cssZoom } from '../platform/css-zoom.ts';

/** Space between a field, its popover and the edges of the visible area, in pixels. */
const gap = 4;
/** Height of the visible transcript below which a popover may cover what is around it, in pixels. */
const minHeight = 200;

/** A box in pixels of the layout viewport. */
export interface Boundary {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Where a popover is placed. */
export interface PlacementOptions {
  /** The popover stays inside it. Default: the visible part of the page. */
  readonly boundary?: Boundary;
  /** The side that is taken if the popover fits there. Default `below`. */
  readonly side?: 'below' | 'above';
}

/** Places a popover on one side of an element, or on the other where it has more space, inside the boundary. */
export function placePopover(
  popover: HTMLElement,
  element: Element,
  { boundary = visibleBoundary(), side = 'below' }: PlacementOptions = {},
): void {
  const box = element.getBoundingClientRect();
  const zoom = cssZoom(popover);
  const [width, height] = [popover.offsetWidth * zoom, popover.offsetHeight * zoom];
  const [below, above] = [boundary.bottom - box.bottom, box.top - boundary.top];
  const fits = (side === 'below' ? below : above) > height + gap;
  const isBelow = fits ? side === 'below' : below > above;
  const top = isBelow ? box.bottom + gap : box.top - height - gap;
  const left = element.matches(':dir(rtl)') ? box.right - width : box.left;
  const within = (at: number, size: number, start: number, end: number): number =>
    Math.max(start + gap, Math.min(at, end - size - gap));
  popover.style.top = `${within(top, height, boundary.top, boundary.bottom) / zoom}px`;
  popover.style.left = `${within(left, width, boundary.left, boundary.right) / zoom}px`;
}

/** Height that is free for a popover below or above a field, whichever is more, in pixels of the layout viewport. */
export function freeHeight(field: HTMLElement, boundary: Boundary): number {
  const { top, bottom } = field.getBoundingClientRect();
  return Math.max(boundary.bottom - bottom, top - boundary.top) - 2 * gap;
}

/** The part of the transcript that is visible now, or all that is visible where the transcript is small. */
export function transcriptBoundary(element: Element): Boundary {
  const visible = visibleBoundary();
  const frame = transcriptAround(element)?.getBoundingClientRect();
  if (!frame) return visible;
  const top = Math.max(visible.top, frame.top);
  const bottom = Math.min(visible.bottom, frame.bottom);
  const left = Math.max(visible.left, frame.left);
  const right = Math.min(visible.right, frame.right);
  return bottom - top < minHeight ? visible : { top, bottom, left, right };
}

function transcriptAround(element: Element): Element | undefined {
  for (let at: Element | undefined = element; at;) {
    const log: Element | null = at.closest('[role=log]');
    if (log) return log;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  return undefined;
}

/** What an on-screen keyboard and zooming leave visible. */
function visibleBoundary(): Boundary {
  const { offsetTop = 0, offsetLeft = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  return { top: offsetTop, left: offsetLeft, right: offsetLeft + width, bottom: offsetTop + height };
}
