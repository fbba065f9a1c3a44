import { test } from '@playwright/test';
import { recordLiveRegions } from '../a11y/announcements.ts';
import { PageServer } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import type { Engine, EnginePage } from './engine-page.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

/** An engine that runs, with the service beside it. */
export interface Bench {
  readonly page: EnginePage;
  /** Opens a page of another origin, with one link and the chat of an agent, closed; what is heard on it is kept. */
  open(agent: string): Promise<void>;
}

/**
 * Runs tests in Firefox and in WebKit. Where an engine is not installed they are skipped, and their names say what is
 * missing.
 */
export function inEachEngine(tests: (bench: () => Bench) => void): void {
  for (const source of [firefox, webkit]) {
    const missing = source.missing();
    test.describe(missing === undefined ? source.name : `${source.name} (not run: ${missing})`, () => {
      test.skip(missing !== undefined);
      let service: ServiceProcess;
      let host: PageServer;
      let engine: Engine;
      let token: string;

      test.beforeAll(async () => {
        service = await ServiceProcess.start();
        host = await PageServer.start();
        token = await service.token();
        engine = await source.start();
        console.log(`${source.name}: ${engine.version}`);
      });
      test.afterAll(async () => {
        await engine.close();
        await host.close();
        await service.stop();
      });

      tests(() => ({
        page: engine.page,
        async open(agent) {
          host.pages.set('/page.html', {
            html: `<!doctype html><html lang="en"><title>Host</title><script>(${String(recordLiveRegions)})()</script>
              <body><a href="#top">Host link</a><script async src="${service.origin}/agent-chat.js"
              data-agent-id="${agent}" data-token="${token}"></script></body></html>`,
          });
          await engine.page.goto(`${host.origin}/page.html`);
        },
      }));
    });
  }
}
