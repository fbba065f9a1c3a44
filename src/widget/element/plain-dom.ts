const svgNamespace = 'http://www.w3.org/2000/svg';

/** Creates an element with class and part. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  tag: Name,
  { className = '', part = '' } = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (part) element.setAttribute('part', part);
  return element;
}

/** Creates an icon that is hidden from assistive technology, and the path that is its shape. */
export function createIcon(): { readonly icon: SVGElement; readonly path: SVGPathElement } {
  const icon = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  icon.append(path);
  return { icon, path };
}
