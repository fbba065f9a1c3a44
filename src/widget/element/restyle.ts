import type { CSSResult, ReactiveElement } from '@lit/reactive-element';

/**
 * Gives the styles back to a shadow root and to those inside. Browsers take constructed style sheets from each shadow
 * root that moves to another document, such as the one in which a library has parsed the next page, and do not return
 * them.
 */
export function restyle(root: DocumentFragment | HTMLElement): void {
  if (root instanceof ShadowRoot && root.ownerDocument === document && !root.adoptedStyleSheets.length) {
    const { elementStyles } = root.host.constructor as Partial<typeof ReactiveElement>; // only our elements have a root
    root.adoptedStyleSheets = (elementStyles ?? []).flatMap(
      (styles) => (styles as CSSResult).styleSheet ?? [],
    );
  }
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) restyle(shadowRoot);
}
