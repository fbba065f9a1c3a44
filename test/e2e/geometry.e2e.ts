import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { misplaced } from '../tools/geometry.ts';
import { PageServer, framings, plainTurn, sendEvents, type WireEvent } from '../tools/page-server.ts';
import { formItem, itemTurn, withIds } from '../tools/rich-answer.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

let server: PageServer;
/** How the next runs are answered: by events, or by a refusal. */
let events: readonly WireEvent[] = [];
let refusal: { readonly status: number; readonly body: string } | undefined;

test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/json', 'retry-after': '60' });
      response.end(refusal.body);
      return true;
    }
    await sendEvents(response, framings['real SSE'], withIds(events), 0);
    return true;
  };
});
test.afterAll(() => server.close());
test.use({ actionTimeout: 8000 });
test.beforeEach(() => {
  events = plainTurn(['A short answer.']);
  refusal = undefined;
});

const long = 'w'.repeat(10_000);
const name = 'Agent of the harbour office '.repeat(8).slice(0, 200);
const options = Array.from({ length: 40 }, (_none, index) => ({
  label: index % 7 === 0 ? `Berth ${index} ${'with a very long name '.repeat(4)}` : `Berth ${index}`,
  value: { input: { text: `Berth ${index}` } },
}));
const form = formItem({
  title: `A form with a word of ${'t'.repeat(200)}`,
  required: ['boat', 'mail', 'berth', 'agree'],
  properties: {
    boat: { type: 'string', title: 'Boat name '.repeat(12), description: 'd'.repeat(300) },
    mail: { type: 'string', format: 'email', title: 'E-mail' },
    berth: { type: 'string', title: 'Berth', enum: options.map(({ label }) => label) },
    agree: { type: 'boolean', title: `I agree ${'to everything '.repeat(20)}`, const: true },
  },
});

/** Each state with what must be seen before it is measured. */
const states: Record<string, (chat: ChatPage) => Promise<void>> = {
  'a list of 40 options as buttons': async (chat) => {
    events = itemTurn([{ response_type: 'option', id: 'o', title: 'Which?', preference: 'button', options }]);
    await chat.say('Which?');
    await expect(chat.element.getByRole('button', { name: /^Berth/ })).toHaveCount(40);
  },
  'a list of 40 options to pick from': async (chat) => {
    events = itemTurn([
      { response_type: 'option', id: 'o', title: 'Which?', preference: 'dropdown', options },
    ]);
    await chat.say('Which?');
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  },
  'words of 10,000 characters, asked and answered': async (chat) => {
    events = plainTurn([
      `${long}\n\n- ${long}\n\n> ${long}\n\n\`${long}\`\n\n| ${long} | b |\n|--|--|\n| a | b |\n`,
    ]);
    await chat.say(long);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  },
  'a form that is filled in wrongly': async (chat) => {
    events = itemTurn([form]);
    await chat.say('A form');
    const send = chat.element.locator('[part~=form-submit]');
    await expect(send).not.toHaveAttribute('aria-disabled', 'true');
    await send.click();
    await chat.element.locator('[aria-invalid=true]').first().waitFor();
  },
  'a run that fails with many words': async (chat) => {
    const [started, ...rest] = plainTurn(['Half of ']);
    const error = { message: `It failed: ${'e'.repeat(300)} ${'and more words '.repeat(40)}` };
    events = [
      started,
      ...rest.slice(0, 2),
      { id: '', event: 'run.failed', data: { ...started?.data, error } },
    ].filter((event) => event !== undefined);
    await chat.say('Fail');
    await chat.notice.waitFor();
  },
  'an error as a part of the answer': async (chat) => {
    events = itemTurn([{ response_type: 'inline_error', id: 'e', text: `Not found: ${'n'.repeat(400)}` }]);
    await chat.say('Fail inside');
    await expect(chat.element.locator('agent-chat-turn-actions, .notice').first()).toBeVisible();
  },
  'a message that is too long to send': async (chat) => {
    await chat.composer.fill('A word and another. '.repeat(7000));
    await chat.composer.press('Enter');
    await expect(
      chat.element.locator('agent-chat-composer [role=alert], agent-chat-composer .fault').first(),
    ).toBeVisible();
  },
};
for (const status of [401, 403, 404, 413, 422, 429, 500]) {
  states[`a refusal with ${status}`] = async (chat) => {
    refusal = {
      status,
      body: JSON.stringify({ detail: [{ loc: ['body'], msg: 'm'.repeat(300), type: 'x' }] }),
    };
    await chat.say('Refuse me');
    await chat.notice.waitFor();
  };
}

async function visit(page: Page, width: number, height: number): Promise<ChatPage> {
  await page.setViewportSize({ width, height });
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body style="margin:0">
      <agent-chat agent-id="a" token="t" storage="none" heading="${name}" ${width > 1000 ? 'form-type="fullscreen-overlay"' : ''}>
      <script type="application/json">{"header":{"subtitle":"${'Answers in seconds '.repeat(6)}","disclaimer":"Answers can be wrong. Check what matters."}}</script>
      </agent-chat><script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.panel.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
  return chat;
}

for (const [width, height] of [
  [280, 320],
  [400, 720],
  [1600, 1000],
] as const) {
  test(`at ${width} by ${height} every state fits, nothing overlaps, and all controls can be reached`, async ({
    page,
  }) => {
    const faults: string[] = [];
    for (const [state, reach] of Object.entries(states)) {
      // refusals differ in their words only: all of them where there is the least room
      if (state.startsWith('a refusal') && width > 280 && !state.endsWith('429')) continue;
      refusal = undefined;
      const chat = await visit(page, width, height);
      await reach(chat);
      faults.push(...(await misplaced(chat)).map((fault) => `${state}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
}
