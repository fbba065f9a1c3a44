import { expect } from '@playwright/test';
import { scriptedScenarios } from '../../demo/agents/scripted/scenarios.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { recordShifts, shiftsOf } from '../tools/layout-shifts.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

test.describe.configure({ mode: 'parallel' }); // waits for the pace of the agent

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

/** All of them by `SCENARIOS=all`: played at the agent's pace, on a machine that has time, they take minutes. */
const usual: readonly string[] = ['/markdown', '/long', '/citations', '/several', '/summary', '/plan'];
const played = scriptedScenarios.filter(
  ({ command }) => process.env['SCENARIOS'] === 'all' || usual.includes(command),
);

for (const size of [
  { width: 1200, height: 800 },
  { width: 390, height: 844 },
])
  test(`nothing moves while the scenarios are read, ${size.width} pixels wide`, async ({ page }) => {
    test.setTimeout(60_000 + 30_000 * played.length);
    await page.route('**/shifts.html', (route) => route.fulfill({ contentType: 'text/html', body: host }));
    await page.setViewportSize(size);
    await recordShifts(page);
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
    for (const { command } of played) {
      const message = [command, shorter[command]].filter(Boolean).join(' ');
      const before = (await shiftsOf(page)).length;
      await play(message);
      const shifts = (await shiftsOf(page)).slice(before);
      // a summary pushes the status line out of the view, where the answer ends at its lower edge
      const isPushedOut = (move: string): boolean => move.endsWith(' to 0,0,0,0');
      expect
        .soft(
          shifts.filter(({ moves }) => !moves.every(isPushedOut)),
          message,
        )
        .toEqual([]);
    }
  });
