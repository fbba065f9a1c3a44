/** Registers a custom element, unless the name is taken by another copy or version of the script. */
export function defineElement(tag: string, element: CustomElementConstructor): void {
  if (customElements.get(tag)) return;
  // with this callback, `moveBefore` does not disconnect and reconnect the element
  element.prototype.connectedMoveCallback ??= () => undefined;
  customElements.define(tag, element);
}
