import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { recordShifts, shiftsOf, type LayoutShift } from '../tools/layout-shifts.ts';
import { framings, pageServer, sendEvents } from '../tools/page-server.ts';
import { richText, richTurn } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);

test.beforeAll(async () => {
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    if (body.includes('fail')) {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"detail":"no"}');
      return true;
    }
    await sendEvents(response, framings['real SSE'], richTurn(richText), 12);
    return true;
  };
});

/** Every shift that the browser counts, of the page’s parts or the chat’s. */
async function visit(page: Page, tag: string): Promise<ChatPage> {
  await page.setViewportSize({ width: 1200, height: 800 });
  await recordShifts(page);
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
      <style>body { margin: 0; font: 16px serif; } p { margin: 12px 0; height: 120px; }</style>
      <body><main><h1>A shop</h1><p>Words above it.</p></main>${tag}<p>Words below it.</p>${'<p>Words.</p>'.repeat(12)}
      <script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(server.origin);
  return new ChatPage(page);
}

/** What moved; what a press brings about is no shift by the measure’s own rule. */
const shifts = async (page: Page): Promise<readonly LayoutShift[]> =>
  (await shiftsOf(page)).filter(({ recent }) => !recent);

/** A notice stands where the service's work was shown; it comes later than the press on a busy machine. */
const shiftsOfOthers = async (page: Page): Promise<readonly LayoutShift[]> =>
  (await shifts(page)).filter(({ moves }) => !moves.every((move) => move.startsWith('div.notice ')));

const documented = readFileSync(new URL('../../demo/docs/embed.md', import.meta.url), 'utf8').match(
  /agent-chat:not\(:defined\) \{[^}]*\}/g,
);
const waiting: Record<string, string> = {
  'a floating one': '<agent-chat agent-id="a" token="t"><p slot="footer">No card numbers.</p></agent-chat>',
  'one in place':
    '<agent-chat agent-id="a" token="t" form-type="custom" height="600px"><p slot="footer">No.</p></agent-chat>',
};
for (const [index, [layout, tag]] of Object.entries(waiting).entries()) {
  test(`with the rule of the documents, nothing moves or shows before a late script: ${layout}`, async ({
    page,
  }) => {
    await page.route('**/agent-chat.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    const chat = await visit(page, `<style>${documented?.[index]}</style>${tag}`);
    await expect(index === 0 ? chat.launcher : chat.composer).toBeVisible();
    expect(await shifts(page)).toEqual([]);
  });
}

const layouts: Record<string, string> = {
  'a floating one that is open from the start':
    '<agent-chat agent-id="a" token="t" storage="none" open></agent-chat>',
};
// other layouts, opened later: transcript/shifts.test.ts
for (const [layout, tag] of Object.entries(layouts)) {
  test(`no layout shift on the page or in the chat: ${layout}`, async ({ page }) => {
    const chat = await visit(page, tag);
    await chat.composer.waitFor();
    expect(await shifts(page), 'loaded and open').toEqual([]);
    for (const question of ['Which berths are free?', 'And next week?']) {
      await chat.say(question);
      await expect.poll(() => chat.lastAnswer(), { timeout: 30_000 }).toContain('Paragraph 6');
      expect(await shifts(page), question).toEqual([]);
      await expect.poll(() => chat.evaluate((host) => host.connection)).toBe('idle');
    }
    await chat.say('This will fail');
    await chat.notice.waitFor();
    expect(await shiftsOfOthers(page), 'failed').toEqual([]);
    await chat.element.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(chat.panel).toBeHidden();
    await chat.open();
    expect(await shiftsOfOthers(page), 'closed and open again').toEqual([]);
  });
}

test('the code module may load late without a shift', async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/chunks\/code-/, (route) => released.then(() => route.continue()));
  const chat = await visit(
    page,
    '<agent-chat agent-id="a" token="t" storage="none" form-type="fullscreen-overlay"></agent-chat>',
  );
  await chat.open();
  await chat.say('Which berths are free?');
  await expect.poll(() => chat.lastAnswer(), { timeout: 30_000 }).toContain('Paragraph 6');
  const code = chat.element.locator('.code');
  const height = (): Promise<number> => code.evaluate((element) => element.getBoundingClientRect().height);
  await expect(code.getByRole('button')).toHaveCount(0);
  const before = await height();
  release();
  await expect(code.getByRole('button', { name: 'Copy' })).toBeVisible();
  expect(await height()).toBe(before);
  expect(await shifts(page)).toEqual([]);
});
