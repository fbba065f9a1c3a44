import type { ChatHost } from '../chat-host.ts';
import type { PanelElement } from '../panel/panel.ts';
import { matchMediaSafe, compactViewport } from '../platform/media-queries.ts';

/** Puts the element's layer over all else in the page's top layer, which is in the order in which things came into it. */
export function bringToTop({ renderRoot }: ChatHost): void {
  const layer = renderRoot.querySelector<HTMLElement>('.layer[popover]');
  if (!layer?.matches(':popover-open')) return; // it comes with the element's next update
  layer.hidePopover();
  layer.showPopover();
}

/**
 * A popover of the page that covers the whole window would take the chat away: the layer goes over it. A smaller one, a
 * menu or a hint, stays above, and so does any over a panel that itself covers the window: it would hide what the page
 * wants seen.
 */
export function bringAbovePopover(element: ChatHost, popover: HTMLElement): void {
  if (!popover.matches(':popover-open') || element.formKind === 'custom' || coversViewport(element)) return;
  const { left, top, right, bottom } = popover.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  if (left < 1 && top < 1 && right > clientWidth - 1 && bottom > clientHeight - 1) bringToTop(element);
}

/** Whether an open panel leaves nothing of the page to see, or will once it is there. */
export function coversViewport({ renderRoot, config, formKind }: ChatHost): boolean {
  if (!config.open) return false;
  const frame = renderRoot.querySelector<PanelElement>('agent-chat-panel')?.frame;
  if (!frame) return formKind === 'fullscreen-overlay' || matchMediaSafe(compactViewport).matches;
  // as laid out: on its way in it is drawn a little smaller
  return frame.offsetWidth >= document.documentElement.clientWidth - 1;
}
