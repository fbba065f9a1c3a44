import { expect, type BrowserContext, type Locator } from '@playwright/test';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { ChatPage } from '../tools/chat-page.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** A page with the widget and, unless it is left out, a tool that counts its calls for all tabs. */
async function open(
  context: BrowserContext,
  options: { tool?: string; attributes?: string; script?: string; isHeard?: boolean } = {},
): Promise<ChatPage> {
  const { tool = '', attributes = '', script = '', isHeard = false } = options;
  const chat = new ChatPage(await context.newPage());
  if (isHeard) await recordAnnouncements(chat.page);
  await chat.page.route('**/tools.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
        <body><script>${script}</script>
        <agent-chat agent-id="demo" token-url="/demo/token" storage="local" ${attributes}></agent-chat>
        <script async src="/agent-chat.js"></script>
        <script>customElements.whenDefined('agent-chat').then(() => {
          const chat = document.querySelector('agent-chat');
          ${tool}
          chat.show();
        });</script>`,
    }),
  );
  await chat.page.goto(`${service.origin}/tools.html`);
  await chat.composer.waitFor();
  await chat.answerAtOnce();
  return chat;
}

const counting = (change = ''): string => `chat.registerTool({
  name: 'highlight', title: 'Highlight a berth',
  inputSchema: { type: 'object', properties: { berth: { type: 'string', title: 'Berth' } } },
  execute: ({ berth }) => {
    localStorage.runs = Number(localStorage.runs ?? 0) + 1;
    return 'Berth ' + berth + ' is lit';
  },
  ${change}
});`;
const runs = (chat: ChatPage): Promise<string | null> =>
  chat.page.evaluate(() => localStorage.getItem('runs'));
const card = (chat: ChatPage): Locator => chat.element.locator('agent-chat-page-tool').last();

test('a page tool runs once, after consent, whatever is reloaded and in whichever tab', async ({
  context,
}) => {
  const one = await open(context, { tool: counting() });
  await one.say('/page-tool');
  await expect(card(one)).toContainText('May the assistant do this on this page?');
  await expect(card(one)).toContainText(/Highlight a berth\s*Acts on this page\s*Berth\s*C 14/);
  expect(await runs(one)).toBeNull();
  const other = await open(context, { tool: counting() });
  await expect(card(other)).toContainText('May the assistant do this on this page?');
  await one.page.bringToFront();
  await card(one).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(card(one)).toContainText('Done on this page');
  await expect(card(other)).toContainText('Done on this page');
  await expect(one.answers.last()).toContainText('Berth C 14 is lit');
  await one.page.reload();
  await expect(card(one)).toContainText('Done on this page');
  expect(await runs(one)).toBe('1');
});

test('a tool that cannot be offered, and one whose policy does not hold, are reported before a message', async ({
  context,
}) => {
  const tool = `
    window.told = [];
    document.addEventListener('agent-chat-diagnostic', ({ code, message }) => told.push([code, message]));
    chat.registerTool({ name: 'light a berth', execute: () => '' });
    chat.registerTool({ name: 'pay', policy: 'never', execute: () => '' });`;
  const chat = await open(context, { tool });
  const told = (): Promise<unknown> => chat.page.evaluate('told');
  await expect
    .poll(told)
    .toEqual([
      [
        'page-tool',
        expect.stringMatching(/^Not offered to the agent: light a berth\. .*before pay: the policy/),
      ],
    ]);
});

test('a tool that was running when the page was left may have had an effect, which is said', async ({
  context,
}) => {
  const chat = await open(context, {
    tool: counting().replace('=> {', '=> new Promise(() => {').replace("is lit';\n  }", "is lit';\n  })"),
  });
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(card(chat)).toContainText('In progress on this page');
  await chat.page.reload();
  await expect(card(chat)).toContainText('It is not known whether this happened');
  await expect(card(chat)).not.toContainText('interrupted');
});

test('a page that cancels a result keeps its words back, and the agent hears that', async ({ context }) => {
  const script = `
    window.cancelled = 0;
    document.addEventListener('agent-chat-message-submit', (event) => {
      if (!JSON.stringify(event.message).includes('page_tool_result')) return;
      cancelled += 1;
      event.preventDefault();
    });`;
  const chat = await open(context, { tool: counting(), script });
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(card(chat)).toContainText(
    /Failed on this page\s*The page kept the result back; the tool has run/,
  );
  await expect(chat.answers.last()).toContainText('kept the result back');
  await expect(chat.element.getByText('C 14 is lit')).toHaveCount(0);
  await chat.page.waitForTimeout(2_500); // its lock ends
  expect(await chat.page.evaluate('cancelled')).toBe(1);
  expect(await runs(chat)).toBe('1');
});

test('a thread that the visitor left while a tool ran gets the result when it is shown again', async ({
  context,
}) => {
  const tool = counting().replace(
    'execute: ({ berth }) => {',
    'execute: async ({ berth }) => { await new Promise((resolve) => (window.finish = resolve));',
  );
  const chat = await open(context, { tool });
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(card(chat)).toContainText('In progress on this page');
  const threadId = await chat.evaluate((host) => host.conversation?.threadId);
  await chat.evaluate((host) => host.newThread());
  await expect(card(chat)).toHaveCount(0);
  await chat.page.evaluate('finish()');
  await expect.poll(() => runs(chat)).toBe('1');
  await chat.page.waitForTimeout(2_500); // its lock ends
  expect(await chat.evaluate((host) => host.conversation?.messages.length)).toBe(0);
  await chat.evaluate((host, id) => host.setThread(id), threadId);
  await expect(card(chat)).toContainText('Done on this page');
  await expect(chat.answers.last()).toContainText('Berth C 14 is lit');
  expect(await runs(chat)).toBe('1');
});

test('what the visitor does not allow never runs, and what is announced says so', async ({ context }) => {
  const chat = await open(context, { tool: counting(), isHeard: true });
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Don’t allow' }).click();
  await expect(card(chat)).toContainText('Not allowed');
  await expect(chat.answers.last()).toContainText('declined');
  expect(await runs(chat)).toBeNull();
  const spoken = async (): Promise<string[]> =>
    (await announcementsOf(chat.page)).filter((text) => text.includes('Highlight a berth'));
  await expect
    .poll(spoken)
    .toEqual(['May the assistant do this on this page? Highlight a berth', 'Highlight a berth: Not allowed']);
});

test('a tool that only reads runs unasked if the page says so, and no other', async ({ context }) => {
  const chat = await open(context, { tool: counting(`policy: 'never', readOnly: true,`) });
  await chat.say('/page-tool');
  await expect(chat.answers.last()).toContainText('Berth C 14 is lit');
  await chat.page.close();
  const writing = await open(context, { tool: counting(`policy: 'never',`) });
  await writing.evaluate((host) => host.newThread());
  await writing.say('/page-tool');
  await expect(card(writing)).toContainText('May the assistant do this on this page?');
});

test('while the page works on what was asked, no reply is asked for', async ({ context }) => {
  const tool = counting(`policy: 'never', readOnly: true,`).replace(
    'execute: ({ berth }) => {',
    'execute: async ({ berth }) => { await new Promise((resolve) => (window.finish = resolve));',
  );
  const chat = await open(context, { tool, isHeard: true });
  await chat.say('/page-tool');
  await expect(card(chat)).toContainText('In progress on this page');
  await expect(chat.element.getByText('Your reply is needed')).toHaveCount(0);
  await expect(chat.element.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0);
  await chat.page.evaluate('finish()');
  await expect(chat.answers.last()).toContainText('Berth C 14 is lit');
  await expect.poll(() => announcementsOf(chat.page)).toContain('Highlight a berth: Done on this page');
  expect(await announcementsOf(chat.page)).not.toContain('Your reply is needed');
});

test('a page that no longer has the tool says so to the agent', async ({ context }) => {
  const chat = await open(context, { tool: `window.takeBack = ${counting().replace(/;$/, '')};` });
  await chat.say('/page-tool');
  await expect(card(chat)).toContainText('May the assistant do this on this page?');
  await chat.page.evaluate(() => (window as unknown as { takeBack: () => void }).takeBack());
  await expect(card(chat)).toContainText('This page no longer offers this');
  await expect(chat.answers.last()).toContainText('gone');
});

test('the tools that a page offers by WebMCP are offered where page-tools says so', async ({ context }) => {
  const script = `
    const tools = [{ name: 'highlight', description: 'Lights a berth', window,
      inputSchema: '{"type":"object","properties":{"berth":{"type":"string"}}}' }];
    Object.defineProperty(document, 'modelContext', { value: {
      getTools: async () => tools,
      executeTool: async (tool, input) => JSON.stringify('lit by WebMCP: ' + JSON.parse(input).berth),
    } });`;
  const chat = await open(context, { script, attributes: 'page-tools="webmcp"' });
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(chat.answers.last()).toContainText('lit by WebMCP: C 14');
  await chat.page.close();
  const without = await open(context, { script });
  await without.evaluate((host) => host.newThread());
  await without.say('/page-tool');
  await expect(without.answers.last()).toContainText('This page offers no tools');
});

test('on the playground’s map, the booking agent finds a berth and asks the page to show it', async ({
  context,
}) => {
  const chat = new ChatPage(await context.newPage());
  await chat.page.goto(`${service.origin}/map.html`);
  await chat.composer.waitFor();
  await chat.answerAtOnce();
  await chat.say('Find a berth for 11 m and show it on the map');
  await expect(card(chat)).toContainText(/Highlight a berth on the map\s*Acts on this page\s*Berth\s*B2/, {
    timeout: 30_000, // the harbour office starts with the first call
  });
  await expect(chat.page.locator('#chosen')).toHaveText('No berth is highlighted.');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(chat.page.locator('#chosen')).toHaveText('Berth B2 is highlighted.');
  await expect(card(chat)).toContainText('Done on this page');
  await expect(chat.answers.last()).toContainText('There it is, on the map.');
});
