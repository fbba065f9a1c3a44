import type { Scheme, Theme } from './derive-theme.ts';

/**
 * Sets a theme on an element; everything inside inherits the private tokens. Uses custom properties only, which a
 * strict CSP allows. Call it again to change the theme.
 */
export function applyTheme(element: HTMLElement, theme: Theme, scheme?: Scheme): void {
  for (const [name, colour] of Object.entries(theme)) {
    if (element.style.getPropertyValue(name) !== colour) element.style.setProperty(name, colour);
  }
  if (scheme) element.style.setProperty('color-scheme', scheme);
}

/**
 * The background that a page's style sheet sets for this scheme, for `deriveTheme({surface})`; undefined if it sets
 * none.
 */
export function hostSurface(element: Element, scheme: Scheme): string | undefined {
  return getComputedStyle(element).getPropertyValue(`--agent-chat-surface-${scheme}`).trim() || undefined;
}
