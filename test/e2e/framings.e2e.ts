import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const text = 'Grüße aus dem Hafen: **zwei** Plätze sind frei, 漢字 und 🚤 inbegriffen.';
const shown = 'Grüße aus dem Hafen: zwei Plätze sind frei, 漢字 und 🚤 inbegriffen.';
const server = pageServer(test);

test('whatever framing a server sends, the transcript is the same', async ({ page }) => {
  let framing: (typeof framings)[keyof typeof framings] = framings['real SSE'];
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framing, plainTurn([...text.matchAll(/.{1,5}/gsu)].map(([piece]) => piece)));
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>',
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  for (const [name, each] of Object.entries(framings))
    await test.step(name, async () => {
      framing = each;
      await chat.evaluate((element) => element.newThread());
      await expect(chat.answers).toHaveCount(0);
      await chat.say('Hello');
      await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
      expect(await chat.lastAnswer()).toBe(shown);
      await expect(chat.answers).toHaveCount(1);
      await expect(chat.notice).toHaveCount(0);
      const transcript = await chat.evaluate((element) => element.exportTranscript('json'));
      const { messages } = JSON.parse(transcript) as { messages: { role: string; text: string }[] };
      expect(messages.map(({ role, text: said }) => [role, said])).toEqual([
        ['user', 'Hello'],
        ['assistant', text],
      ]);
    });
});
