import type { Scheme } from './derive-theme.ts';

/** The background that a page's style sheet sets for this scheme; undefined if it sets none. */
export function hostSurface(element: Element, scheme: Scheme): string | undefined {
  return getComputedStyle(element).getPropertyValue(`--agent-chat-surface-${scheme}`).trim() || undefined;
}
