import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

interface SentMessage {
  readonly content: readonly { readonly text?: string; readonly response_type?: string }[];
  readonly [key: string]: unknown;
}

/** Opens a page with the widget and keeps every run request that it posts. */
async function visit(page: Page): Promise<{ chat: ChatPage; sent: Record<string, unknown>[] }> {
  const sent: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/runs/stream')) {
      sent.push(request.postDataJSON() as Record<string, unknown>);
    }
  });
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="demo" token="${await service.token()}"></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.answerAtOnce();
  return { chat, sent };
}

function messageOf(request: Record<string, unknown> | undefined): SentMessage {
  return request?.['message'] as SentMessage; // what the client posts
}

test('regenerating replaces the answer, and the agent does not see the old one; an older answer shows its actions under the pointer or the focus', async ({
  page,
}) => {
  const { chat, sent } = await visit(page);
  await chat.say('First question');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('/history');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await expect.poll(() => chat.lastAnswer()).toContain('First question');

  await test.step('the actions of an older answer', async () => {
    const copy = chat.element.getByRole('button', { name: 'Copy', exact: true });
    await chat.composer.hover();
    await expect(copy.nth(0)).toHaveCSS('opacity', '0');
    await expect(copy.nth(1)).toHaveCSS('opacity', '1');
    await chat.answers.nth(0).hover();
    await expect(copy.nth(0)).toHaveCSS('opacity', '1');
    await chat.composer.hover();
    await expect(copy.nth(0)).toHaveCSS('opacity', '0');
    await copy.nth(0).focus();
    await expect(copy.nth(0)).toHaveCSS('opacity', '1');
  });

  await chat.element.getByRole('button', { name: 'Answer again' }).click();
  await expect.poll(() => sent.length).toBe(3);
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(2);
  const again = messageOf(sent[2]);
  expect(again.parent_message_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(again.content[0]?.text).toBe('/history');
  await expect.poll(() => chat.lastAnswer()).toContain('First question');
  expect(await chat.lastAnswer()).not.toContain('/history');
});
