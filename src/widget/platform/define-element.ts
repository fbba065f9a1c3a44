/**
 * Registers a custom element once. A second copy of the script on a page, or another version, finds the name taken and
 * leaves it alone.
 */
export function defineElement(tag: string, element: CustomElementConstructor): void {
  if (customElements.get(tag)) return;
  // with it, a move by `moveBefore` is no leaving and coming back
  element.prototype.connectedMoveCallback ??= () => undefined;
  customElements.define(tag, element);
}
