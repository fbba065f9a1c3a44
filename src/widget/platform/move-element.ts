import { deepestFocus } from './focus.ts';

/**
 * Moves an element on the page without the visitor losing anything: draft, scroll position, focus and a running answer
 * stay. Where the engine cannot move without taking the element out for a moment, focus and caret are put back; the
 * transcript sees to its own scroll position.
 */
export function moveElement(element: HTMLElement, parent: Element, before: Node | null = null): void {
  if (element.isConnected && parent.isConnected && 'moveBefore' in parent) {
    parent.moveBefore(element, before);
    return;
  }
  const focused = focusWithin(element);
  const caret = focused instanceof HTMLTextAreaElement ? focused.selectionStart : undefined;
  const end = focused instanceof HTMLTextAreaElement ? focused.selectionEnd : undefined;
  parent.insertBefore(element, before);
  if (!focused) return;
  // a layer that was taken out is shown again by the element's next update
  requestAnimationFrame(() => {
    focused.focus({ preventScroll: true });
    if (focused instanceof HTMLTextAreaElement && caret !== undefined)
      focused.setSelectionRange(caret, end ?? caret);
  });
}

/** What has the focus inside an element, however deep. */
function focusWithin(element: HTMLElement): HTMLElement | undefined {
  const focused = element.contains(document.activeElement) ? deepestFocus() : null;
  return focused instanceof HTMLElement ? focused : undefined;
}
