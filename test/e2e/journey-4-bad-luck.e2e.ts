import { expect, type BrowserContext, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { FaultyChat } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

let chat: FaultyChat;
test.beforeAll(async () => {
  chat = await FaultyChat.start();
});
test.afterAll(async () => {
  await chat.close();
});

const script = `
  const chat = document.querySelector('agent-chat');
  chat.additionalParameters = { delay_ms: 25, chunk_length: 2 };
  chat.tokenProvider = () => (localStorage.getItem('signed-out') ? 'expired' : window.token);`;

/** What the visitor has said so far, in order. */
const said: string[] = [];

/** What the transcript shows, one line a message. */
function shown(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { messages = [] } = document.querySelector('agent-chat')?.conversation ?? {};
    return messages
      .filter(({ hidden, superseded }) => !hidden && !superseded)
      .map(({ role, items }) => `${role}: ${items.map(({ text }) => text).join('')}`);
  });
}

/** Every word that was said, and its answer, stands there once; the agent was asked once for each. */
async function expectWhole(...pages: readonly Page[]): Promise<void> {
  const whole = said.flatMap((words) => [`user: ${words}`, `assistant: ${words}`]);
  for (const page of pages) {
    await expect.poll(() => shown(page), { timeout: 15_000 }).toEqual(whole);
    await expect.poll(() => new ChatPage(page).lastAnswer()).toBe(said.at(-1));
    await expect(new ChatPage(page).notice).toHaveCount(0);
    await expect(new ChatPage(page).composer).toBeEditable();
  }
  expect(said.map((words) => chat.asked(words))).toEqual(said.map(() => 1));
}

/** Says something, and waits until the answer has begun. */
async function begin(page: Page, words: string): Promise<void> {
  const widget = new ChatPage(page);
  said.push(words);
  await widget.say(words);
  await expect.poll(() => widget.lastAnswer()).toContain(words.slice(0, 6));
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await new ChatPage(page).composer.waitFor();
  return page;
}

test('journey 4: a visitor with bad luck loses no word, reads none twice, and always has a way on', async ({
  context,
}) => {
  test.setTimeout(90_000);
  const unwatch = chat.watch(context);
  said.length = 0;
  const url = await chat.pageUrl('storage="local"', { path: '/luck.html', script });
  chat.host.pages.set('/elsewhere.html', {
    html: '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>',
  });
  let page = await open(context, url);
  const widget = (): ChatPage => new ChatPage(page);

  await test.step('a train tunnel: offline in mid-answer, something is said meanwhile, online again', async () => {
    await begin(page, 'Tunnel: when does the next boat leave, please?');
    await context.setOffline(true);
    chat.proxy.cutAll();
    await expect(widget().element.locator('agent-chat-header .status')).toContainText('offline');
    said.push('Said in the tunnel');
    await widget().say('Said in the tunnel');
    await expect(widget().element).toContainText('Waiting to be sent');
    await context.setOffline(false);
    await expectWhole(page);
  });

  await test.step('a laptop lid: the page sleeps in mid-answer, its connections die', async () => {
    await begin(page, 'Lid closed: what is told while nobody is awake?');
    const session = await context.newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    chat.proxy.isDown = true;
    chat.proxy.cutAll();
    await expect.poll(() => chat.proxy.open).toBe(0);
    chat.proxy.isDown = false;
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await expectWhole(page);
  });

  await test.step('the token has expired: the visitor signs in again and goes on', async () => {
    await page.evaluate(() => localStorage.setItem('signed-out', 'yes'));
    await page.reload();
    await widget().composer.waitFor();
    said.push('Signed in again');
    await widget().say('Signed in again');
    await expect(widget().notice.last()).toContainText('sign in again');
    await page.evaluate(() => localStorage.removeItem('signed-out'));
    await widget().notice.last().getByRole('button').click();
    await expectWhole(page);
  });

  await test.step('the service is out of reach in mid-answer and comes back', async () => {
    await begin(page, 'Restart: the service goes away and comes back.');
    chat.proxy.isDown = true;
    chat.proxy.cutAll();
    await expect(widget().element.locator('agent-chat-header .status')).toContainText('Reconnecting');
    chat.proxy.isDown = false;
    await expectWhole(page);
  });

  await test.step('the tab is closed in mid-answer and opened again', async () => {
    await begin(page, 'Closed: the answer to this is read in a new tab.');
    await page.close();
    page = await open(context, url);
    await expectWhole(page);
  });

  await test.step('two tabs', async () => {
    const other = await open(context, url);
    await expectWhole(other);
    await begin(other, 'Two tabs: both of them read this answer.');
    await expectWhole(page, other);
    await other.close();
  });

  await test.step('Back and Forward in mid-answer', async () => {
    await begin(page, 'Back: away in mid-answer, and here again.');
    await page.goto(`${chat.host.origin}/elsewhere.html`);
    await page.goBack();
    await widget().composer.waitFor();
    await expectWhole(page);
    await page.goForward();
    await expect(page.locator('h1')).toHaveText('Elsewhere');
    await page.goBack();
    await widget().composer.waitFor();
    await expectWhole(page);
  });
  unwatch();
  expect(chat.faults.splice(0)).toEqual([]);
});
