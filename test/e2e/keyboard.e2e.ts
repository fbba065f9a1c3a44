import { expect, type Page } from '@playwright/test';
import { focused, pressUntil } from '../a11y/focus.ts';
import { keyboardRun } from '../engines/keyboard-run.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

async function visit(page: Page, attributes = ''): Promise<ChatPage> {
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><a href="#top">Host link</a>
      <script async src="${service.origin}/agent-chat.js" data-agent-id="demo"
        data-token="${await service.token()}" ${attributes}></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  return chat;
}

/** Opens the panel with the keyboard alone. */
async function openByKeyboard(page: Page, chat: ChatPage): Promise<void> {
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('a: Host link');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('button: Open chat');
  await page.keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
}

/** Sends with Enter and waits until the answer, which comes at once, can be judged. */
async function ask(page: Page, chat: ChatPage, text: string, answers: number): Promise<void> {
  await chat.answerAtOnce();
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(answers, { timeout: 15_000 });
  await expect(chat.composer).toBeFocused();
}

test('the whole product works by keyboard, with focus in the expected places', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.origin });
  await visit(page);
  await keyboardRun(page);
});

test('a chat opened by the page does not take focus from its fields, except where it covers the page', async ({
  page,
}) => {
  host.pages.set('/writing.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><label>Card <input></label>
      <iframe title="Payment" srcdoc="<input aria-label=Number>"></iframe><button type="button">Help</button>
      <script async src="${service.origin}/agent-chat.js" data-agent-id="demo"
        data-token="${await service.token()}" data-open="true"></script></body></html>`,
  });
  // page.evaluate() counts as a user activation; Chromium takes the flag along to the next page of a site
  await page.addInitScript(() => {
    const activation = { hasBeenActive: true, isActive: false };
    Object.defineProperty(navigator, 'userActivation', { value: activation });
    addEventListener('keydown', () => (activation.isActive = true));
  });
  await page.goto(`${host.origin}/writing.html`);
  const chat = new ChatPage(page);
  const settled = () => chat.evaluate((element) => element.updateComplete);
  await chat.composer.waitFor();
  // no user activation yet: the chat must not take the focus
  await expect(page.locator('body')).toBeFocused();
  const card = page.getByLabel('Card');
  const frame = page.locator('iframe');
  for (const place of [card, frame]) {
    await chat.evaluate((element) => element.hide());
    await card.focus();
    if (place === frame) await page.keyboard.press('Tab');
    await expect(place).toBeFocused();
    await chat.evaluate((element) => element.show());
    await settled();
    await expect(chat.panel).toBeVisible();
    await page.keyboard.type('4111');
    await expect(place).toBeFocused();
  }
  await expect(card).toHaveValue('4111');
  await expect(chat.composer).toHaveValue('');
  // from a button, and where it was asked for
  await chat.evaluate((element) => element.focusComposer());
  await expect(chat.composer).toBeFocused();
  await chat.evaluate((element) => element.hide());
  await page.getByRole('button', { name: 'Help' }).focus();
  await chat.evaluate((element) => element.show());
  await expect(chat.composer).toBeFocused();
  // on a phone nothing of the page is left to be seen
  await chat.evaluate((element) => element.hide());
  await page.setViewportSize({ width: 400, height: 700 });
  await card.focus();
  await chat.evaluate((element) => element.show());
  await expect(chat.composer).toBeFocused();
});

test('F6 moves between header, conversation and composer, in both directions', async ({ page }) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await page.keyboard.type('x');
  const forwards: string[] = [];
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('F6');
    forwards.push(await focused(page));
  }
  expect(forwards).toEqual(['button: Expand', 'log: Conversation', 'textarea: Message']);
  const backwards: string[] = [];
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Shift+F6');
    backwards.push(await focused(page));
  }
  expect(backwards).toEqual(['log: Conversation', 'button: Expand', 'textarea: Message']);
  await expect(chat.composer).toHaveValue('x');
});

test('arrows, Home and End move between messages, Tab enters one, and its content is read with its name', async ({
  page,
}) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await ask(page, chat, 'Hello', 1);
  await ask(page, chat, 'And again', 2);
  await page.keyboard.press('Shift+F6');
  const way: string[] = [];
  for (const key of ['ArrowUp', 'ArrowUp', 'Home', 'ArrowUp', 'ArrowDown', 'End', 'ArrowDown']) {
    await page.keyboard.press(key);
    way.push(await focused(page));
  }
  expect(way).toEqual([
    'article: Assistant said',
    'article: You said',
    'article: You said',
    'article: You said',
    'article: Assistant said',
    'article: Assistant said',
    'article: Assistant said',
  ]);
  await page.keyboard.press('ArrowUp');
  // the words first, and then what can be done with them
  await expect(chat.element.getByRole('article', { name: 'You said' }).last()).toHaveAccessibleDescription(
    /^And again \d+:\d\d [AP]M Edit$/,
  );
  await page.keyboard.press('Home');
  // with the time that is shown beside a message while it has the focus
  await expect(chat.element.getByRole('article', { name: 'You said' }).first()).toHaveAccessibleDescription(
    /^Hello \d+:\d\d [AP]M$/,
  );
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('button: Copy');
});

test('? opens the shortcuts in a dialog that keeps and restores focus, and types a question mark in a field', async ({
  page,
}) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await page.keyboard.press('?');
  await expect(chat.composer).toHaveValue('?');
  await page.keyboard.press('F6');
  expect(await focused(page)).toBe('button: Expand');
  await page.keyboard.press('?');
  const dialog = chat.element.getByRole('dialog', { name: 'Keyboard and reading aloud' });
  await expect(dialog).toBeVisible();
  expect(await focused(page)).toBe('button: Close');
  const around: string[] = [];
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Tab');
    around.push(await focused(page));
  }
  expect(around).toEqual(['input: Finished answers', 'button: Close', 'input: Finished answers']);
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('input: Sentence by sentence');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await focused(page)).toBe('button: Expand');
  await expect(chat.panel).toBeVisible();
});

for (const [name, attributes, width] of [
  ['on a phone', '', 400],
  ['as an overlay', 'data-form-type="fullscreen-overlay"', 1280],
] as const) {
  test(`focus never moves behind a panel that covers the window: ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 600 });
    const chat = await visit(page, attributes);
    await openByKeyboard(page, chat);
    await expect(chat.launcher).toBeHidden();
    const reached = new Set<string>();
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 6; press += 1) {
        await page.keyboard.press(key);
        // past the last stop comes the browser itself, which is not the page behind
        await expect.poll(() => focused(page)).not.toBe('a: Host link');
        reached.add(await focused(page));
      }
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(['button: Close', 'log: Conversation', 'textarea: Message']),
    );
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await expect(chat.launcher).toBeFocused();
  });
}

test('Escape closes the innermost part first: a comment, the help, then the panel', async ({ page }) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await ask(page, chat, 'Hello', 1);
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('ArrowUp');
  await pressUntil(page, 'Tab', 'Bad answer');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('textarea: What could be better?');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('button: Bad answer');
  await page.keyboard.press('?');
  await expect.poll(() => focused(page)).toBe('button: Close');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('button: Bad answer');
  await expect(chat.panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.panel).toBeHidden();
  expect(await focused(page)).toBe('button: Open chat');
});

test('Escape closes a source and returns focus to the marker or source that opened it', async ({ page }) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await ask(page, chat, '/citations', 1);
  const excerpt = chat.element.locator('.excerpt');
  await chat.element.getByRole('button', { name: /^Source 2/ }).press('Enter');
  await expect(excerpt).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(excerpt).toHaveCount(0);
  await expect.poll(() => focused(page)).toMatch(/^button: Source 2/);
  await pressUntil(page, 'Tab', '1 · Rules of the harbour');
  await page.keyboard.press('Enter');
  await expect(excerpt).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(excerpt).toHaveCount(0);
  expect(await focused(page)).toContain('1 · Rules of the harbour');
  await page.keyboard.press('Escape');
  await expect(chat.panel).toBeHidden();
});

test('in an empty composer, Page Up, Page Down, Home and End scroll the conversation; beside text they move the caret', async ({
  page,
}) => {
  const chat = await visit(page);
  await openByKeyboard(page, chat);
  await ask(page, chat, '/long 3000', 1);
  const heard = await chat.element.locator('[aria-live=polite]').first().innerHTML();
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const top = () => scroller.evaluate((element) => Math.round(element.scrollTop));
  const end = () => scroller.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight));
  await page.keyboard.press('End');
  await expect.poll(async () => (await end()) - (await top())).toBeLessThan(2);
  await page.keyboard.press('PageUp');
  const view = await scroller.evaluate((element) => element.clientHeight);
  const pageUp = Math.round((await end()) - 0.875 * view);
  await expect.poll(async () => Math.abs((await top()) - pageUp)).toBeLessThan(3);
  await page.keyboard.press('PageDown');
  await expect.poll(async () => (await end()) - (await top())).toBeLessThan(2);
  for (const modifier of ['', 'Control+']) {
    await page.keyboard.press(`${modifier}Home`);
    await expect.poll(top).toBe(0);
    await page.keyboard.press(`${modifier}End`);
    await expect.poll(async () => (await end()) - (await top())).toBeLessThan(2);
  }
  await expect(chat.composer).toBeFocused();
  // announcements are removed after a while
  expect(['', heard]).toContain(await chat.element.locator('[aria-live=polite]').first().innerHTML());
  await page.keyboard.type('one more');
  const before = await top();
  for (const [key, caret] of [
    ['Home', 0],
    ['End', 8],
    ['PageUp', 0],
    ['PageDown', 8],
  ] as const) {
    await page.keyboard.press(key);
    await expect
      .poll(() => chat.composer.evaluate((field) => (field as HTMLTextAreaElement).selectionStart)) // a text area
      .toBe(caret);
  }
  expect(await top()).toBe(before);
});
