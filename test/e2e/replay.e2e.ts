import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, plainTurn } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

test('a recording plays at its own pace, from the visitor’s message on, without a service', async ({
  page,
}) => {
  const server = await PageServer.start();
  const events = plainTurn(['The tide ', 'turns ', 'at noon.']).map((event, index) => ({
    at: index * 60,
    ...event,
  }));
  const first = { at: 0, event: 'recording.started', data: { message: 'When does it turn?' } };
  server.answer = (request, response) => {
    if (request.url !== '/run.jsonl') return false;
    response.end([first, ...events].map((line) => JSON.stringify(line)).join('\n'));
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat replay="/run.jsonl" storage="none"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('When does it turn?');
  await expect.poll(() => chat.lastAnswer()).toContain('The tide turns at noon.');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('Once more');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  expect(server.requests.filter((request) => request.includes('/api/'))).toEqual([]);
  await server.close();
});
