/** Adds a style sheet to the shadow root of an element, once. */
export function adoptStyles(element: Element, styleSheet: CSSStyleSheet | undefined): void {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
}

/** The same for an element that is about to be inserted: before the next paint. */
export function adoptStylesOnceInserted(element: Element, styleSheet: CSSStyleSheet | undefined): void {
  queueMicrotask(() => adoptStyles(element, styleSheet));
}
