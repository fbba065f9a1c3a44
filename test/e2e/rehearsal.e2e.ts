import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;
let asked: string[];

test.beforeEach(async () => {
  server = await PageServer.start();
  asked = [];
  server.answer = async (request, response) => {
    if (!request.url?.startsWith('/api/')) return false;
    asked.push(request.url);
    if (!request.url.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn(['An ', 'answer.']), 1);
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><script>
        heard = [];
        for (const type of ['message-submit', 'run-start', 'run-event', 'run-end', 'thread-change', 'unread-change'])
          document.addEventListener('agent-chat-' + type, () => heard.push(type));
      </script><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
});
test.afterEach(() => server.close());

/** Resolves when the rehearsal's stage has come; in the page, `stageGone` resolves when it has gone. */
async function stageOf(page: Page, tag = 'agent-chat'): Promise<void> {
  await page.evaluate(async (name) => {
    const panel = document.querySelector(name)?.shadowRoot?.querySelector('agent-chat-panel')?.shadowRoot;
    if (!panel) throw new Error('there is no panel');
    const isThere = (): boolean => [...panel.children].some((child) => child.matches('div[inert]'));
    const until = (seen: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!seen()) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(panel, { childList: true });
      });
    if (!isThere()) await until(isThere);
    Object.assign(globalThis, { stageGone: until(() => !isThere()) });
  }, tag);
}

const stageGone = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as { stageGone: Promise<void> }).stageGone); // set above

test('what is played before the first turn asks nobody, tells nobody and leaves nothing', async ({
  page,
}) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await stageOf(page);
  // nobody who looks for a turn finds its turn
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(0);
  await stageGone(page);
  await expect(chat.element.locator('agent-chat-transcript')).toHaveCount(1);
  const left = await page.evaluate(() => ({
    heard: (globalThis as unknown as { heard: string[] }).heard, // set by the page above
    kept: Object.keys(localStorage).concat(Object.keys(sessionStorage)),
    title: document.title,
    focused: document.activeElement?.localName,
  }));
  expect(left).toEqual({ heard: [], kept: [], title: 'Host', focused: 'agent-chat' });
  expect(asked).toEqual([]);
  expect(await chat.evaluate((host) => host.conversation?.messages.length)).toBe(0);
  // and the first turn is as it always is
  await chat.say('Question');
  await expect(chat.answers).toHaveText(['An answer.']);
  expect(asked.filter((path) => path.endsWith('/runs/stream'))).toHaveLength(1);
});

test('a visitor who asks while it is played is not kept waiting by it', async ({ page }) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await stageOf(page);
  await chat.say('Question');
  await stageGone(page);
  await expect(chat.answers).toHaveText(['An answer.']);
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(1);
});

test("it is played by the host's own class, whatever its tag is called", async ({ page }) => {
  const faults: Error[] = [];
  page.on('pageerror', (fault) => faults.push(fault));
  await page.goto(server.origin);
  await page.evaluate(async () => {
    await customElements.whenDefined('agent-chat');
    const Base = customElements.get('agent-chat') as CustomElementConstructor; // just defined
    customElements.define('our-chat', class extends Base {});
    document.querySelector('agent-chat')?.remove();
    document.body.insertAdjacentHTML('beforeend', '<our-chat agent-id="a" token="t" open></our-chat>');
  });
  const chat = new ChatPage(page, 'our-chat');
  await chat.composer.waitFor();
  await stageOf(page, 'our-chat');
  await stageGone(page);
  await chat.say('Question');
  await expect(chat.answers).toHaveText(['An answer.']);
  expect(faults).toEqual([]);
});

test('it is played in the language of the page', async ({ page }) => {
  const faults: Error[] = [];
  page.on('pageerror', (fault) => faults.push(fault));
  server.pages.set('/de', {
    html: `<!doctype html><html lang="de"><title>Host</title><body>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
  await page.goto(`${server.origin}/de`);
  const chat = new ChatPage(page);
  await chat.open();
  await stageOf(page);
  await stageGone(page);
  await chat.say('Frage');
  await expect(chat.answers).toHaveText(['An answer.']);
  await expect(chat.button).toHaveAttribute('aria-label', 'Senden');
  expect(faults).toEqual([]);
});
