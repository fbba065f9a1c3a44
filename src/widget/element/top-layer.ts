import type { ChatHost } from '../chat-host.ts';
import type { PanelElement } from '../panel/panel.ts';

/** Hides the chat's popover and shows it again: the top layer stacks elements in the order they were added. */
export function bringToTop({ renderRoot }: ChatHost): void {
  const layer = renderRoot.querySelector<HTMLElement>('.layer[popover]');
  if (!layer?.matches(':popover-open')) return; // not in the top layer yet; the element's next update adds it
  layer.hidePopover();
  layer.showPopover();
}

/**
 * Moves the chat above a popover that covers the viewport. Smaller popovers, such as menus and tooltips, stay above the
 * chat. Does nothing when the chat is in place (`custom`), or when its panel covers the viewport and would hide the
 * popover.
 */
export function bringAbovePopover(element: ChatHost, popover: HTMLElement): void {
  if (!popover.matches(':popover-open') || element.formKind === 'custom' || coversViewport(element)) return;
  const { left, top, right, bottom } = popover.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  if (left < 1 && top < 1 && right > clientWidth - 1 && bottom > clientHeight - 1) bringToTop(element);
}

/** Whether the panel, or the shell while it loads, is as wide as the viewport. */
export function coversViewport({ renderRoot, config }: ChatHost): boolean {
  const frame =
    renderRoot.querySelector<PanelElement>('agent-chat-panel')?.frame ??
    renderRoot.querySelector<HTMLElement>('.shell');
  // offsetWidth ignores transforms, so the opening animation does not make the panel look smaller
  return config.open && frame !== null && frame.offsetWidth >= document.documentElement.clientWidth - 1;
}
