import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';
import { landings } from '../tools/landings.ts';

// What a page lays over the chat is in top-layer.chat.test.ts.
const server = pageServer(test);

/** The chat in the corner, and a place to put things beside it. */
const chatTag = '<agent-chat agent-id="a" token="t" storage="none"></agent-chat>';

test.beforeAll(async () => {
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn(['A short answer.']), 0);
    return true;
  };
});

async function visit(page: Page, body: string): Promise<ChatPage> {
  await page.setViewportSize({ width: 1000, height: 760 });
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>${body}<script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  return chat;
}

/** Opens the chat, asks and closes it again by real presses on what is seen. */
async function useByPointer(page: Page, chat: ChatPage): Promise<void> {
  const press = async (target: { boundingBox(): Promise<unknown> }): Promise<void> => {
    const box = (await target.boundingBox()) as { x: number; y: number; width: number; height: number }; // it is drawn
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  expect(await chat.evaluate(landings)).toEqual([]);
  await press(chat.launcher);
  await chat.composer.waitFor();
  await chat.panel.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
  await press(chat.composer);
  await page.keyboard.type('Can I still write?');
  await press(chat.button);
  await expect.poll(() => chat.lastAnswer()).toContain('A short answer.');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  expect(await chat.evaluate(landings)).toEqual([]);
  await press(chat.element.getByRole('button', { name: 'Close', exact: true }));
  await expect(chat.panel).toBeHidden();
}

test('a page in full screen keeps its chat', async ({ page }) => {
  const chat = await visit(page, chatTag);
  await page.evaluate(() => document.documentElement.requestFullscreen());
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  expect(await chat.evaluate(landings)).toEqual([]);
});

test('an engine without popovers shows the chat by z-index', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
      Reflect.deleteProperty(HTMLElement.prototype, name);
  });
  const chat = await visit(page, `<p style="height:3000px">Strings</p>${chatTag}`);
  const box = await chat.launcher.boundingBox();
  expect([Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)]).toEqual([1000 - 76, 760 - 76]);
  await useByPointer(page, chat);
});
