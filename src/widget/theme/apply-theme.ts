import type { Scheme, Theme } from './derive-theme.ts';

/**
 * Puts a theme on an element; everything below it inherits the private tokens. Uses custom properties only, which a
 * strict content policy lets through. Call it again with another theme to change it in place.
 */
export function applyTheme(element: HTMLElement, theme: Theme, scheme?: Scheme): void {
  for (const [name, colour] of Object.entries(theme)) {
    if (element.style.getPropertyValue(name) !== colour) element.style.setProperty(name, colour);
  }
  if (scheme) element.style.setProperty('color-scheme', scheme);
}

/** The background a host's style sheet sets for this scheme, for `deriveTheme({surface})`; nothing when it sets none. */
export function hostSurface(element: Element, scheme: Scheme): string | undefined {
  return getComputedStyle(element).getPropertyValue(`--agent-chat-surface-${scheme}`).trim() || undefined;
}
