import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { faultPlan } from '../tools/fault-plan.ts';
import { faultyChat, playPlan, readTurn } from '../tools/faulty-chat.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

// `SEEDS=1000 FIRST_SEED=0` in `npm run test:faults`; a failure names its seed, which repeats the same plan
const count = Number(process.env['SEEDS'] ?? 20);
const from = Number(process.env['FIRST_SEED'] ?? 0);
const perTest = 10;

const chat = faultyChat(test);
let page: Page;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  chat.watch(page);
  await page.clock.install();
  await page.goto(await chat.pageUrl('storage="none"'));
  await new ChatPage(page).composer.waitFor();
});
test.afterAll(async () => {
  await page.close();
});

for (let seed = from; seed < from + count; seed += perTest) {
  const last = Math.min(seed + perTest, from + count) - 1;
  test(`fault plans ${seed} to ${last} end with the agent's complete answer, requested once`, async () => {
    test.setTimeout(120_000);
    for (let one = seed; one <= last; one += 1) {
      const plan = faultPlan(one);
      const told = JSON.stringify(plan);
      const result = await playPlan(page, chat, plan);
      expect(result.last, told).toMatchObject({
        status: 'completed',
        text: result.words,
        connection: 'idle',
      });
      expect(chat.asked(result.words), told).toBeGreaterThan(0);
      expect(chat.asked(result.words), `a turn ran twice: ${told}`).toBeLessThanOrEqual(result.turns);
      expect(chat.faults, told).toEqual([]);
    }
    await expect.poll(() => new ChatPage(page).lastAnswer()).toContain(`Plan ${last} `);
  });
}

test('after the last plan, no turn is still active', async () => {
  await expect.poll(() => readTurn(page)).toMatchObject({ connection: 'idle' });
});
