import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

test('a visitor finds, renames and deletes conversations, and goes on with the last one after a new chat', async ({
  page,
  sharedService: service,
}) => {
  const host = await PageServer.start();
  const token = await service.token(); // of a new visitor
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="echo" token="${token}"></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  const opener = chat.element.getByRole('button', { name: 'Conversations' });
  await expect(opener).toHaveCount(0); // nothing is known of the service yet
  await chat.say('Which berths are free?');
  await expect(opener).toBeVisible();
  await chat.element.getByRole('button', { name: 'New chat' }).click();
  const last = chat.element.getByRole('button', { name: /Continue your last conversation/ });
  await expect(last).toContainText('Which berths are free?');
  await chat.say('When is high water?');

  await opener.click();
  const list = chat.element.getByRole('dialog', { name: 'Conversations' });
  await expect(chat.element.getByRole('banner')).toHaveCount(0); // the page has landmarks of its own
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveText([/When is high water\?/, /Which berths are free\?/]);
  await list.getByRole('searchbox').fill('berth');
  await expect(rows).toHaveText([/Which berths are free\?/]);
  await rows.getByRole('button', { name: /^Which berths/ }).focus();
  await page.keyboard.press('F2');
  await list.getByRole('textbox', { name: 'Name of the conversation' }).fill('Berths for the regatta');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveText([/Berths for the regatta/]);
  await list.getByRole('searchbox').fill('');
  await expect(rows).toHaveText([/When is high water\?/, /Berths for the regatta/]);

  await rows
    .nth(0)
    .getByRole('button', { name: /^When is high water/ })
    .focus();
  await page.keyboard.press('Delete');
  await rows.nth(0).getByRole('button', { name: 'Delete' }).click();
  await expect(rows).toHaveText([/Berths for the regatta/]);
  await rows
    .nth(0)
    .getByRole('button', { name: /^Berths/ })
    .click();
  await expect(list).toHaveCount(0);
  await expect.poll(() => chat.lastAnswer()).toBe('Which berths are free?');
  await chat.say('And tomorrow?');
  await expect.poll(() => chat.lastAnswer()).toBe('And tomorrow?');
  await host.close();
});
