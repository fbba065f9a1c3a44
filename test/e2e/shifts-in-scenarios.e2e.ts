import { expect } from '@playwright/test';
import { scriptedScenarios } from '../../demo/agents/scripted/scenarios.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { recordShifts, shiftsOf } from '../tools/layout-shifts.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

let service: ServiceProcess;
test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

/** Arguments that keep a scenario short. All others are played at their own pace. */
const shorter: Readonly<Record<string, string>> = {
  '/slow': '0.1',
  '/stall': '1',
  '/later': '1',
};

const host = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
  <body><h1>Shop</h1><agent-chat agent-id="demo" token-url="/demo/token" storage="none" open></agent-chat>
  <script async src="/agent-chat.js"></script></body></html>`;

const sizes = { 'a desktop': { width: 1200, height: 800 }, 'a phone': { width: 390, height: 844 } };
for (const [name, size] of Object.entries(sizes)) {
  for (const { command } of scriptedScenarios) {
    const message = [command, shorter[command]].filter(Boolean).join(' ');
    test(`nothing moves while ${message} is read on ${name}`, async ({ page }) => {
      await page.setViewportSize(size);
      await recordShifts(page);
      await page.route('**/shifts.html', (route) => route.fulfill({ contentType: 'text/html', body: host }));
      await page.goto(`${service.origin}/shifts.html`);
      const chat = new ChatPage(page);
      await chat.composer.waitFor();
      // sent without a key: shifts within half a second of one do not count
      const play = async (text: string): Promise<void> => {
        await chat.evaluate((element, words) => element.send(words), text);
        await expect
          .poll(() => chat.evaluate(({ connection }) => connection), { timeout: 30_000 })
          .toBe('idle');
      };
      await play('Hello'); // the header takes over the name from the welcome page
      const before = (await shiftsOf(page)).length;
      await play(message);
      expect((await shiftsOf(page)).slice(before)).toEqual([]);
    });
  }
}
