import { expect, type BrowserContext, type Locator } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

// What a page tool does in one page is in page-tools.chat.test.ts.
let service: ServiceProcess;
test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** A page with the widget and a tool. */
async function open(context: BrowserContext, tool: string): Promise<ChatPage> {
  const chat = new ChatPage(await context.newPage());
  await chat.page.route('**/tools.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
        <body><agent-chat agent-id="demo" token-url="/demo/token" storage="local"></agent-chat>
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

/** A tool that counts its calls for all tabs. */
const counting = `chat.registerTool({
  name: 'highlight', title: 'Highlight a berth',
  inputSchema: { type: 'object', properties: { berth: { type: 'string', title: 'Berth' } } },
  execute: ({ berth }) => {
    localStorage.runs = Number(localStorage.runs ?? 0) + 1;
    return 'Berth ' + berth + ' is lit';
  },
});`;
const runs = (chat: ChatPage): Promise<string | null> =>
  chat.page.evaluate(() => localStorage.getItem('runs'));
const card = (chat: ChatPage): Locator => chat.element.locator('agent-chat-page-tool').last();

test('a page tool runs once, after consent, whatever is reloaded and in whichever tab', async ({
  context,
}) => {
  const one = await open(context, counting);
  await one.say('/page-tool');
  await expect(card(one)).toContainText('May the assistant do this on this page?');
  await expect(card(one)).toContainText(/Highlight a berth\s*Acts on this page\s*Berth\s*C 14/);
  expect(await runs(one)).toBeNull();
  const other = await open(context, counting);
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

test('a tool that was running when the page was left may have had an effect, which is said', async ({
  context,
}) => {
  const chat = await open(
    context,
    counting.replace('=> {', '=> new Promise(() => {').replace("is lit';\n  }", "is lit';\n  })"),
  );
  await chat.say('/page-tool');
  await card(chat).getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(card(chat)).toContainText('In progress on this page');
  await chat.page.reload();
  await expect(card(chat)).toContainText('It is not known whether this happened');
  await expect(card(chat)).not.toContainText('interrupted');
});

test('a thread that the visitor left while a tool ran gets the result when it is shown again', async ({
  context,
}) => {
  const tool = counting.replace(
    'execute: ({ berth }) => {',
    'execute: async ({ berth }) => { await new Promise((resolve) => (window.finish = resolve));',
  );
  const chat = await open(context, tool);
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
