import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { watchedChat } from '../tools/faulty-chat.ts';
import { test } from '../tools/worker-context.ts';

const chat = watchedChat(test);
const day = 86_400_000;

/** Opens a page of another origin than the service, on a device whose clock is wrong by so many milliseconds. */
async function opened(page: Page, wrongBy: number, path: string, script = ''): Promise<ChatPage> {
  await page.addInitScript((milliseconds) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + milliseconds;
  }, wrongBy);
  await page.goto(await chat.pageUrl('storage="local"', { agent: 'demo', path, script }));
  const widget = new ChatPage(page);
  await widget.composer.waitFor();
  return widget;
}

test('a decision that is open for a day can be taken on a device whose clock is two days ahead', async ({
  page,
}) => {
  const widget = await opened(page, 2 * day, '/ahead.html');
  await widget.say('/approve');
  const card = widget.element.locator('agent-chat-decision');
  const state = card.locator('.state');
  await expect(state).toContainText('Your decision is needed');
  await page.reload();
  await expect(state).toContainText('Your decision is needed');
  await card.getByRole('button', { name: 'Approve' }).click();
  await expect(state).toContainText('Approved and done');
  await expect(widget.answers.last()).toContainText('Booked: berth C 14');
});

test('a page tool whose result is awaited for a minute runs on a device whose clock is two minutes ahead', async ({
  page,
}) => {
  const tool = `{ name: 'highlight', title: 'Highlight a berth', execute: ({ berth }) => \`\${berth} is lit\` }`;
  const script = `customElements.whenDefined('agent-chat').then(() =>
    document.querySelector('agent-chat').registerTool(${tool}));`;
  await page.route('**/runs/stream', async (route) => {
    const response = await route.fetch();
    const end = new Date(Date.now() + 60_000).toISOString();
    const call = '"type":"page_tool_call"';
    const body = (await response.text()).replace(call, `${call},"expires_at":"${end}"`);
    await route.fulfill({ response, body });
  });
  const widget = await opened(page, 120_000, '/tool.html', script);
  await widget.say('/page-tool');
  await widget.element.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(widget.answers.last()).toContainText('is lit');
});
