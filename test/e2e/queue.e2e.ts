import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);
let posted: string[] = [];
/** Answers the first message, once it is to be answered. */
let refuse = (): void => undefined;

test.beforeAll(async () => {
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    posted.push(/First|Second/.exec(body)?.[0] ?? body);
    if (posted.length === 1) {
      await new Promise<void>((resolve) => (refuse = resolve));
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end('{"detail":"too many"}');
      return true;
    }
    const events = plainTurn([`An answer to ${posted.at(-1)}.`]);
    await sendEvents(
      response,
      framings['real SSE'],
      events.map((event, index) => ({ ...event, id: `${Date.now()}-${index}` })),
      0,
    );
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});
test.beforeEach(() => {
  posted = [];
});

test('queued messages wait behind a rejected one, which can be sent again', async ({ page }) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('First');
  await expect.poll(() => posted).toEqual(['First']);
  await chat.say('Second');
  // not the announcement of the same words
  const waiting = chat.element.locator('agent-chat-visitor-message').getByText('Waiting to be sent');
  await expect(waiting).toBeVisible();
  refuse();
  const retry = chat.element.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await expect(waiting).toBeVisible();
  expect(posted).toEqual(['First']);
  await expect(retry).toHaveAttribute('aria-disabled', 'false');
  await retry.click();
  await expect.poll(() => chat.lastAnswer()).toBe('An answer to Second.');
  expect(posted).toEqual(['First', 'First', 'Second']);
});

test('a delay requested by the service continues when the chat is moved', async ({ page }) => {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('First');
  await expect.poll(() => posted).toEqual(['First']);
  refuse();
  const retry = chat.element.getByRole('button', { name: 'Retry' });
  await retry.evaluate((button) => {
    if (button.getAttribute('aria-disabled') !== 'true') throw new Error('there is no wait to go on');
    document.body.prepend(document.querySelector('agent-chat') ?? '');
  });
  await expect(retry).toHaveAttribute('aria-disabled', 'false');
});
