import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { faultyChat, settle } from '../tools/faulty-chat.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

const chat = faultyChat(test);
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  chat.watch(page);
  await page.clock.install();
  const script = "document.querySelector('agent-chat').additionalParameters = { delay_ms: 0 };";
  await page.goto(await chat.pageUrl('storage="none"', { agent: 'demo', script }));
  await new ChatPage(page).composer.waitFor();
  // A turn of which nothing was heard is posted again only where the service has shown that it keeps threads: a new
  // thread lets the old one go, so the first cuts could come before it had.
  const followed = page.waitForResponse(/\/threads\/[^/]+\/events$/);
  await play('Good morning');
  expect((await followed).status()).toBe(200);
});
test.afterAll(async () => {
  await page.close();
});

/** What a run left behind, without what differs from run to run. */
function tellings(): Promise<unknown> {
  return page.evaluate(() => {
    const conversation = document.querySelector('agent-chat')?.conversation;
    const run = conversation?.runs.at(-1);
    const steps = (
      list: readonly { name: string; status: string; output: string | undefined }[] | undefined,
    ): unknown => list?.map(({ name, status, output }) => ({ name, status, output }));
    return {
      status: run?.status,
      needsReply: run?.needsReply,
      failure: run?.failure?.kind,
      thinking: run?.thinking,
      summary: run?.summary,
      plan: steps(run?.plan),
      steps: steps(run?.steps),
      messages: conversation?.messages.map(({ role, status, items, transcription, steps: own }) => ({
        role,
        status,
        transcription,
        steps: steps(own),
        items: items.map(({ type, text }) => ({ type, text })),
      })),
    };
  });
}

async function play(command: string): Promise<unknown> {
  await page.evaluate(() => document.querySelector('agent-chat')?.newThread());
  await page.evaluate((text) => {
    void document.querySelector('agent-chat')?.send(text);
  }, command);
  await settle(page, chat);
  return tellings();
}

/** Kinds of event in the stream a command gives, each once, in order. */
async function kindsOf(command: string): Promise<readonly string[]> {
  await page.evaluate(() => {
    const kinds: string[] = [];
    Object.assign(window, { kinds });
    document.addEventListener('agent-chat-run-event', (event) => kinds.push(event.runEvent.event));
  });
  await play(command);
  const kinds = await page.evaluate(() => Reflect.get(window, 'kinds') as string[]);
  return [...new Set(kinds)];
}

const places = ['before', 'inside', 'after'] as const;
/** `CUTS=all` cuts each kind at each place. Otherwise the kinds share the places; the session's tests cut at all. */
const isWhole = process.env['CUTS'] === 'all';

/** Kinds that a command before has gone through already. */
const covered = new Set<string>();

for (const command of ['/events', '/interrupt', '/slot', '/fail', '/error', '/expire', '/cancelled']) {
  test(`${command}: cuts before, inside or after each kind of event give the same conversation as no cut`, async () => {
    test.setTimeout(120_000);
    const all = await kindsOf(command);
    const kinds = all.filter((kind) => !covered.has(kind));
    expect(kinds.length).toBeGreaterThan(0);
    const whole = await play(command);
    for (const event of kinds) {
      covered.add(event);
      for (const place of isWhole ? places : [places[covered.size % 3] ?? 'inside']) {
        chat.proxy.cutAt = { event, place };
        expect(await play(command), `${command} cut ${place} ${event}`).toEqual(whole);
        expect(chat.proxy.cutAt, `${event} came again`).toBeUndefined();
      }
    }
    expect(chat.faults).toEqual([]);
  });
}
