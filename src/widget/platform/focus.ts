import { compactViewport, matchMediaSafe } from './media-queries.ts';

/** The focused element, across shadow roots, starting from `from` or the document. */
export function deepestFocus(from: Element | null = document.activeElement): Element | null {
  let focused = from;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/**
 * Whether the visitor may be typing in an element: a text field, or an iframe, whose focus is not visible from
 * outside.
 */
export function isWriting(element: EventTarget | null | undefined): boolean {
  return element instanceof Element && element.matches(':read-write, iframe');
}

/**
 * Whether an opening panel may take focus. As long as the page is visible beside the panel, it may not take it from a
 * field of the page, and only if the visitor has just done something: not when a page loads with an open chat.
 */
export function mayTakeFocus(formKind: string): boolean {
  if (formKind === 'float' && !matchMediaSafe(compactViewport).matches) {
    return !isWriting(deepestFocus()) && navigator.userActivation?.isActive !== false;
  }
  return formKind !== 'custom';
}
