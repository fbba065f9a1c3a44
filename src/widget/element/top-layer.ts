import type { ChatHost } from '../chat-host.ts';
import type { PanelElement } from '../panel/panel.ts';
import { matchMediaSafe, compactViewport } from '../platform/media-queries.ts';

/** Moves the element's layer to the top of the page's top layer, which is ordered by time of entry. */
export function bringToTop({ renderRoot }: ChatHost): void {
  const layer = renderRoot.querySelector<HTMLElement>('.layer[popover]');
  if (!layer?.matches(':popover-open')) return; // not in the top layer yet; the element's next update adds it
  layer.hidePopover();
  layer.showPopover();
}

/**
 * Moves the layer above a popover that covers the whole window and would hide the chat. Smaller popovers, such as
 * menus and hints, stay above. So do all popovers over a panel that itself covers the window: the panel would hide
 * them.
 */
export function bringAbovePopover(element: ChatHost, popover: HTMLElement): void {
  if (!popover.matches(':popover-open') || element.formKind === 'custom' || coversViewport(element)) return;
  const { left, top, right, bottom } = popover.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  if (left < 1 && top < 1 && right > clientWidth - 1 && bottom > clientHeight - 1) bringToTop(element);
}

/** Whether the panel covers the whole page, or will once it is rendered. */
export function coversViewport({ renderRoot, config, formKind }: ChatHost): boolean {
  if (!config.open) return false;
  const frame = renderRoot.querySelector<PanelElement>('agent-chat-panel')?.frame;
  if (!frame) return formKind === 'fullscreen-overlay' || matchMediaSafe(compactViewport).matches;
  // the layout size: during the opening animation the box looks smaller
  return frame.offsetWidth >= document.documentElement.clientWidth - 1;
}
