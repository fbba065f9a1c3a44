import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);
/** Lets the answer go on by one piece. */
let release: (() => void)[] = [];

const pieces = Array.from(
  { length: 30 },
  (_none, index) => `Paragraph ${index + 1}: every berth at the inner pier can be reached at any tide.\n\n`,
);

test.beforeAll(async () => {
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const framing = framings['real SSE'];
    const events = plainTurn(pieces).map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
    if (!body.includes('by steps')) {
      await sendEvents(response, framing, events, 0);
      return true;
    }
    response.writeHead(200, { 'content-type': framing.type });
    for (const [index, event] of events.entries()) {
      // twenty come at once, the rest when they are let go
      if (event.event === 'message.delta' && index > 20)
        await new Promise<void>((resolve) => release.push(resolve));
      response.write(framing.write(event));
    }
    response.end();
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body>
      <button id="opener" onclick="first.showModal()">Buy</button>
      <div id="place"><agent-chat agent-id="a" token="t" storage="none"></agent-chat><i></i></div>
      <dialog id="first"><p>Really?</p><button onclick="second.showModal()">More</button>
        <button onclick="first.close()">Done</button></dialog>
      <dialog id="second"><button onclick="second.close()">Back</button></dialog>
      <script>
        // as many pages do it: a press outside the box closes
        first.onclick = ({ clientX, clientY }) => {
          const { left, right, top, bottom } = first.getBoundingClientRect();
          if (clientX < left || clientX > right || clientY < top || clientY > bottom) first.close();
        };
      </script><script async src="/agent-chat.js"></script></body></html>`,
  });
});
test.afterAll(async () => {
  for (const go of release) go();
});
test.beforeEach(() => {
  release = [];
});

/** Where the element stands: the id of its parent. */
function place(chat: ChatPage): Promise<string | undefined> {
  return chat.evaluate((host) => host.parentElement?.id);
}

async function visit(page: Page): Promise<ChatPage> {
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  return chat;
}

test('the chat can be used beside a modal dialog of the page, which stays open', async ({ page }) => {
  const chat = await visit(page);
  await page.click('#opener');
  await expect.poll(() => place(chat)).toBe('first');
  await chat.open();
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 30');
  await chat.composer.press('Escape');
  await expect(chat.panel).toBeHidden();
  expect(await page.evaluate(() => document.querySelector('dialog')?.open)).toBe(true);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => place(chat)).toBe('place');
  // exactly where it was, and nothing is left behind
  expect(
    await page.evaluate(() =>
      [...(document.getElementById('place')?.childNodes ?? [])].map((each) => each.nodeName),
    ),
  ).toEqual(['AGENT-CHAT', 'I']);
});

test('draft, text, caret and scroll position survive a dialog during an answer', async ({ page }) => {
  const chat = await visit(page);
  await chat.open();
  await chat.say('A long one by steps');
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 15');
  await chat.composer.fill('A draft that must stay');
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const isAtEnd = (): Promise<boolean> =>
    scroller.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight < 24);
  await chat.element.getByRole('button', { name: 'New below' }).click();
  await expect.poll(isAtEnd).toBe(true);
  await scroller.hover();
  await page.mouse.wheel(0, -300);
  await expect.poll(isAtEnd).toBe(false);
  const goOn = async (): Promise<void> => {
    await expect.poll(() => release.length).toBe(1);
    release.shift()?.();
  };
  await goOn();
  await expect(chat.element.getByRole('button', { name: 'New below' })).toBeVisible();
  const top = await scroller.evaluate(({ scrollTop }) => scrollTop);
  const check = async (): Promise<void> => {
    await goOn();
    await expect(chat.composer).toHaveValue('A draft that must stay');
    await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
  };
  await page.click('#opener');
  await expect.poll(() => place(chat)).toBe('first');
  await check();
  await page.getByRole('button', { name: 'More' }).click();
  await expect.poll(() => place(chat)).toBe('second');
  await check();
  await chat.composer.evaluate((input: HTMLTextAreaElement) => {
    input.focus();
    input.setSelectionRange(2, 7);
  });
  // the page closes the upper one by itself, then takes the lower one away altogether
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#second')?.close());
  await expect.poll(() => place(chat)).toBe('first');
  await check();
  await expect(chat.composer).toBeFocused();
  expect(
    await chat.composer.evaluate((input: HTMLTextAreaElement) => [input.selectionStart, input.selectionEnd]),
  ).toEqual([2, 7]);
  await page.evaluate(() => document.querySelector('#first')?.remove());
  await expect.poll(() => place(chat)).toBe('place');
  await goOn();
  await expect(chat.composer).toHaveValue('A draft that must stay');
  await expect(chat.panel).toBeVisible();
  await expect(async () => {
    release.shift()?.();
    expect(await chat.evaluate((host) => host.connection)).toBe('idle');
  }).toPass({ intervals: [20] });
  expect(JSON.parse(await chat.evaluate((host) => host.exportTranscript('json')))).toMatchObject({
    messages: [{}, { text: pieces.join('') }],
  });
});

test('the end of the conversation stays in view when a dialog closes', async ({ page }) => {
  const chat = await visit(page);
  await chat.open();
  await chat.say('A long one');
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const below = (): Promise<number> =>
    scroller.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  await chat.element.getByRole('button', { name: 'New below' }).click();
  await expect.poll(below).toBeLessThan(2);
  await page.click('#opener');
  await expect.poll(() => place(chat)).toBe('first');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => place(chat)).toBe('place');
  expect(await below()).toBeLessThan(2);
});

test('a panel that covers the window stays below a dialog; a chat in place does not move', async ({
  page,
}) => {
  const chat = await visit(page);
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.open();
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#first')?.showModal());
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await place(chat)).toBe('place');
  await page.setViewportSize({ width: 1200, height: 800 });
  await chat.evaluate((host) => host.setAttribute('form-type', 'custom'));
  await page.click('#opener');
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await place(chat)).toBe('place');
});

test('a dialog that opens while the panel loads is not covered by it', async ({ page }) => {
  const chat = await visit(page);
  await page.setViewportSize({ width: 360, height: 640 });
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/runtime-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await chat.launcher.click();
  const met = page.waitForResponse('**/host-page-*.js');
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#first')?.showModal());
  await met;
  arrive();
  await chat.composer.waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  expect(await place(chat)).toBe('place');
});

test('Escape cancels a comment or an edit, and the surrounding dialog of the page stays open', async ({
  page,
}) => {
  const chat = await visit(page);
  await page.click('#opener');
  await expect.poll(() => place(chat)).toBe('first');
  await chat.open();
  await chat.say('Hello');
  for (const name of ['Bad answer', 'Edit']) {
    await chat.element.getByRole('button', { name }).click();
    await chat.element.locator('agent-chat-turn textarea').press('Escape');
    await expect(chat.element.locator('agent-chat-turn textarea')).toHaveCount(0);
    await expect(page.locator('#first')).toHaveJSProperty('open', true);
  }
});

test('a chat in a dialog of the page shows its help button to keyboards only', async ({ page }) => {
  server.pages.set('/inside', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><button onclick="box.showModal()">Chat</button>
      <dialog id="box" style="width: 400px"><agent-chat agent-id="a" token="t" storage="none" form-type="custom"></agent-chat>
      </dialog><script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${server.origin}/inside`);
  const chat = new ChatPage(page);
  const help = chat.element.locator('button.help');
  const width = () => help.evaluate((button) => button.getBoundingClientRect().width);
  await help.waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Chat' }).click();
  await expect(help).toBeFocused();
  expect(await width()).toBeLessThan(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Chat' }).focus();
  await page.keyboard.press('Enter');
  await expect(help).toBeFocused();
  expect(await width()).toBeGreaterThan(40);
});
