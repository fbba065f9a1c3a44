/** Calls `work` when the page is idle, after 3 s at the latest. */
export function requestIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 300);
}
