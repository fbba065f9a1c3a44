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

/** Two tabs of a chat, what was said in it, and the seeds to play there. */
interface Tabs {
  readonly pages: readonly [Page, Page];
  readonly texts: readonly string[];
}

/** Says something in both tabs at about the same moment, and checks that they show all that was said. */
async function play({ pages, texts }: Tabs, seed: number): Promise<readonly string[]> {
  const { between } = seeded(seed * 7919 + 3);
  // the first two at once: that is the hardest
  const gap = seed < 2 ? 0 : between(0, 50);
  const pace = { delay_ms: between(1, 25), chunk_length: 4 };
  const [left, right] = [`Said on the left, seed ${seed}`, `Said on the right, seed ${seed}`];
  const whole = [...texts, left, right];
  await test.step(`seed ${seed}: ${gap} ms apart`, async () => {
    for (const page of pages)
      await page.evaluate((parameters) => {
        document.querySelector('agent-chat')!.additionalParameters = parameters;
      }, pace);
    const at = Date.now() + 300;
    await Promise.all([sayAt(pages[0], left, at), sayAt(pages[1], right, at + gap)]);
    await check(pages, whole);
    expect([chat.asked(left), chat.asked(right)]).toEqual([1, 1]);
    // a tab may still be putting in order what it has heard from the other
    await expect(async () =>
      expect(await visibleMessages(pages[0])).toEqual(await visibleMessages(pages[1])),
    ).toPass({ timeout: 10_000 });
  });
  return whole;
}

async function check(pages: readonly Page[], texts: readonly string[]): Promise<void> {
  const whole = texts.flatMap((words) => [`user: ${words}`, `assistant: ${words}`]).sort();
  for (const page of pages)
    await expect
      .poll(async () => [...(await visibleMessages(page))].sort(), { timeout: 10_000 })
      .toEqual(whole);
}

async function checkAfterReload(pages: readonly Page[], texts: readonly string[]): Promise<void> {
  for (const page of pages) await page.reload();
  for (const page of pages) await page.locator('agent-chat textarea').waitFor();
  await check(pages, texts);
}

/** Seeds that share a conversation. */
const perTest = 5;
const all = Array.from({ length: seeds }, (_, seed) => seed);
const begun = all.filter((seed) => seed % 2 === 0);

for (let from = 0; from < begun.length; from += perTest) {
  const own = begun.slice(from, from + perTest);
  test(`two tabs send at the same moment in a conversation that is begun: nothing is lost or duplicated, also after a reload (seeds ${own.join(', ')})`, async ({
    context,
  }) => {
    const url = await chat.pageUrl('storage="local"', { path: `/begun-${from}.html` });
    const one = await tab(context, url);
    let texts: readonly string[] = [`Before it, seed ${own[0]}`];
    await sayAt(one, texts[0]!, 0);
    await expect.poll(() => readTurn(one)).toMatchObject({ status: 'completed', connection: 'idle' });
    const pages = [one, await tab(context, url)] as const;
    await expect.poll(() => visibleMessages(pages[1])).toHaveLength(2);
    for (const seed of own) texts = await play({ pages, texts }, seed);
    await checkAfterReload(pages, texts);
  });
}

for (const seed of all.filter((one) => !begun.includes(one))) {
  test(`two tabs send at the same moment in a conversation that is new: nothing is lost or duplicated, also after a reload (seed ${seed})`, async ({
    context,
  }) => {
    const url = await chat.pageUrl('storage="local"', { path: `/new-${seed}.html` });
    const pages = [await tab(context, url), await tab(context, url)] as const;
    await checkAfterReload(pages, await play({ pages, texts: [] }, seed));
  });
}
