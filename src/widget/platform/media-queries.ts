/** Matches windows that the panel covers completely, above all on phones. The style sheets use the same query. */
export const compactViewport =
  '(max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse)';

/** `matchMedia`, or a query that never matches where it is missing, as in jsdom. */
export const matchMediaSafe = (query: string): Pick<MediaQueryList, 'matches' | keyof EventTarget> =>
  window.matchMedia?.(query) ?? Object.assign(new EventTarget(), { matches: false });
