import {
  chromium,
  test as base,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Request,
} from '@playwright/test';
import { browserArguments } from './find-browser.js';
import { ServiceProcess } from './service-process.ts';

/**
 * What the tests of a worker share, started by the first that asks for it. Every file of end-to-end tests takes one of
 * the three `test` below: Playwright ends a worker and its browser before a file with other shared fixtures.
 */
interface Shared {
  /** The built playground with default settings, but without request limits: hundreds of visitors share one address. */
  readonly sharedService: ServiceProcess;
  /** A browser whose scrollbars take room. */
  readonly scrollbarBrowser: Browser;
  readonly workerContext: WorkerContext;
}

interface WorkerContext {
  readonly context: BrowserContext;
  readonly session: CDPSession;
}

/** Playwright's `test`: a context of its own for each, for tests that set options of the context, or its clock. */
export const isolatedTest = base.extend<object, Shared>({
  sharedService: [
    async ({}, use) => {
      const service = await ServiceProcess.start({ RATE_LIMIT: '0' });
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  scrollbarBrowser: [
    async ({ launchOptions }, use) => {
      const browser = await chromium.launch({
        ...launchOptions,
        args: browserArguments,
        ignoreDefaultArgs: ['--hide-scrollbars'],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
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
});

/** As `isolatedTest`, in a browser whose scrollbars take room. */
export const scrollbarTest = isolatedTest.extend<{ context: BrowserContext }>({
  context: async ({ scrollbarBrowser }, use) => {
    const context = await scrollbarBrowser.newContext();
    await use(context);
    await context.close();
  },
});

/**
 * Playwright's `test`, its pages in one context for as long as a worker lives: the engine keeps its process from test
 * to test, where starting another took half of a short test's time. Each test still has a page of its own, and finds
 * nothing stored, cached, granted or answered by another. Not for tests that set options of the context, or its
 * clock: those take `isolatedTest`.
 */
export const test = isolatedTest.extend<{ context: BrowserContext }>({
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
      throw new Error('a clock is installed in every page to come: take `isolatedTest`');
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
