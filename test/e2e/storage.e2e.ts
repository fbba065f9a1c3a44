import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { readTurn, watchedChat } from '../tools/faulty-chat.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

const chat = watchedChat(test);

/** Everything that the page's origin stores, as one text. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
}
const nothing = '[{},{},""]';

async function closed(url: Promise<string>, path: string): Promise<string> {
  const open = await url;
  const page = chat.host.pages.get(path);
  if (page) chat.host.pages.set(path, { html: page.html.replace(' open ', ' ') });
  return open;
}

for (const storage of ['session', 'local'] as const) {
  test(`a reload during an answer resumes it, with the panel open (${storage})`, async ({ page }) => {
    const path = `/reload-${storage}.html`;
    const words = `Reload (${storage}) in the middle of these words, of which the agent says the rest afterwards`;
    const letGo = chat.hold(words);
    await page.goto(await closed(chat.pageUrl(`storage="${storage}"`, { path }), path));
    const widget = new ChatPage(page);
    await widget.open();
    expect(await kept(page)).toBe(nothing);
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toContain('Reload');
    await widget.composer.fill('not sent yet');
    await page.reload();
    await expect(widget.composer).toBeVisible();
    letGo();
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect
      .poll(() => readTurn(page))
      .toMatchObject({ status: 'completed', text: words, connection: 'idle' });
    await expect(widget.composer).toHaveValue('not sent yet');
    await expect(widget.composer).not.toBeFocused();
    expect(chat.asked(words)).toBe(1);
    expect(await kept(page)).not.toContain(await chat.service.token('visitor', { lifetime: 36_000 }));
  });
}

/** Puts the element into the page as a framework does: its properties and listeners come right after. */
const framework = `
  const chat = document.querySelector('agent-chat');
  chat.remove();
  customElements.whenDefined('agent-chat').then(() => {
    document.body.append(chat);
    chat.open = false;
    opened = 0;
    chat.addEventListener('agent-chat-open', (event) => {
      opened += 1;
      if (location.search) event.preventDefault();
    });
  });`;

test('a panel that reopens after a reload fires an event that the page can cancel', async ({ page }) => {
  const path = '/told.html';
  const url = await closed(chat.pageUrl('', { path, script: framework }), path);
  const opened = (): Promise<unknown> => page.evaluate("typeof opened === 'undefined' ? 'later' : opened");
  await page.goto(url);
  const widget = new ChatPage(page);
  await widget.open();
  await widget.say('Keep the panel open');
  await expect.poll(() => widget.lastAnswer()).toBe('Keep the panel open');
  expect(await opened()).toBe(1);
  await page.reload();
  await expect(widget.composer).toBeVisible();
  await expect.poll(opened).toBe(1);
  await expect(widget.composer).not.toBeFocused();
  await page.goto(`${url}?closed`);
  await expect.poll(opened).toBe(1);
  expect(await widget.element.evaluate((element) => Reflect.get(element, 'open'))).toBe(false);
});

test('with storage none nothing is stored, and a reload starts anew', async ({ page }) => {
  await page.goto(await chat.pageUrl('storage="none"'));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('Keep nothing of this');
  await expect.poll(() => widget.lastAnswer()).toBe('Keep nothing of this');
  await widget.composer.fill('nor of this');
  expect(await kept(page)).toBe(nothing);
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).length + (await caches.keys()).length),
  ).toBe(0);
  await page.reload();
  await widget.composer.waitFor();
  expect(await kept(page)).toBe(nothing);
  expect(await widget.lastAnswer()).toBe('');
});

test('another visitor sees nothing of the previous one, after a reload or at once', async ({ page }) => {
  const path = '/visitor.html';
  await page.goto(await chat.pageUrl('storage="local" visitor="ada"', { path }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('What Ada said');
  await expect.poll(() => widget.lastAnswer()).toBe('What Ada said');
  await expect.poll(() => kept(page)).toContain('What Ada said');
  await chat.pageUrl('storage="local" visitor="bob"', { path });
  await page.reload();
  await widget.composer.waitFor();
  await expect.poll(() => kept(page)).toBe(nothing);
  expect(await widget.lastAnswer()).toBe('');
  await widget.say('What Bob said');
  await expect.poll(() => widget.lastAnswer()).toBe('What Bob said');
  await expect.poll(() => kept(page)).toContain('What Bob said');
  await widget.element.evaluate((element) => element.setAttribute('visitor', 'cem'));
  await expect.poll(() => widget.lastAnswer()).toBe('');
  expect(await kept(page)).toBe(nothing);
});

isolatedTest(
  'a page may set visitor late: the stored chat is restored for that visitor only',
  async ({ page }) => {
    const path = '/late-visitor.html';
    const words = 'What Ada said';
    await page.goto(await chat.pageUrl('storage="local" visitor="ada"', { path }));
    const widget = new ChatPage(page);
    await widget.composer.waitFor();
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
    await chat.pageUrl('storage="local"', { path });
    await page.clock.install();
    await page.reload();
    await widget.composer.fill('not sent yet');
    expect(await widget.lastAnswer()).toBe('');
    await widget.element.evaluate((element) => element.setAttribute('visitor', 'ada'));
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect(widget.composer).toHaveValue('not sent yet');
    await page.clock.fastForward(60_000);
    expect(await kept(page)).toContain(words);
    await page.reload();
    await widget.composer.waitFor();
    await page.clock.runFor(10_000);
    await expect.poll(() => kept(page)).toBe(nothing);
  },
);

isolatedTest(
  'a page may set visitor after it has sent a message: the stored chat of that visitor is not lost',
  async ({ page }) => {
    const path = '/later-visitor.html';
    const words = 'What Ada said';
    const early = 'What was said before the page set visitor';
    const url = await chat.pageUrl('storage="local" visitor="ada"', { path });
    await page.clock.install();
    await page.goto(url);
    const widget = new ChatPage(page);
    await widget.composer.waitFor();
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
    const sendEarly = async (): Promise<void> => {
      await page.reload();
      await widget.composer.waitFor();
      await widget.say(early);
      await expect.poll(() => widget.lastAnswer()).toBe(early);
      await page.clock.runFor(5_000);
    };
    await chat.pageUrl('storage="local"', { path });
    await sendEarly();
    expect(await kept(page)).toContain(words);
    await widget.element.evaluate((element) => element.setAttribute('visitor', 'ada'));
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await page.clock.runFor(15_000);
    expect(await kept(page)).toContain(words);
    expect(await kept(page)).not.toContain(early);

    // a page that sets no visitor keeps what was said there
    await sendEarly();
    await page.clock.runFor(10_000);
    expect(await kept(page)).not.toContain(words);
    expect(await kept(page)).toContain(early);
    await widget.element.evaluate((element) => element.setAttribute('visitor', 'bob'));
    await expect.poll(() => kept(page)).toBe(nothing);
    expect(await widget.lastAnswer()).toBe('');
  },
);

isolatedTest(
  'a tab without knowledge of another deletes nothing that the other has stored since',
  async ({ context }) => {
    const words = 'What was said in the other tab';
    const url = await chat.pageUrl('storage="local"', { path: '/deaf-tab.html' });
    await context.clock.install();
    const one = await context.newPage();
    const deaf = await context.newPage();
    await deaf.addInitScript('delete globalThis.BroadcastChannel');
    for (const tab of [one, deaf]) {
      await tab.goto(url);
      await new ChatPage(tab).composer.waitFor();
    }
    const widget = new ChatPage(one);
    await widget.say(words);
    await expect.poll(() => widget.lastAnswer()).toBe(words);
    await expect.poll(() => kept(one)).toContain(words);
    await context.clock.fastForward(60_000);
    await expect.poll(() => kept(deaf)).toContain(words);
  },
);

test('a page that names a thread keeps it when it sets visitor late', async ({ page }) => {
  const path = '/late-visitor-thread.html';
  const words = 'What was said in this thread';
  await page.goto(await chat.pageUrl('storage="local" visitor="ada"', { path }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say(words);
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  await expect.poll(() => kept(page)).toContain('threadId');
  const [, threadId] = /"threadId\W+([\w-]+)/.exec(await kept(page)) ?? [];
  await chat.pageUrl(`storage="local" thread-id="${threadId}"`, { path });
  await page.reload();
  await expect.poll(() => widget.lastAnswer()).toBe(words);
  const isRead = page.waitForResponse(/\/messages/);
  await widget.element.evaluate((element) => element.setAttribute('visitor', 'ada'));
  await isRead;
  await expect.poll(() => widget.lastAnswer()).toBe(words);
});

test('invalid data in storage is dropped and reported, and the chat works', async ({ page }) => {
  const told: string[] = [];
  page.on('console', (entry) => told.push(entry.text()));
  await page.goto(await chat.pageUrl('storage="session"', { path: '/garbage.html' }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('Before the garbage');
  await expect.poll(() => kept(page)).toContain('Before the garbage');
  await page.evaluate(() => {
    addEventListener('pagehide', () => {
      for (const key of Object.keys(sessionStorage))
        if (key.endsWith('conversation')) sessionStorage.setItem(key, '{"version":1,"conversation":[[[');
    });
  });
  await page.reload();
  await widget.composer.waitFor();
  await expect.poll(() => told.join('\n')).toContain('was ignored');
  await widget.say('After the garbage');
  await expect.poll(() => widget.lastAnswer()).toBe('After the garbage');
});

for (const [how, script] of [
  ['full', "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') };"],
  [
    'forbidden',
    "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } });",
  ],
] as const) {
  test(`with storage that is ${how} only persistence is lost`, async ({ page }) => {
    await page.addInitScript(script);
    await page.goto(await chat.pageUrl('storage="local"', { path: `/${how}.html` }));
    const widget = new ChatPage(page);
    await widget.composer.waitFor();
    await widget.say(`Said with a storage that is ${how}`);
    await expect.poll(() => widget.lastAnswer()).toBe(`Said with a storage that is ${how}`);
    await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed' });
  });
}

test('an answered form is still read-only after a reload', async ({ page }) => {
  await page.goto(await chat.pageUrl('', { path: '/form.html', agent: 'demo' }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  await widget.say('/form');
  const form = widget.element.locator('agent-chat-form');
  const fields = form.locator('input, select, textarea');
  await form.getByLabel('Name of the boat').fill('Marigold');
  await form.getByLabel('Length in metres').fill('9.5');
  await form.getByRole('textbox', { name: 'Day of arrival' }).fill('2031-05-04');
  await form.getByRole('button', { name: 'Announce' }).click();
  await expect(fields).toHaveCount(0);
  await expect
    .poll(() => readTurn(page))
    .toMatchObject({ status: 'completed', connection: 'idle', length: 4 });
  await page.reload();
  await expect(form.getByText('Marigold').first()).toBeVisible();
  await expect(fields).toHaveCount(0);
});

for (const storage of ['session', 'local'] as const)
  test(`what the service has erased goes here too, but for what was not sent yet (${storage})`, async ({
    page,
  }) => {
    const person = `erased-${storage}`;
    const path = `/erased-${storage}.html`;
    const token = await chat.service.token(person, { lifetime: 36_000 });
    const script = `window.token = ${JSON.stringify(token)}; document.querySelector('agent-chat').open = true;`;
    await page.goto(await chat.pageUrl(`storage="${storage}"`, { path, script }));
    const widget = new ChatPage(page);
    await widget.say('My secret');
    await expect.poll(() => widget.lastAnswer()).toBe('My secret');
    await page.route('**/runs/stream', (route) => route.fulfill({ status: 422, json: { detail: 'no' } }));
    await widget.say('Not accepted');
    await expect(widget.notice).toBeVisible();
    await widget.composer.fill('Not sent yet');
    await expect.poll(() => kept(page)).toContain('Not accepted');
    const threadId = await widget.evaluate((host) => host.conversation?.threadId);
    await chat.service.client(person).extensions.deleteThread(threadId!);
    await page.unroute('**/runs/stream');
    const sentence = widget.element.locator('agent-chat-history-status');
    const welcome = widget.element.locator('agent-chat-welcome');
    await page.reload();
    await expect(widget.composer).toHaveValue('Not accepted\n\nNot sent yet');
    expect(await kept(page)).toBe(nothing);
    await expect(widget.element.locator('agent-chat-visitor-message')).toHaveCount(0);
    await expect(sentence).toContainText('Your earlier conversation is no longer available.');
    await sentence.getByRole('button', { name: 'New chat' }).click();
    await expect(welcome).toBeVisible();
    await widget.composer.press('Enter');
    await expect.poll(() => widget.lastAnswer()).toContain('Not sent yet');
  });

test('who has to sign in again after a reload finds the button in view, below a long conversation', async ({
  page,
}) => {
  const token = await chat.service.token('signed-out', { lifetime: 36_000 });
  const script = `const chat = document.querySelector('agent-chat');
    chat.tokenProvider = () => (sessionStorage.getItem('signed-out') ? 'expired' : ${JSON.stringify(token)});
    chat.open = true;`;
  await page.goto(await chat.pageUrl('storage="session"', { path: '/signed-out.html', script }));
  const widget = new ChatPage(page);
  const words = 'Said before. '.repeat(150);
  await widget.say(words);
  await expect.poll(() => widget.lastAnswer()).toBe(words.trim());
  await page.evaluate(() => sessionStorage.setItem('signed-out', 'yes'));
  await page.reload();
  const signIn = widget.element.getByRole('button', { name: 'Sign in' });
  await expect(signIn).toBeInViewport({ ratio: 1 });
  await widget.composer.press('Shift+Tab');
  await expect(signIn).toBeFocused();
  await page.evaluate(() => sessionStorage.removeItem('signed-out'));
  await signIn.click();
  await expect(signIn).toHaveCount(0);
  await expect(widget.answers.last()).toBeInViewport();
});
