import { expect, type Browser, type Locator } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, plainTurn, framings, sendEvents } from '../tools/page-server.ts';
import { addScreenKeyboard, heightLeft } from '../tools/phone.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

const upright = { width: 390, height: 844 };
const onItsSide = { width: 844, height: 390 };
const draft = 'Line one\nline two\nline three\nline four\nline five\nline six';

let server: PageServer;

test.beforeEach(async () => {
  server = await PageServer.start();
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const paragraphs = Array.from(
      { length: 40 },
      (_none, at) =>
        `Paragraph ${at + 1}: ${'every berth at the pier can be reached. '.repeat(1 + (at % 5))}\n\n`,
    );
    await sendEvents(response, framings['real SSE'], plainTurn(paragraphs), 1);
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
});
test.afterEach(() => server.close());

/** Where an element is, of the window. */
async function placeOf(element: Locator): Promise<{ top: number; bottom: number; height: number }> {
  const { y, height } = (await element.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  return { top: y, bottom: y + height, height };
}

/** The chat on a phone that is held upright, with one long answer. */
async function answeredOnPhone(browser: Browser): Promise<ChatPage> {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: upright });
  const chat = new ChatPage(await context.newPage());
  await chat.page.goto(server.origin);
  await chat.open();
  await chat.say('Question');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  return chat;
}

test('rotating a phone keeps scroll position, draft and caret, and everything stays in the window', async ({
  browser,
}) => {
  const chat = await answeredOnPhone(browser);
  const { page } = chat;
  await chat.element.getByRole('button', { name: 'New below' }).click();
  await chat.composer.fill(draft);
  const end = chat.element.locator('agent-chat-turn').last();
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  for (const viewport of [onItsSide, upright, onItsSide]) {
    await page.setViewportSize(viewport);
    // the window is full of the chat, all of it: header, what was said, and where one writes
    await expect.poll(async () => (await placeOf(chat.panel)).height).toBe(viewport.height);
    await expect.poll(async () => (await placeOf(chat.composer)).bottom).toBeLessThanOrEqual(viewport.height);
    await expect
      .poll(async () => (await placeOf(chat.element.locator('agent-chat-header'))).top)
      .toBeGreaterThanOrEqual(0);
    expect((await placeOf(scroller)).height).toBeGreaterThanOrEqual(viewport.height / 4);
    // the end of the answer is where it was: just above
    await expect
      .poll(async () => Math.abs((await placeOf(end)).bottom - (await placeOf(scroller)).bottom))
      .toBeLessThan(40);
    await expect(chat.composer).toHaveValue(draft);
    await expect(chat.composer).toBeFocused();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
  await page.context().close();
});

test('rotating a phone keeps the line in view for a reader further up', async ({ browser }) => {
  const chat = await answeredOnPhone(browser);
  const { page } = chat;
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const line = chat.answers.locator('p', { hasText: 'Paragraph 13:' });
  // a person looks at what they scrolled to before they turn the phone: the chat has heard of the scroll
  const scrolled = scroller.evaluate(
    (element) => new Promise((resolve) => element.addEventListener('scroll', resolve, { once: true })),
  );
  await line.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await scrolled;
  for (const viewport of [onItsSide, upright, onItsSide, upright]) {
    await page.setViewportSize(viewport);
    await expect.poll(async () => (await placeOf(chat.panel)).height).toBe(viewport.height);
    await expect
      .poll(async () => (await placeOf(line)).top - (await placeOf(scroller)).bottom)
      .toBeLessThan(0);
    await expect
      .poll(async () => (await placeOf(line)).bottom - (await placeOf(scroller)).top)
      .toBeGreaterThan(0);
  }
  await page.context().close();
});

test('turning a phone while one writes leaves the page where it was', async ({ browser }) => {
  const words = '<p>A quiet harbour, an hour from the city, with water and power at every berth.</p>'.repeat(
    60,
  );
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
      <body>${words}<script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: upright });
  await addScreenKeyboard(context);
  const chat = new ChatPage(await context.newPage());
  const { page } = chat;
  await page.goto(server.origin);
  await chat.launcher.waitFor();
  await page.evaluate(() => scrollTo(0, 270));
  await chat.open();
  const pageTop = (): Promise<number> => page.evaluate(() => Math.round(scrollY));
  await chat.say('Question');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  for (const viewport of [onItsSide, upright, onItsSide, upright]) {
    await page.setViewportSize(viewport);
    await chat.composer.tap();
    await expect.poll(() => heightLeft(page)).toBe(viewport.height / 2);
    await page.keyboard.type('And ');
  }
  await expect.poll(pageTop).toBe(270);
  await chat.element.getByRole('button', { name: 'Close', exact: true }).tap();
  await expect(chat.panel).toBeHidden();
  expect(await pageTop()).toBe(270);
  await context.close();
});

test('a small phone shows the whole name of the assistant beside the buttons', async ({ browser }) => {
  const chat = await answeredOnPhone(browser);
  await chat.evaluate((element) => (element.heading = 'Harbour Help Desk'));
  await chat.page.setViewportSize({ width: 320, height: 568 });
  const name = chat.element.locator('agent-chat-header .name');
  await expect(name).toHaveText('Harbour Help Desk');
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
