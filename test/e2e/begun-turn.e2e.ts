import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

/** An empty thread. */
const elsewhere = '00000000-0000-4000-8000-00000000e15e';

let server: PageServer;
/** The messages that the service stores. */
let stored: Record<string, unknown>[];
/** Interval between events, in ms. */
let pace: number;

test.beforeEach(async () => {
  server = await PageServer.start();
  stored = [];
  pace = 1;
  server.answer = async (request, response, body) => {
    if (request.url?.endsWith('/messages')) {
      const messages = request.url.includes(`/${elsewhere}/`) ? [] : stored;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ messages }));
      return true;
    }
    if (!request.url?.endsWith('/runs/stream')) return false;
    const { message } = JSON.parse(body) as { message: Record<string, unknown> }; // as the widget posts it
    const events = plainTurn(['An ', 'answer.']);
    const { run_id, message: answer } = events.find(({ event }) => event === 'message.created')?.data ?? {};
    stored.push(
      { ...message, id: 'question', run_id },
      { ...(answer as Record<string, unknown>), run_id }, // an object of plainTurn
    );
    await sendEvents(response, framings['real SSE'], events, pace);
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
});
test.afterEach(() => server.close());

test('a new turn gets space to grow, a restored one does not', async ({ page }) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Question');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  const turn = chat.element.locator('agent-chat-turn');
  await expect(turn).toHaveClass(/pinned/);
  const threadId = await chat.evaluate((host) => host.conversation?.threadId);
  expect(threadId).toBeTruthy();
  await chat.evaluate((host, id) => host.setThread(id), elsewhere);
  await expect(turn).toHaveCount(0);
  await chat.evaluate((host, id) => host.setThread(id), threadId);
  await expect(turn).toHaveCount(1);
  await expect(chat.answers).toHaveText(['An answer.']);
  await expect(turn).not.toHaveClass(/pinned|entering/);
});

test('a question slides in while it waits for its answer', async ({ page }) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  pace = 250;
  await chat.say('Question');
  await expect(chat.element.locator('agent-chat-turn')).toHaveClass(/entering/);
  await expect(chat.answers).toHaveText(['An answer.']);
});
