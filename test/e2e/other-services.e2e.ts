import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { readTurn } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

// A service of the interface that has its five endpoints and nothing else.
const server = pageServer(test);
let cutAfter: number | undefined;
test.beforeAll(async () => {
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="any" base-url="/" token="t" open></agent-chat>
      <script async src="/agent-chat.js"></script></body></html>`,
  });
  server.answer = async (request, response) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(['The tide ', 'turns ', 'at ', 'six.']);
    const sse = framings['real SSE'];
    if (cutAfter === undefined) await sendEvents(response, sse, events);
    else {
      response.writeHead(200, { 'content-type': sse.type });
      response.write(events.slice(0, cutAfter).map(sse.write).join(''));
      // a browser drops what has come but was not read yet when a line breaks: leave it time to be read
      setTimeout(() => response.destroy(), 300);
    }
    return true;
  };
});
test.beforeEach(() => {
  cutAfter = undefined;
  server.requests.length = 0;
});

async function opened(page: Page): Promise<{ widget: ChatPage; told: string[] }> {
  const told: string[] = [];
  page.on('console', (entry) => {
    if (!/404/.test(entry.text())) told.push(entry.text());
  });
  page.on('pageerror', (error) => told.push(error.message));
  await page.goto(`${server.origin}/`);
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  return { widget, told };
}

const posts = (): number => server.requests.filter((request) => request.endsWith('/runs/stream')).length;

test('a service without any extension answers, is asked for each of them once, and nothing is said of it', async ({
  page,
}) => {
  const { widget, told } = await opened(page);
  await widget.say('When does the tide turn?');
  await expect.poll(() => widget.lastAnswer()).toBe('The tide turns at six.');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', connection: 'idle' });
  for (const hidden of [true, false, true, false]) {
    await page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  }
  await widget.say('And once more?');
  await expect.poll(() => readTurn(page)).toMatchObject({ status: 'completed', length: 4 });
  expect(server.requests.filter((request) => request.includes('/threads/'))).toHaveLength(1);
  await expect(widget.notice).toHaveCount(0);
  await page.reload();
  await expect.poll(() => widget.lastAnswer()).toBe('The tide turns at six.');
  await expect(widget.notice).toHaveCount(0);
  expect(told).toEqual([]);
  expect(posts()).toBe(2);
});

test('a run that broke there is not posted again by itself: the partial text stays, and Retry is offered', async ({
  page,
}) => {
  cutAfter = 5;
  const { widget } = await opened(page);
  await widget.say('When does the tide turn?');
  await expect(widget.notice).toBeVisible();
  await expect.poll(() => widget.lastAnswer()).toContain('The tide turns');
  expect(await readTurn(page)).toMatchObject({
    status: 'interrupted',
    failure: 'interrupted',
    connection: 'failed',
  });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.reload();
  await expect(widget.notice).toBeVisible();
  expect(posts()).toBe(1);
  cutAfter = undefined;
  await widget.notice.getByRole('button').last().click();
  await expect.poll(() => widget.lastAnswer()).toBe('The tide turns at six.');
  expect(posts()).toBe(2);
});
