/**
 * Lets everything that is still scheduled in a page happen.
 * @param {import('playwright').Page} page
 * @param {number} pause milliseconds before the page is asked whether it has nothing to do
 */
export function settle(page, pause = 400) {
  return page.evaluate(
    (milliseconds) => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), milliseconds)),
    pause,
  );
}
