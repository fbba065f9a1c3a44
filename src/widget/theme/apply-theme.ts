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

/** Removes a theme that was set on an element. */
export function removeTheme(element: HTMLElement, theme: Theme): void {
  for (const name of [...Object.keys(theme), 'color-scheme']) element.style.removeProperty(name);
}
