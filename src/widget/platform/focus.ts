/** The focused element, across shadow roots, starting from `from` or the document. */
export function deepestFocus(from: Element | null = document.activeElement): Element | null {
  let focused = from;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
