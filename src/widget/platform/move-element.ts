import { deepestFocus } from './focus.ts';

/**
 * Moves an element without losing the draft, scroll position, focus or running answer. Where the engine has no
 * `moveBefore`, focus and caret are restored; the transcript restores its own scroll position.
 */
export function moveElement(element: HTMLElement, parent: ParentNode, before: Node | null = null): void {
  if (element.isConnected && parent.isConnected && 'moveBefore' in parent) {
    parent.moveBefore(element, before);
    return;
  }
  const focused = element.contains(document.activeElement) ? deepestFocus() : null;
  const caret = focused instanceof HTMLTextAreaElement ? focused.selectionStart : undefined;
  const end = focused instanceof HTMLTextAreaElement ? focused.selectionEnd : undefined;
  parent.insertBefore(element, before);
  if (!(focused instanceof HTMLElement)) return;
  // the next update shows the layer again, after it left the document
  requestAnimationFrame(() => {
    focused.focus({ preventScroll: true });
    if (focused instanceof HTMLTextAreaElement && caret !== undefined)
      focused.setSelectionRange(caret, end ?? caret);
  });
}
