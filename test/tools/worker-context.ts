import { test as base, type BrowserContext, type CDPSession, type Request } from '@playwright/test';

/**
 * Playwright's `test`, its pages in one context for as long as a worker lives: the engine keeps its process from test
 * to test, where starting another took half of a short test's time. Each test still has a page of its own, and finds
 * nothing stored, cached, granted or answered by another. Not for tests that set options of the context, or its
 * clock: those take Playwright's own.
 */
export const test = base.extend<{ context: BrowserContext }, { workerContext: WorkerContext }>({
  workerContext: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      // stays, so that the process does
      const held = await context.newPage();
      await use({ context, session: await context.newCDPSession(held) });
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ workerContext: { context, session } }, use) => {
    const origins = new Set<string>();
    const [held] = context.pages();
    const note = (request: Request): unknown => origins.add(new URL(request.url()).origin);
    context.on('request', note);
    await use(context);
    context.off('request', note);
    const [isNative, now] = (await held?.evaluate(
      () => [String(Date).includes('[native code]'), Date.now()] as const,
    )) ?? [true, Date.now()];
    if (!isNative || Math.abs(now - Date.now()) > 60_000)
      throw new Error("a clock is installed in every page to come: take Playwright's own test");
    for (const page of context.pages()) if (page !== held) await page.close();
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearPermissions();
    await session.send('Network.clearBrowserCache');
    for (const origin of origins)
      if (origin.startsWith('http')) {
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      }
  },
});

interface WorkerContext {
  readonly context: BrowserContext;
  readonly session: CDPSession;
}
