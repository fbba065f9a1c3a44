import { expect } from '@playwright/test';
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

test('invalid calls are rejected with a message, and the conversation stays', async ({ page }) => {
  chat.watch(page);
  await page.goto(await chat.pageUrl('', { path: '/bad-calls.html' }));
  const widget = new ChatPage(page);
  await widget.say('Still here');
  await expect.poll(() => widget.lastAnswer()).toBe('Still here');
  // as an untyped page may call it
  const refused = await widget.element.evaluate((element) => {
    const host = element as unknown as Record<string, (argument: unknown) => Promise<unknown>>;
    const calls: [string, unknown][] = [
      ['setThread', 'nope'],
      ['setThread', 42],
      ['setThread', {}],
      ['exportTranscript', 'pdf'],
      ['send', 42],
      ['send', null],
      ['send', Symbol('hi')],
      ['send', [{ response_type: 'text', text: 'Hi' }, 'Hi', null]],
    ];
    return Promise.all(calls.map(([name, argument]) => host[name]?.(argument).then(String, String)));
  });
  expect(refused).toEqual([
    'TypeError: setThread takes a UUID',
    'TypeError: setThread takes a UUID',
    'TypeError: setThread takes a UUID',
    'TypeError: exportTranscript takes markdown, json or jsonl',
    ...Array<string>(4).fill('TypeError: send takes text or items'),
  ]);
  expect(await widget.lastAnswer()).toBe('Still here');
  expect(chat.faults).toEqual([]);
});
