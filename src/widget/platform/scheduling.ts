/** Longest wait for a paint, in ms: a hidden tab paints nothing. */
const maxPaintDelayMs = 100;

/** Resolves when what is rendered now has been painted. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, maxPaintDelayMs);
  });
}

/** Calls `work` when the page is idle, after 3 s at the latest. Engines that do not tell wait 0.3 s. */
export function requestIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 300);
}
