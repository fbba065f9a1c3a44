import { matchMediaSafe, compactViewport } from './media-queries.ts';

/** What has the focus, through shadow roots; from an element that has it, or from the document's on. */
export function deepestFocus(from: Element | null = document.activeElement): Element | null {
  let focused = from;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** Whether one writes in an element: in what takes text, or in a frame, which does not tell what has the focus in it. */
export function isWriting(element: EventTarget | null | undefined): boolean {
  return element instanceof Element && element.matches(':read-write, iframe');
}

/**
 * Whether a panel that opens may take the focus: not from who writes in the page, nor on a page that nobody has touched
 * yet, as long as the page is seen beside the panel.
 */
export function mayTakeFocus(formKind: string): boolean {
  if (formKind === 'float' && !matchMediaSafe(compactViewport).matches) {
    return !isWriting(deepestFocus()) && navigator.userActivation?.hasBeenActive !== false;
  }
  return formKind !== 'custom';
}
