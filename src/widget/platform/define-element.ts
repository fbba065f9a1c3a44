/**
 * Registers a custom element, unless the name is taken by another copy or version of the script, or there is no DOM.
 */
export function defineElement(tag: string, element: CustomElementConstructor): void {
  if (!globalThis.customElements || customElements.get(tag)) return;
  // an element with this callback is not disconnected and connected again by `moveBefore`
  element.prototype.connectedMoveCallback ??= () => undefined;
  customElements.define(tag, element);
}
