/** Adds a style sheet to the shadow root of an element, once. */
export function adoptStyles(element: Element, styleSheet: CSSStyleSheet | undefined): void {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
}
