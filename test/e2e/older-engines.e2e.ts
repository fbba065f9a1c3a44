import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { becomeOlderEngine } from '../tools/older-engine.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

const questions = ['Hello', '/markdown', '/code', '/item image', '/form'];

test('with an engine of spring 2023 a visitor asks, and finds the conversation again after a reload', async ({
  page,
  sharedService: service,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(becomeOlderEngine);
  await page.route('**/shop.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Shop</title><script async src="/agent-chat.js"
        data-agent-id="demo" data-token-url="/demo/token"></script>`,
    }),
  );
  await page.goto(`${service.origin}/shop.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  for (const [asked, question] of questions.entries()) {
    await chat.say(question);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(asked + 1);
  }
  for (const visit of ['first', 'reloaded']) {
    const { element } = chat;
    await expect(element.locator('agent-chat-visitor-message'), visit).toHaveText(questions);
    await expect(element.locator('agent-chat-markdown table'), visit).toBeVisible();
    await expect(element.locator('agent-chat-markdown .code-head').first(), visit).toBeVisible();
    await expect(element.getByLabel('Name of the boat'), visit).toBeVisible();
    if (visit === 'first') await page.reload();
  }
  expect(errors).toEqual([]);
});
