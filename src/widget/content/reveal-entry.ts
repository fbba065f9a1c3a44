import { ownPixels } from '../platform/own-pixels.ts';

/**
 * Scrolls a row sideways until it starts with the entry that has keyboard focus, unless the whole entry is in view.
 * Chromium does not scroll to an element of which 32 pixels are visible.
 */
export function revealEntry(event: FocusEvent): void {
  const row = event.currentTarget as HTMLElement; // the listener is on the row
  const path = event.composedPath();
  const entry = [...row.children].find((child) => path.includes(child));
  if (!entry || !(path[0] instanceof Element && path[0].matches(':focus-visible'))) return;
  const view = row.getBoundingClientRect();
  const box = entry.getBoundingClientRect();
  if (box.left >= view.left && box.right <= view.right) return;
  const isRtl = getComputedStyle(row).direction === 'rtl';
  row.scrollLeft += (isRtl ? box.right - view.right : box.left - view.left) * ownPixels(row);
}
