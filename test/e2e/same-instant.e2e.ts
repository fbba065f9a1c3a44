import { expect, type BrowserContext, type Page } from '@playwright/test';
import { visibleMessages } from '../tools/chat-page.ts';
import { faultyChat, readTurn } from '../tools/faulty-chat.ts';
import { seeded } from '../tools/seeded.ts';
import { test } from '../tools/worker-context.ts';

const chat = faultyChat(test);

/** Seeds to play; more with `SAME_INSTANT_SEEDS=200`. */
const seeds = Number(process.env['SAME_INSTANT_SEEDS'] ?? 6);

async function tab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('agent-chat textarea').waitFor();
  return page;
}

/** Says something in a page at a moment of the machine's clock, which all its tabs share. */
function sayAt(page: Page, text: string, moment: number): Promise<void> {
  return page.evaluate(
    async ([words, at]) => {
      const host = document.querySelector('agent-chat');
      while (Date.now() < at)
        if (at - Date.now() > 20) await new Promise((resolve) => setTimeout(resolve, 5));
      void host?.send(words);
    },
    [text, moment] as const,
  );
}

for (let seed = 0; seed < seeds; seed += 1) {
  const { between } = seeded(seed * 7919 + 3);
  // the first two at once: that is the hardest
  const gap = seed < 2 ? 0 : between(0, 50);
  const isBegun = seed % 2 === 0;
  const name = `two tabs send ${gap} ms apart in a conversation that is ${isBegun ? 'begun' : 'new'}`;
  test(`seed ${seed}: ${name}: nothing is lost or duplicated, also after a reload`, async ({ context }) => {
    const script = `document.querySelector('agent-chat').additionalParameters = { delay_ms: ${between(1, 25)}, chunk_length: 4 };`;
    const url = await chat.pageUrl('storage="local"', { path: `/instant-${seed}.html`, script });
    const one = await tab(context, url);
    const before = isBegun ? [`Before it, seed ${seed}`] : [];
    if (isBegun) {
      await sayAt(one, `Before it, seed ${seed}`, 0);
      await expect.poll(() => readTurn(one)).toMatchObject({ status: 'completed', connection: 'idle' });
    }
    const other = await tab(context, url);
    if (isBegun) await expect.poll(() => visibleMessages(other)).toHaveLength(2);
    const [left, right] = [`Said on the left, seed ${seed}`, `Said on the right, seed ${seed}`];
    const at = Date.now() + 300;
    await Promise.all([sayAt(one, left, at), sayAt(other, right, at + gap)]);
    const whole = [...before, left, right]
      .flatMap((words) => [`user: ${words}`, `assistant: ${words}`])
      .sort();
    const pages = [one, other];
    const check = async (): Promise<void> => {
      for (const page of pages) {
        await expect
          .poll(async () => [...(await visibleMessages(page))].sort(), { timeout: 10_000 })
          .toEqual(whole);
      }
    };
    await check();
    expect([chat.asked(left), chat.asked(right)]).toEqual([1, 1]);
    expect(await visibleMessages(one)).toEqual(await visibleMessages(other));
    for (const page of pages) await page.reload();
    for (const page of pages) await page.locator('agent-chat textarea').waitFor();
    await check();
    for (const page of pages) await page.close();
  });
}
