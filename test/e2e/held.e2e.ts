import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { watchedChat } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

const chat = watchedChat(test);

test('a message that the page delays is shown as waiting, and can be cancelled', async ({ page }) => {
  const script = `addEventListener('agent-chat-message-submit', (event) => {
    event.waitUntil(new Promise((resolve) => { window.letGo = resolve; }));
  });`;
  await page.goto(await chat.pageUrl('', { path: '/waits.html', script }));
  const widget = new ChatPage(page);
  await widget.say('Looked at by the page first');
  const said = widget.element.locator('agent-chat-visitor-message');
  await expect(said).toContainText('Looked at by the page first');
  await expect(said).toContainText('Waiting to be sent');
  await page.evaluate('letGo()');
  await expect.poll(() => widget.lastAnswer()).toBe('Looked at by the page first');
  await expect(said).toHaveCount(1);
  await expect(said).not.toContainText('Waiting');
  await widget.say('Not that');
  await said.nth(1).getByRole('button').click();
  await expect(said).toHaveCount(1);
  await page.evaluate('letGo()');
  await expect(widget.composer).toHaveValue('Not that');
  expect(chat.asked('Not that')).toBe(0);
});

test('a form that the page delays is shown as waiting, is sent once, and can be cancelled', async ({
  page,
}) => {
  const script = `addEventListener('agent-chat-message-submit', (event) => {
    if (event.message.content[0].response_type !== 'form_operation') return;
    event.waitUntil(new Promise((resolve) => { window.letGo = resolve; }));
  });`;
  await page.goto(await chat.pageUrl('', { path: '/form-waits.html', script, agent: 'demo' }));
  const widget = new ChatPage(page);
  const already = chat.proxy.requests.length;
  await widget.say('/form');
  const form = widget.element.locator('agent-chat-form');
  const send = form.locator('[part~=form-submit]');
  const said = widget.element.locator('agent-chat-visitor-message');
  const posts = (): number =>
    chat.proxy.requests.slice(already).filter((request) => /^POST .*\/runs\/stream$/.test(request)).length;
  await form.getByLabel('Name of the boat').fill('Marigold');
  await form.getByLabel('Length in metres').fill('9');
  await form.getByRole('textbox', { name: 'Day of arrival' }).fill('2030-06-01');
  await send.click();
  await expect(said.nth(1)).toContainText('Waiting to be sent');
  await expect(send).toHaveCount(0); // it cannot be sent twice
  await said.nth(1).getByRole('button').click();
  await expect(said).toHaveCount(1);
  await page.evaluate('letGo()');
  await expect(form.getByLabel('Name of the boat')).toHaveValue('Marigold');
  await send.click();
  await expect(said.nth(1)).toContainText('Waiting to be sent');
  expect(posts()).toBe(1);
  await page.evaluate('letGo()');
  await expect(said.nth(1)).not.toContainText('Waiting');
  await expect.poll(posts).toBe(2);
  await expect(send).toHaveCount(0);
});

test('the page gets edits and regenerations, and can change or cancel them', async ({ page }) => {
  const script = `window.told = [];
    addEventListener('agent-chat-message-submit', (event) => {
      const { message } = event;
      window.told.push([message.content[0].text, message.additional_properties?.client_message_id]);
      if (/secret/.test(message.content[0].text)) event.preventDefault();
      message.content = message.content.map((item) => ({ ...item, text: item.text.replace('4111', '****') }));
    });`;
  await page.goto(await chat.pageUrl('', { path: '/again.html', script }));
  const widget = new ChatPage(page);
  await widget.say('First words');
  const button = (name: string) => widget.element.getByRole('button', { name, exact: true });
  const said = widget.element.locator('agent-chat-visitor-message');
  const editor = widget.element.locator('agent-chat-message-editor textarea');
  await expect.poll(() => widget.lastAnswer()).toBe('First words');
  await said.hover();
  await button('Edit').click();
  await editor.fill('My card is 4111');
  await editor.press('Enter');
  await expect.poll(() => widget.lastAnswer()).toBe('My card is ****');
  expect(chat.asked('My card is 4111')).toBe(0);
  await said.hover();
  await button('Edit').click();
  await editor.fill('A secret');
  await editor.press('Enter');
  await expect(editor).toHaveValue('A secret');
  await editor.press('Escape');
  await expect(said).toContainText('My card is ****');
  await widget.element.locator('agent-chat-turn-actions').getByRole('button').last().click();
  await expect.poll(() => chat.asked('My card is ****')).toBe(2);
  expect(await page.evaluate('told')).toEqual([
    ['First words', undefined],
    ['My card is 4111', undefined],
    ['A secret', undefined],
    ['My card is ****', undefined],
  ]);
});
