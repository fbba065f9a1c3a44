import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, PageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

// A service with a word of its own, that sends items as other services were seen to.
let server: PageServer;
type Answer = Readonly<Record<string, unknown>>;
let message: Answer | readonly Answer[];
let sent: unknown[];
test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response, body) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/runs/stream')) return false;
    sent.push((JSON.parse(body) as { message: { content: unknown[] } }).message.content[0]);
    const answers = sent.length > 1 ? [{ content: 'Thank you.' }] : [message].flat();
    const events = plainTurn([]).flatMap((event) =>
      event.event === 'message.created'
        ? answers.map((answer, place) => {
            const id = `m${sent.length}-${place}`;
            const data = { ...event.data, message_id: id, message: { id, role: 'assistant', ...answer } };
            return { ...event, id: `${event.id}${String(place).padStart(4, '0')}`, data };
          })
        : { ...event, id: `${event.id}0000` },
    );
    await sendEvents(response, framings['real SSE'], events, answers.length > 1 ? 0 : 5);
    return true;
  };
});
test.afterAll(() => server.close());

async function asked(page: Page, answer: typeof message, lang = 'en'): Promise<ChatPage> {
  message = answer;
  sent = [];
  server.pages.set('/', {
    html: `<!doctype html><html lang="${lang}"><title>Host</title><body>
      <agent-chat agent-id="any" base-url="/" token="t" identifier-prefix="acme_" storage="none" open></agent-chat>
      <script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${server.origin}/`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  await chat.say('Go');
  return chat;
}

test('a message with only a connection status shows the status', async ({ page }) => {
  const acme_connection_status = { connection_status: 'expired', connection_message: 'Sign in to Calendar' };
  const chat = await asked(page, { content: [], additional_properties: { acme_connection_status } });
  await expect(chat.element.locator('agent-chat-connection')).toContainText('Sign in to Calendar');
});

test('a message of a thousand items is rendered in steps, up to the last item', async ({ page }) => {
  const content = Array.from({ length: 1000 }, (_, place) => ({
    id: `i${place}`,
    response_type: 'text',
    text: `Entry ${place}.`,
  }));
  const chat = await asked(page, { content });
  const texts = chat.element.locator('agent-chat-markdown');
  const more = chat.element.getByRole('button', { name: 'Show 100 more' });
  await more.waitFor();
  expect(await texts.count()).toBe(400);
  for (let shown = 500; shown <= 1000; shown += 100) {
    await more.click();
    await expect(texts).toHaveCount(shown);
  }
  await expect(texts.last()).toHaveText('Entry 999.');
  await expect(more).toHaveCount(0);
});

test('of a thousand messages in one run, the first and the newest are rendered, the others on request', async ({
  page,
}) => {
  const chat = await asked(
    page,
    Array.from({ length: 1000 }, (_, place) => ({ content: `message ${place}` })),
  );
  const more = chat.element.locator('agent-chat-turn').getByRole('button', { name: 'Show earlier' });
  await expect(chat.answers.last()).toHaveText('message 999');
  await expect(chat.answers).toHaveCount(201);
  for (const shown of [401, 601, 801]) {
    await more.click();
    await expect(chat.answers).toHaveCount(shown);
  }
  await more.click();
  await expect(chat.answers).toHaveCount(1000);
  await expect(chat.answers.nth(500)).toHaveText('message 500');
  await expect(more).toHaveCount(0);
});

test('a thousand steps of a run are rendered in batches, up to the last', async ({ page }) => {
  const step_history = Array.from({ length: 1000 }, (_, place) => ({
    role: 'assistant',
    step_details: [{ type: 'tool_calls', tool_calls: [{ id: `c${place}`, name: `look-${place}` }] }],
  }));
  const chat = await asked(page, { content: 'Found.', step_history });
  const steps = chat.element.locator('agent-chat-steps');
  await steps.locator('.toggle').click();
  const more = steps.getByRole('button', { name: 'Show 100 more' });
  await expect(steps.locator('.head')).toHaveCount(200);
  for (let shown = 300; shown <= 1000; shown += 100) {
    await more.click();
    await expect(steps.locator('.head')).toHaveCount(shown);
  }
  await expect(steps.locator('.head').last()).toContainText('look-999');
  await expect(more).toHaveCount(0);
});

test('buttons with the same id in two cards are separate; items without a type are rendered', async ({
  page,
}) => {
  const footer = [1, 2].map((place) => [
    {
      id: 'take',
      response_type: 'button',
      label: `Take ${place}`,
      value: { input: { text: `room ${place}` } },
    },
  ]);
  const items = footer.map((buttons, place) => ({ body: `Room ${place + 1}`, footer: buttons }));
  const chat = await asked(page, { content: [{ response_type: 'carousel', title: 'Rooms', items }] });
  const row = chat.element.getByRole('group', { name: 'Rooms' });
  await expect(row.getByRole('list', { name: '1 of 2' })).toContainText('Room 1');
  await row.getByRole('button', { name: 'Take 1' }).click();
  await expect(row.getByRole('button', { name: 'Take 1' })).toHaveAttribute('aria-pressed', 'true');
  await expect(row.getByRole('button', { name: 'Take 2' })).not.toHaveAttribute('aria-pressed');
  await expect.poll(() => sent.at(-1)).toMatchObject({ text: 'room 1' });
});

for (const [lang, written, number] of [
  ['en', '1,5', undefined],
  ['en', '1,500', 1500],
  ['de', '1,5', 1.5],
  ['de', '1.5', 1.5],
  ['de', '1,234', 1.234],
  ['de', '0.234', 0.234],
  ['en', '1.234', 1.234],
  ['fr', '1.234', 1.234],
] as const) {
  test(`${written} typed into a form in ${lang} is ${number ?? 'reported as invalid'}`, async ({ page }) => {
    const json_schema = { type: 'object', properties: { length: { type: 'number' } } };
    const chat = await asked(page, { content: [{ response_type: 'form', json_schema }] }, lang);
    const form = chat.element.getByRole('form');
    await form.locator('input').pressSequentially(written);
    await form.locator('[part~=form-submit]').click();
    if (number === undefined) await expect(form).toContainText('Enter a number.');
    else await expect.poll(() => sent.at(-1)).toMatchObject({ form_data: { length: number } });
    expect(sent).toHaveLength(number === undefined ? 1 : 2);
  });
}

test('a form asks about a point that may be a thousands separator, not about a comma', async ({ page }) => {
  const properties = { price: { title: 'Preis', type: 'number' }, count: { title: 'Zahl', type: 'integer' } };
  const json_schema = { type: 'object', properties };
  const chat = await asked(page, { content: [{ response_type: 'form', json_schema }] }, 'de');
  const form = chat.element.getByRole('form');
  const price = form.getByLabel('Preis');
  const count = form.getByLabel('Zahl');
  await price.pressSequentially('1.234.567');
  await count.pressSequentially('1.234');
  await form.locator('[part~=form-submit]').click();
  await expect(form).toContainText(/eine Zahl ein: 1234567 oder 1,234567/);
  await expect(form).toContainText(/eine ganze Zahl ein: 1234\s/);
  expect(sent).toHaveLength(1);
  await price.fill('');
  await price.pressSequentially('1,234');
  await count.fill('1234');
  await form.locator('[part~=form-submit]').click();
  await expect.poll(() => sent.at(-1)).toMatchObject({ form_data: { price: 1.234, count: 1234 } });
});
