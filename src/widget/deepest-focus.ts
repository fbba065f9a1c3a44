/** What has the focus, through shadow roots; from an element that has it, or from the document's on. */
export function deepestFocus(from: Element | null = document.activeElement): Element | null {
  let focused = from;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
