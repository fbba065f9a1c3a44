/** The longest wait, in ms: nothing is painted in a hidden tab. */
const maxWaitMs = 100;

/** Resolves when what is rendered now has been painted. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, maxWaitMs);
  });
}
