/** In place of Lit's stand-in for a DOM: where there is none, elements can be imported, and are not registered. */
export function HTMLElement(): void {
  // a base class without members
}
export const customElements = undefined;
