/** A window that the panel covers whole, a phone's above all; the style sheets say the same. */
export const compactViewport =
  '(max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse)';

/** What the window is asked; nothing is known of it in the DOM that tests of a page may have, jsdom. */
export const matchMediaSafe = (query: string): Pick<MediaQueryList, 'matches' | keyof EventTarget> =>
  window.matchMedia?.(query) ?? Object.assign(new EventTarget(), { matches: false });
