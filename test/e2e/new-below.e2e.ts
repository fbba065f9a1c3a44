import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { phone, swipe } from '../tools/phone.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

test.use(phone);

test('a swipe that begins on “New below” scrolls, and a tap presses it', async ({ page, sharedService }) => {
  await page.route('**/phone.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
        <body><agent-chat agent-id="demo" token-url="/demo/token" storage="none" open></agent-chat>
        <script async src="/agent-chat.js"></script></body></html>`,
    }),
  );
  await page.goto(`${sharedService.origin}/phone.html`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.evaluate((host) => host.send('/long 5000'));
  await expect.poll(() => chat.evaluate(({ connection }) => connection), { timeout: 20_000 }).toBe('idle');
  const log = chat.element.getByRole('log');
  const top = (): Promise<number> => log.evaluate(({ scrollTop }) => scrollTop);
  const newBelow = chat.element.getByRole('button', { name: 'New below' });
  const before = await top();
  const { x, y, width, height } = (await newBelow.boundingBox())!;
  const besideIt = (): Promise<Buffer> => page.screenshot({ clip: { x: 0, y: y + 8, width: x - 8, height } });
  const empty = await besideIt();
  await swipe(page, { x: x + width / 2, y: y + height / 2 }, -200);
  await expect.poll(top).toBeGreaterThan(before + 100);
  expect(await newBelow.boundingBox()).toEqual({ x, y, width, height });
  // other text is there now: none of it is seen, so nobody aims at something under the button
  expect((await besideIt()).equals(empty)).toBe(true);
  await log.evaluate((each) => each.scrollTo(0, each.scrollHeight - each.clientHeight - 40));
  await expect.poll(async () => (await besideIt()).equals(empty)).toBe(true);
  await newBelow.tap();
  await expect(newBelow).toBeHidden();
  await expect
    .poll(() => log.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight))
    .toBeLessThan(24);
});

test('“New below” goes when the view grows and nothing is below it any more', async ({
  page,
  sharedService,
}) => {
  await page.route('**/keyboard.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
        <body><agent-chat agent-id="demo" token-url="/demo/token" storage="none" open></agent-chat>
        <script async src="/agent-chat.js"></script></body></html>`,
    }),
  );
  await page.setViewportSize({ width: 390, height: 340 });
  await page.goto(`${sharedService.origin}/keyboard.html`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.answerAtOnce();
  await chat.evaluate((host) => host.send('My boat'));
  const newBelow = chat.element.getByRole('button', { name: 'New below' });
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1, { timeout: 20_000 });
  await expect(newBelow).toBeVisible();
  await page.setViewportSize(phone.viewport);
  await expect(chat.element.locator('agent-chat-turn-actions')).toBeInViewport({ ratio: 1 });
  await expect(newBelow).toBeHidden();
});
