/** Space between a field, its popover and the edges of the visible area, in pixels. */
const gap = 4;
/** Height of a transcript below which a popover may cover what is around it, in pixels. */
const leastRoom = 200;

/** A box in pixels of the layout viewport. */
export interface Room {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Where a popover may be. */
export interface Placing {
  /** Default: what is visible of the page. */
  readonly room?: Room;
  /** The side that is taken if it has room enough. Default `below`. */
  readonly side?: 'below' | 'above';
}

/** Puts a popover on one side of an element, or on the other where there is more room, and inside the visible area. */
export function placeBeside(
  popover: HTMLElement,
  element: Element,
  { room = visibleRoom(), side = 'below' }: Placing = {},
): void {
  const box = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const [below, above] = [room.bottom - box.bottom, box.top - room.top];
  const fits = (side === 'below' ? below : above) > height + gap;
  const isBelow = fits ? side === 'below' : below > above;
  const top = isBelow ? box.bottom + gap : box.top - height - gap;
  const left = element.matches(':dir(rtl)') ? box.right - width : box.left;
  const within = (at: number, size: number, start: number, end: number): number =>
    Math.max(start + gap, Math.min(at, end - size - gap));
  popover.style.top = `${within(top, height, room.top, room.bottom)}px`;
  popover.style.left = `${within(left, width, room.left, room.right)}px`;
}

/** Height that is free for a popover below or above a field, whichever is more, in pixels. */
export function freeHeight(field: HTMLElement, room: Room): number {
  const { top, bottom } = field.getBoundingClientRect();
  return Math.max(room.bottom - bottom, top - room.top) - 2 * gap;
}

/** The part of the transcript that is visible now, or all that is visible where the transcript is small. */
export function transcriptRoom(element: Element): Room {
  const visible = visibleRoom();
  const frame = transcriptAround(element)?.getBoundingClientRect();
  if (!frame) return visible;
  const top = Math.max(visible.top, frame.top);
  const bottom = Math.min(visible.bottom, frame.bottom);
  const left = Math.max(visible.left, frame.left);
  const right = Math.min(visible.right, frame.right);
  return bottom - top < leastRoom ? visible : { top, bottom, left, right };
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
function visibleRoom(): Room {
  const { offsetTop = 0, offsetLeft = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  return { top: offsetTop, left: offsetLeft, right: offsetLeft + width, bottom: offsetTop + height };
}
