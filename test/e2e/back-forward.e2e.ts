import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { faultyChat, readTurn } from '../tools/faulty-chat.ts';
import { browserArguments, findBrowser } from '../tools/find-browser.js';
import { isolatedTest as test } from '../tools/worker-context.ts';

const chat = faultyChat(test);
let browser: Browser;
test.beforeAll(async () => {
  chat.host.pages.set('/elsewhere.html', { html: '<!doctype html><title>Elsewhere</title>' });
  browser = await chromium.launch({
    executablePath: await findBrowser({ isWhole: true }),
    args: browserArguments,
    // the test runner disables the cache by default
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
});
test.afterAll(async () => {
  await browser.close();
});

const remember = `addEventListener('pageshow', ({ persisted }) => { window.wasKept = persisted; });
  window.heard = [];
  for (const kind of ['run-end', 'error', 'diagnostic'])
    document.addEventListener('agent-chat-' + kind, ({ status, kind: fault, code }) => heard.push(status ?? fault ?? code));`;

async function chatPage(path: string, storage: string): Promise<{ page: Page; widget: ChatPage }> {
  const page = await browser.newPage();
  chat.watch(page);
  await page.goto(await chat.pageUrl(`storage="${storage}"`, { path, script: remember }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  return { page, widget };
}

/** Leaves the page and returns to it from the cache. */
async function awayAndBack(page: Page, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  await page.goto(`${chat.host.origin}/elsewhere.html`);
  await meanwhile();
  // a page from the cache does not load again
  await page.goBack({ waitUntil: 'commit' });
  expect(await page.evaluate(() => Reflect.get(window, 'wasKept')), 'kept by the browser').toBe(true);
}

test('what was sent before a panel was there is not sent again on return, if the next page has sent it', async () => {
  const words = 'Sent before the panel was there';
  const page = await browser.newPage();
  chat.watch(page);
  let isHeld = true;
  const letGo: (() => Promise<void>)[] = [];
  await page.route(/chunks\/runtime-/, (route) => {
    if (isHeld) letGo.push(() => route.continue());
    else void route.continue();
  });
  const next = await chat.pageUrl('storage="session"', { path: '/early-next.html' });
  await page.goto(await chat.pageUrl('storage="session"', { path: '/early.html', script: remember }));
  const widget = new ChatPage(page);
  const field = widget.element.getByRole('textbox');
  await field.fill(words);
  await field.press('Enter');
  await field.fill('not sent yet');
  const stored = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await expect.poll(stored).toContain('not sent yet');
  await page.goto(next);
  isHeld = false;
  for (const go of letGo.splice(1)) await go();
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  await page.goBack({ waitUntil: 'commit' });
  expect(await page.evaluate(() => Reflect.get(window, 'wasKept')), 'kept by the browser').toBe(true);
  for (const go of letGo) await go();
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  await expect(widget.composer).toHaveValue('not sent yet');
  expect(chat.asked(words)).toBe(1);
  await page.close();
});

for (const storage of ['none', 'local'] as const) {
  test(`a page left during an answer resumes it on return (${storage})`, async () => {
    const words = `Left in the middle (${storage}), and told to its end when the visitor comes back to the page`;
    const letGo = chat.hold(words);
    const { page, widget } = await chatPage(`/left-${storage}.html`, storage);
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toContain('Left in');
    await widget.composer.fill('not sent yet');
    await awayAndBack(page, () => expect.poll(() => chat.proxy.open).toBe(0));
    letGo();
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect
      .poll(() => readTurn(page))
      .toMatchObject({ status: 'completed', text: words, connection: 'idle', length: 2 });
    await expect(widget.composer).toHaveValue('not sent yet');
    expect(chat.asked(words)).toBe(1);
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'heard'))).toEqual(['completed']);
    await page.close();
  });
}

test('on return, a page shows the conversation that continued or started on another page', async () => {
  const { page, widget } = await chatPage('/former.html', 'session');
  await widget.say('Said on the former page');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  await page.goto(await chat.pageUrl('storage="session"', { path: '/latter.html' }));
  await widget.composer.waitFor();
  await widget.evaluate((host) => host.newThread());
  await widget.say('Said on the latter page');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  await page.goBack({ waitUntil: 'commit' });
  expect(await page.evaluate(() => Reflect.get(window, 'wasKept')), 'kept by the browser').toBe(true);
  await expect.poll(() => widget.lastAnswer()).toBe('Said on the latter page');
  await expect.poll(() => readTurn(page)).toMatchObject({ length: 2, connection: 'idle' });
  await page.close();
});

test('a page left after an answer shows it on return, receives callbacks and continues', async () => {
  const { page, widget } = await chatPage('/after.html', 'session');
  await widget.say('Before leaving');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  const threadId = await widget.evaluate((host) => host.conversation?.threadId);
  const token = chat.service.serverKey;
  const post = async (text: string): Promise<void> => {
    const body = { role: 'assistant', content: [{ response_type: 'text', text }] };
    const posted = await chat.service.request('POST', `/api/v1/callback/${threadId}`, { body, token });
    expect(posted.status).toBe(201);
  };
  await awayAndBack(page, () => post('Came while the page was left'));
  await expect.poll(() => widget.lastAnswer()).toBe('Came while the page was left');
  await post('Came when it was back');
  await expect.poll(() => widget.lastAnswer()).toBe('Came when it was back');
  await widget.say('And on it goes');
  await expect.poll(() => widget.lastAnswer()).toBe('And on it goes');
  await expect
    .poll(() => readTurn(page))
    .toMatchObject({ status: 'completed', connection: 'idle', length: 6 });
  await page.close();
  expect(chat.faults).toEqual([]);
});
