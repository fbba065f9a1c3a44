import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type BrowserContext, type Locator } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

/** A page whose agent answers at once, also after a reload. */
const page = (attributes: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
   <body><agent-chat storage="local" ${attributes}></agent-chat>
   <script>document.querySelector('agent-chat').additionalParameters = { delay_ms: 0 };</script>
   <script async src="/agent-chat.js"></script>`;

async function open(context: BrowserContext, url: string): Promise<ChatPage> {
  const chat = new ChatPage(await context.newPage());
  await chat.page.goto(url);
  await chat.element.locator('.launcher, textarea').first().waitFor();
  await chat.evaluate((host) => host.show());
  await chat.composer.waitFor();
  return chat;
}

/** Opens a page with the chat of an agent of the playground. */
async function openAgent(
  context: BrowserContext,
  { origin }: ServiceProcess,
  agentId: string,
): Promise<ChatPage> {
  await context.route(`**/${agentId}.html`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: page(`agent-id="${agentId}" token-url="/demo/token"`),
    }),
  );
  return open(context, `${origin}/${agentId}.html`);
}

const card = (chat: ChatPage, index = 0) => chat.element.locator('agent-chat-decision').nth(index);
const state = (chat: ChatPage, index = 0) => card(chat, index).locator('.state');

test.describe('with the demo agent', () => {
  let service: ServiceProcess;
  test.beforeAll(({ sharedService }) => {
    service = sharedService;
  });

  test('a decision survives a reload, is shown in a second tab, and is taken once', async ({ context }) => {
    const one = await openAgent(context, service, 'demo');
    await one.say('/approve');
    await expect(state(one)).toContainText('Your decision is needed');
    await expect(one.composer).toBeFocused();
    await one.page.reload();
    await expect(state(one)).toContainText('Your decision is needed');
    const other = await openAgent(context, service, 'demo');
    await expect(state(other)).toContainText('Your decision is needed');
    // a typed message is a turn of its own; the card stays
    await one.say('Hello');
    await expect(one.answers.last()).toContainText('welcome to Grey Quay');
    await card(other).getByRole('button', { name: 'Approve' }).click();
    await expect(state(other)).toContainText('Approved and done');
    await expect(state(one)).toContainText('Approved and done');
    await expect(one.answers.last()).toContainText('Booked: berth C 14');
    for (const chat of [one, other]) await expect(card(chat).getByRole('button')).toHaveCount(0);
    await one.page.reload();
    await expect(state(one)).toContainText('Approved and done');
    await expect(one.element.getByText('Booked: berth C 14')).toHaveCount(1);
    await expect(one.element.getByText('No answer came')).toHaveCount(0);
  });

  test('the buttons are in view when a decision arrives, in a wide and a narrow window; two calls are decided in any order', async ({
    context,
  }) => {
    const chat = await openAgent(context, service, 'demo');
    for (const [width, height] of [
      [900, 760],
      [360, 640],
    ] as const)
      await test.step(`the buttons are in view when a decision arrives, at ${width} by ${height}`, async () => {
        await chat.page.setViewportSize({ width, height });
        await chat.say('/approve long');
        await expect(card(chat)).not.toBeInViewport({ ratio: 1 });
        const log = (await chat.element.getByRole('log').boundingBox())!;
        const isClear = async (name: string): Promise<void> => {
          await expect(card(chat).getByRole('button', { name })).toBeInViewport({ ratio: 1 });
          const button = (await card(chat).getByRole('button', { name }).boundingBox())!;
          expect(log.y + log.height - button.y - button.height).toBeGreaterThanOrEqual(24); // of the fade
        };
        for (const name of ['Decline', 'Edit', 'Approve']) await isClear(name);
        await card(chat).getByRole('button', { name: 'Decline' }).click();
        await expect(card(chat).getByLabel('Reason')).toBeInViewport({ ratio: 1 });
        await isClear('Decline');
        await card(chat).getByRole('button', { name: 'Back' }).click();
        // what gets the focus is not hidden behind the buttons
        await card(chat).getByRole('button', { name: 'Show all' }).focus();
        const { y: choices } = (await card(chat).locator('.choices').boundingBox())!;
        const all = (await card(chat).getByRole('button', { name: 'Show all' }).boundingBox())!;
        expect(all.y + all.height).toBeLessThanOrEqual(choices);
        await chat.evaluate((host) => host.newThread());
        await expect(card(chat)).toHaveCount(0);
      });

    await test.step('two calls are decided in any order, and the agent goes on after both', async () => {
      await chat.say('/approve two');
      await expect(state(chat, 1)).toContainText('Your decision is needed');
      await card(chat, 1).getByRole('button', { name: 'Approve' }).click();
      await expect(state(chat, 1)).toContainText('Approved');
      await expect(state(chat, 0)).toContainText('Your decision is needed');
      await expect(chat.element.locator('agent-chat-turn .status, agent-chat-notice .notice')).toHaveCount(0);
      await card(chat, 0).getByRole('button', { name: 'Decline' }).click();
      await card(chat, 0).getByLabel('Reason').fill('We keep both');
      await card(chat, 0).getByRole('button', { name: 'Decline' }).click();
      await expect(state(chat, 1)).toContainText('Approved and done');
      await expect(state(chat, 0)).toContainText('Declined: We keep both');
      await expect(chat.answers.last()).toContainText('Booked: berth C 14');
    });
  });
});

test.describe('with an agent that has tools', () => {
  let service: ServiceProcess;
  test.beforeAll(({ sharedService }) => {
    service = sharedService;
  });

  test('asked here, reloaded, decided on another device: it is booked once, and both show it', async ({
    browser,
  }) => {
    test.setTimeout(120_000);
    // the same visitor, as a signed-in one is on both devices
    const { token } = (await (await fetch(`${service.origin}/demo/token`)).json()) as { token: string };
    const device = async (): Promise<BrowserContext> => {
      const context = await browser.newContext();
      await context.route('**/device.html*', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: page(
            `agent-id="booking" token="${token}" thread-id="${new URL(route.request().url()).searchParams.get('thread') ?? ''}"`,
          ),
        }),
      );
      return context;
    };
    const here = await device();
    const there = await device();
    const laptop = await open(here, `${service.origin}/device.html`);
    await laptop.say('Book B2 for the Wal');
    // the harbour office is a process that starts with the first call
    await expect(state(laptop)).toContainText('Your decision is needed', { timeout: 30_000 });
    await laptop.page.reload();
    await expect(state(laptop)).toContainText('Your decision is needed');
    const thread = await laptop.evaluate((host) => host.conversation?.threadId);
    const phone = await open(there, `${service.origin}/device.html?thread=${String(thread)}`);
    await expect(card(phone)).toContainText(/Book a berth\s*Acts on Harbour office/);
    for (const device of [laptop, phone])
      await expect(device.element.locator('agent-chat-header')).toContainText('Your reply is needed');
    await card(phone).getByRole('button', { name: 'Approve' }).click();
    await expect(state(phone)).toContainText('Approved and done');
    await expect(phone.answers.last()).toContainText('HB-1001');
    // the laptop looks for it by itself
    await expect(state(laptop)).toContainText('Approved and done', { timeout: 20_000 });
    await expect(laptop.answers.last()).toContainText('HB-1001');
    await expect(card(laptop).getByRole('button')).toHaveCount(0);
    await expect(laptop.notice).toHaveCount(0);
    await expect(laptop.element.getByText('HB-1002')).toHaveCount(0);
    await here.close();
    await there.close();
  });

  /** Asks for a pilot; the server of the tool asks back with a form. */
  async function orderPilot(context: BrowserContext): Promise<{ chat: ChatPage; form: Locator }> {
    const chat = await openAgent(context, service, 'booking');
    await chat.say('Order a pilot');
    const form = chat.element.locator('agent-chat-form');
    await expect(form).toContainText(/Order a pilot\s*Harbour office/, { timeout: 30_000 });
    return { chat, form };
  }

  test('a server asks during a call: its form is answered in place, and the answer grows below it', async ({
    context,
  }) => {
    const { chat, form } = await orderPilot(context);
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await form.getByLabel('Time').fill('14:30');
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(chat.answers.last()).toContainText('A pilot comes aboard at 14:30.');
    await expect(chat.answers.last()).toBeInViewport();
    await expect(chat.element.locator('agent-chat-visitor-message')).toHaveCount(1);
    await expect(chat.element.getByText('No answer came')).toHaveCount(0);
    await chat.page.reload();
    await expect(chat.element.getByText('A pilot comes aboard at 14:30.')).toBeVisible();
    await expect(chat.element.locator('agent-chat-visitor-message')).toHaveCount(1);
    await expect(chat.element.getByText('No answer came')).toHaveCount(0);
  });

  test('a server’s question is still there after a reload, and the answer to it follows', async ({
    context,
  }) => {
    const { chat, form } = await orderPilot(context);
    await chat.page.reload();
    await expect(form.getByLabel('Time')).toBeVisible();
    await expect(chat.element.locator('agent-chat-header')).toContainText('Your reply is needed');
    await expect(chat.notice).toHaveCount(0);
    await form.getByLabel('Time').fill('15:30');
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(chat.answers.last()).toContainText('A pilot comes aboard at 15:30.');
    await expect(chat.element.locator('agent-chat-visitor-message')).toHaveCount(1);
    await expect(chat.element.getByText('No answer came')).toHaveCount(0);
    await chat.page.reload();
    await expect(chat.element.getByText('A pilot comes aboard at 15:30.')).toBeVisible();
    await expect(chat.element.getByText('No answer came')).toHaveCount(0);
  });
});

test.describe('with a tool whose server gives up', () => {
  let service: ServiceProcess;
  /** How long the office waits for an answer to its question: on a busy machine the first one is seen late. */
  const questionMs = 12_000;
  let folder: string;
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-chat-questions-'));
    const args = [
      fileURLToPath(new URL('../../demo/agents/harbour.mjs', import.meta.url)),
      '200',
      String(questionMs),
    ];
    const server = { name: 'office', command: process.execPath, args, approve: 'never' };
    await writeFile(join(folder, 'pilots.mjs'), pilots);
    const agents = [{ id: 'pilots', kind: 'module', module: 'pilots.mjs', tools: { mcp_servers: [server] } }];
    await writeFile(join(folder, 'agents.json'), JSON.stringify({ agents }));
    service = await ServiceProcess.start({ AGENTS_FILE: join(folder, 'agents.json'), RATE_LIMIT: '0' });
  });
  test.afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('its question closes in every tab, keeps what was typed, and the answer follows', async ({
    context,
  }) => {
    const one = await openAgent(context, service, 'pilots');
    const other = await openAgent(context, service, 'pilots');
    await one.say('Order a pilot');
    for (const chat of [other, one]) {
      await chat.page.bringToFront();
      await expect(chat.element.locator('agent-chat-form').getByLabel('Time')).toBeVisible();
    }
    await one.element.locator('agent-chat-form').getByLabel('Time').fill('14:30');
    const shown = async (chat: ChatPage): Promise<void> => {
      const form = chat.element.locator('agent-chat-form');
      await expect(form).toContainText('Closed: the conversation has moved on.', { timeout: 2 * questionMs });
      await expect(form.locator('input, select, button')).toHaveCount(0);
      await expect(chat.answers.last()).toContainText('the office waited too long');
      await expect(chat.notice).toHaveCount(0);
      await expect(chat.element.locator('agent-chat-header')).not.toContainText('Your reply is needed');
    };
    await shown(one);
    await expect(one.element.locator('agent-chat-form')).toContainText('14:30');
    await other.page.bringToFront();
    await shown(other);
    await one.page.bringToFront();
    await one.page.reload();
    await shown(one);
    await expect(one.element.locator('agent-chat-form')).toContainText('14:30');
  });

  test('a question whose run is stopped is closed', async ({ context }) => {
    const chat = await openAgent(context, service, 'pilots');
    await chat.say('Order a pilot');
    const form = chat.element.locator('agent-chat-form');
    await expect(form.getByLabel('Time')).toBeVisible();
    await chat.button.click();
    await expect(form).toContainText('Closed: the conversation has moved on.');
    await expect(form.locator('input, select, button')).toHaveCount(0);
    await chat.page.reload();
    await expect(form).toContainText('Closed: the conversation has moved on.');
  });
});

/** Orders a pilot, and says what the office says. */
const pilots = `
export default async function* (run) {
  yield* run.tools.loop(async function* ({ calls }) {
    const [call] = calls.filter(({ runId }) => runId === run.runId);
    if (!call) return [{ name: 'order_pilot', args: {} }];
    yield call.result;
  });
}`;
