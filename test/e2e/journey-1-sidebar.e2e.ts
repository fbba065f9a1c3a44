import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { wrongLayout } from '../tools/one-scroller.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { scrollbarTest as test } from '../tools/worker-context.ts';

let service: ServiceProcess;
test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

/** What the visitor types, and text expected in the answer. */
const questions = [
  ['Is a berth for 11 m free this weekend?', 'free tonight'],
  ['/markdown', 'Per night'],
  ['/code', 'return'],
  ['/form', 'Name of the boat'],
  ['/item image', 'Here you are'],
  ['When is high water?', 'High water'],
  ['/long 6000', 'pontoon'],
  ['Thanks', 'welcome'],
] as const;

/** A shop's page with the chat in its sidebar, in a box with a height or without one. */
function shop(width: number, height: number | undefined): string {
  const box = height ? `width:${width}px;height:${height}px` : `width:${width}px`;
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
    <body style="margin:0"><h1>Shop</h1><aside style="${box}">
    <agent-chat agent-id="demo" token-url="/demo/token" storage="none" form-type="custom" width="100%"
      ${height ? 'height="100%"' : ''}></agent-chat></aside><script async src="/agent-chat.js"></script></body></html>`;
}

async function visit(page: Page, width: number, height: number | undefined): Promise<ChatPage> {
  await page.setViewportSize({ width: Math.max(width + 40, 600), height: 800 });
  const path = `/shop-${width}-${height}.html`;
  await page.route(`**${path}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: shop(width, height) }),
  );
  await page.goto(service.origin + path);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.answerAtOnce();
  return chat;
}

/** Scroll positions of the transcript and of the page. */
function places(chat: ChatPage): Promise<{ top: number; below: number; page: number }> {
  return chat.element.getByRole('log').evaluate((log) => ({
    top: log.scrollTop,
    below: log.scrollHeight - log.scrollTop - log.clientHeight,
    page: document.documentElement.scrollTop,
  }));
}

/** Scrolls the transcript up and down with one input method, and checks that nothing else moves. */
async function scrollAbout(page: Page, chat: ChatPage, way: 'wheel' | 'keys' | 'touch'): Promise<void> {
  const log = chat.element.getByRole('log');
  const box = (await log.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
  const swipe = async (distance: number): Promise<void> => {
    const from = y - distance / 2;
    await touch('touchStart', from);
    for (let step = 1; step <= 5; step += 1) await touch('touchMove', from + (distance * step) / 5);
    await touch('touchEnd');
  };
  const [up, down] = {
    wheel: [() => page.mouse.wheel(0, -700), () => page.mouse.wheel(0, 5_000)],
    keys: [() => page.keyboard.press('PageUp'), () => page.keyboard.press('PageDown')],
    touch: [() => swipe(300), () => swipe(-300)],
  }[way];
  if (way === 'keys') await log.focus();
  else await page.mouse.move(x, y);
  const before = await places(chat);
  await up!();
  await expect.poll(async () => (await places(chat)).top, way).toBeLessThan(before.top - 100);
  expect(await wrongLayout(page), `up by ${way}`).toEqual([]);
  await expect(async () => {
    await down!();
    expect((await places(chat)).below, way).toBeLessThan(24);
  }).toPass({ timeout: 10_000, intervals: [150] });
  expect(await wrongLayout(page), `down by ${way}`).toEqual([]);
}

async function walk(page: Page, width: number, height: number | undefined): Promise<void> {
  const chat = await visit(page, width, height);
  for (const [index, [question, words]] of questions.entries()) {
    // a click into the field, as a visitor would after looking at a form
    await chat.composer.click();
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    const turn = chat.element.locator('agent-chat-turn').nth(index);
    await expect(turn.locator('agent-chat-turn-actions')).toHaveCount(1);
    await expect(turn).toContainText(words);
    const where = `${width} by ${height}, ${question}`;
    expect(await wrongLayout(page), where).toEqual([]);
    // a short answer is completely in view, a long one from its question on
    await expect(turn.locator('agent-chat-visitor-message'), where).toBeInViewport();
    await expect(turn.locator('.answer').first(), where).toBeInViewport();
    const leadsOn = chat.element.getByRole('button', { name: 'New below' });
    // a form takes the focus and is scrolled to its top
    if (question !== '/form')
      await expect
        .poll(async () => (await places(chat)).below < 24 || (await leadsOn.count()) === 1, where)
        .toBe(true);
    const way = (['wheel', 'keys', 'touch'] as const)[(index - 1) / 3]; // after the second, fifth and last
    if (way) await scrollAbout(page, chat, way);
  }
  expect((await places(chat)).page).toBe(0);
  // the conversation has the composer's edges, although its scrollbar takes room
  const column = (await chat.element.locator('agent-chat-turn').last().boundingBox())!;
  const composer = (await chat.element.locator('agent-chat-composer').boundingBox())!;
  expect(column.x).toBeCloseTo(composer.x, 0);
  expect(column.width).toBeCloseTo(composer.width, 0);
  await expect(chat.answers.last()).toBeInViewport({ ratio: 1 });
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await expect(chat.element.getByRole('button', { name: 'New chat' })).toBeInViewport({ ratio: 1 });
}

for (const [width, height] of [
  [280, 600],
  [400, undefined],
  [900, 600],
] as const) {
  test(`journey 1: in a sidebar of ${width} pixels only the transcript scrolls, for eight questions`, ({
    page,
  }) => walk(page, width, height));
}
