import { chromium, expect, type Browser } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { browserArguments } from '../tools/find-browser.js';
import type { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

test.describe.configure({ timeout: 120_000 });

let service: ServiceProcess;
let browser: Browser;
test.beforeAll(async ({ launchOptions, sharedService }) => {
  service = sharedService;
  const args = [...browserArguments, '--enable-features=WebMCP'];
  browser = await chromium.launch({ ...launchOptions, args });
});
test.afterAll(async () => {
  await browser.close();
});

/** A page in a browser with WebMCP. */
async function open(attributes: string, script = ''): Promise<ChatPage> {
  const chat = new ChatPage(await browser.newPage());
  await chat.page.route('**/webmcp.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'origin-agent-cluster': '?1' },
      body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
        <body><script>${script}</script>
        <agent-chat agent-id="demo" token-url="/demo/token" heading="Harbour office" ${attributes}></agent-chat>
        <script async src="/agent-chat.js"></script>`,
    }),
  );
  await chat.page.goto(`${service.origin}/webmcp.html`);
  const isSupported = await chat.page.evaluate(() => 'modelContext' in document);
  test.skip(!isSupported, 'this browser has no WebMCP');
  await chat.answerAtOnce();
  return chat;
}

/** The panel loads when the page is idle, and the tool's code after it. */
const loading = { timeout: 40_000 };

const namesOf = async (chat: ChatPage): Promise<string[]> =>
  (await chat.page.webmcp.tools()).map(({ name }) => name);
const call = async (chat: ChatPage, question: string): Promise<{ text: string; isError: boolean }> => {
  const result = (await chat.page.webmcp.callTool('ask_harbour_office', { question })) as {
    content: [{ text: string }];
    isError?: boolean;
  };
  return { text: result.content[0].text, isError: result.isError === true };
};

test('the chat is a tool of the browser; the visitor consents once in each conversation', async () => {
  const chat = await open('ask-tool="on" preload="idle"');
  await expect.poll(() => namesOf(chat), loading).toEqual(['ask_harbour_office']);
  const card = chat.element.locator('agent-chat-ask-card');
  const first = call(chat, 'Hello');
  await expect(card).toContainText(/May your browser’s assistant ask here\?\s*Hello/);
  await expect(chat.answers).toHaveCount(0);
  await card.getByRole('button', { name: 'Allow in this conversation' }).click();
  expect(await first).toMatchObject({ text: expect.stringContaining('Grey Quay'), isError: false });
  await expect(card).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  expect((await call(chat, 'Hello again')).isError).toBe(false);
  await expect(chat.answers).toHaveCount(2);
  // another conversation is asked about again, and a refusal holds for it
  await chat.evaluate((host) => host.newThread());
  const refused = call(chat, 'And here?');
  await card.getByRole('button', { name: 'Don’t allow' }).click();
  expect(await refused).toEqual({ text: 'The visitor did not allow this.', isError: true });
  expect((await call(chat, 'Please')).isError).toBe(true);
  await expect(chat.answers).toHaveCount(0);
  await chat.evaluate((host) => host.setAttribute('ask-tool', 'off'));
  await expect.poll(() => namesOf(chat), loading).toEqual([]);
});

test('the tools of the page are offered to the agent, and the chat’s own is not', async () => {
  const script = `document.modelContext.registerTool({
    name: 'highlight', title: 'Highlight a berth', description: 'Lights a berth',
    inputSchema: { type: 'object', properties: { berth: { type: 'string' } } },
    execute: async ({ berth }) => 'lit by WebMCP: ' + berth,
  });`;
  const chat = await open('ask-tool="on" preload="idle" page-tools="webmcp"', script);
  await expect.poll(() => namesOf(chat), loading).toHaveLength(2);
  const request = chat.page.waitForRequest('**/runs/stream');
  await chat.evaluate((host) => host.show());
  await chat.say('/page-tool');
  const { additional_parameters: parameters } = (await request).postDataJSON() as {
    additional_parameters: { page_tools: { name: string }[] };
  };
  expect(parameters.page_tools.map(({ name }) => name)).toEqual(['highlight']);
  const card = chat.element.locator('agent-chat-page-tool');
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(chat.answers.last()).toContainText('lit by WebMCP: C 14');
});
