import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { ChatPage, visibleMessages } from '../tools/chat-page.ts';
import { FaultProxy } from '../tools/fault-proxy.ts';
import { pageServer } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

const agentFile = fileURLToPath(new URL('../fixtures/counting-agent.mjs', import.meta.url));

let service: ServiceProcess;
let proxy: FaultProxy;
const host = pageServer(test);
let token: string;
let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-chat-luck-'));
  const agents = [{ id: 'counted', name: 'Counted', kind: 'module', module: agentFile }];
  await writeFile(join(folder, 'agents.json'), JSON.stringify({ agents }));
  service = await ServiceProcess.start({
    AGENTS_FILE: join(folder, 'agents.json'),
    JWT_SECRET: 'kept when the service is started again',
    RATE_LIMIT: '0',
    RUN_LEASE: '1',
  });
  proxy = await FaultProxy.start(service.origin);
  token = await service.token();
});
test.afterAll(async () => {
  await proxy.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const pageOf = (): string => `<!doctype html><html lang="en"><title>Host</title><body>
  <agent-chat base-url="${proxy.origin}" agent-id="counted" storage="local" open></agent-chat>
  <script>
    const chat = document.querySelector('agent-chat');
    chat.additionalParameters = { delay_ms: 25, chunk_length: 2 };
    chat.tokenProvider = () => (localStorage.getItem('signed-out') ? 'expired' : ${JSON.stringify(token)});
    addEventListener('unhandledrejection', (event) => setTimeout(() => { throw event.reason }));
  </script>
  <script async src="${service.origin}/agent-chat.js"></script></body></html>`;

/** What the visitor has said so far, in order. */
const said: string[] = [];

/** How often these words were stored as a turn of the visitor's thread. */
async function turnsOf(page: Page, words: string): Promise<number> {
  const threadId = await new ChatPage(page).evaluate(({ conversation }) => conversation?.threadId);
  const answer = await fetch(`${service.origin}/api/v1/hub/threads/${threadId}/messages`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { messages } = (await answer.json()) as { messages: readonly { role: string; content: unknown }[] };
  return messages.filter(({ role, content }) => role === 'user' && JSON.stringify(content).includes(words))
    .length;
}

/** Words whose run was lost with the service: Retry asks again. */
const lost = new Set<string>();

/** Every word that was said, and its answer, stands there once; the agent was asked once for each that was not lost. */
async function expectWhole(...pages: readonly Page[]): Promise<void> {
  const whole = said.flatMap((words) => [`user: ${words}`, `assistant: ${words}`]);
  for (const page of pages) {
    await expect.poll(() => visibleMessages(page), { timeout: 15_000 }).toEqual(whole);
    await expect.poll(() => new ChatPage(page).lastAnswer()).toBe(said.at(-1));
    await expect(new ChatPage(page).notice).toHaveCount(0);
    await expect(new ChatPage(page).composer).toBeEditable();
  }
  const [page] = pages;
  for (const words of said) expect(page && (await turnsOf(page, words)), words).toBe(lost.has(words) ? 2 : 1);
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
  test.setTimeout(180_000);
  const faults: string[] = [];
  const watch = (opened: Page): unknown =>
    opened.on('pageerror', (error) => faults.push(String(error.stack)));
  context.on('page', watch);
  said.length = 0;
  lost.clear();
  const url = `${host.origin}/luck.html`;
  host.pages.set('/luck.html', { html: pageOf() });
  host.pages.set('/elsewhere.html', {
    html: '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>',
  });
  let page = await open(context, url);
  const widget = (): ChatPage => new ChatPage(page);

  await test.step('a train tunnel: offline in mid-answer, something is said meanwhile, online again', async () => {
    await begin(page, 'Tunnel: when does the next boat leave, please?');
    await context.setOffline(true);
    proxy.cutAll();
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
    proxy.isDown = true;
    proxy.cutAll();
    await expect.poll(() => proxy.open).toBe(0);
    proxy.isDown = false;
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
    // the chat may have asked for a token by itself meanwhile
    const signIn = widget().notice.last().getByRole('button');
    await signIn.click({ timeout: 5_000 }).catch(() => undefined);
    await expectWhole(page);
  });

  await test.step('the service crashes in mid-answer and is started again', async () => {
    const words =
      'Restart: the service goes away in the middle of this and comes back with all that it had stored.';
    await begin(page, words);
    await service.kill();
    lost.add(words);
    await expect(widget().element.locator('agent-chat-header .status')).toContainText('Reconnecting');
    await service.startAgain();
    await expect(widget().notice.last()).toContainText('Retry');
    await widget().notice.last().getByRole('button').click();
    await expectWhole(page);
  });

  await test.step('something is said while the service is away', async () => {
    await service.kill();
    said.push('Said to nobody');
    await widget().say('Said to nobody');
    await expect(widget().element.locator('agent-chat-header .status')).toContainText('Reconnecting');
    await service.startAgain();
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
    await page.goto(`${host.origin}/elsewhere.html`);
    await page.goBack();
    await widget().composer.waitFor();
    await expectWhole(page);
    await page.goForward();
    await expect(page.locator('h1')).toHaveText('Elsewhere');
    await page.goBack();
    await widget().composer.waitFor();
    await expectWhole(page);
  });
  context.off('page', watch);
  expect(faults).toEqual([]);
});
