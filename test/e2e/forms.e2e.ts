import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
let host: PageServer;

test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  host = await PageServer.start();
});
test.afterAll(() => host.close());

interface SentMessage {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

async function visit(page: Page): Promise<{ chat: ChatPage; sent: SentMessage[] }> {
  const sent: SentMessage[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/runs/stream')) return;
    // what the client posts
    sent.push((request.postDataJSON() as { readonly message: SentMessage }).message);
  });
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="demo" token="${await service.token()}"></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  return { chat, sent };
}

test('a form higher than the panel opens at its first question; filling it in, the reader stays where they are', async ({
  page,
}) => {
  const { chat } = await visit(page);
  await chat.say('/form long');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  const view = await scroller.boundingBox();
  const first = chat.element.getByRole('form').locator('input, select, textarea').first();
  await expect(first).toBeInViewport({ ratio: 1 });
  expect((await first.boundingBox())?.y ?? 0).toBeGreaterThan(view?.y ?? Infinity);
  const submit = chat.element.locator('[part~=form-submit]');
  await expect(submit).not.toBeInViewport();
  await expect(chat.element.getByRole('button', { name: 'New below' })).toHaveCount(0);
  await scroller.hover();
  await page.mouse.wheel(0, 5000);
  await expect(submit).toBeInViewport();
  // errors make the form higher
  await submit.click();
  await expect(chat.element.getByRole('form').locator('[part~=form-error]').first()).toBeInViewport();
});

test('a question becomes a form, the form an answer, and the agent gets exactly that', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  const form = chat.element.getByRole('form');
  await expect(form).toBeVisible();
  const submit = form.locator('[part~=form-submit]');
  await expect(submit).not.toHaveAttribute('aria-disabled', 'true');
  await submit.click();
  const vessel = form.getByLabel('Name of the boat');
  await expect(vessel).toBeFocused();
  await expect(vessel).toHaveAttribute('aria-invalid', 'true');
  expect(sent).toHaveLength(1);
  await vessel.fill('Albatros');
  await form.getByLabel('Length in metres').fill('2');
  await form.getByLabel('Day of arrival').fill('2026-12-01');
  await submit.click();
  await expect(form.getByText('Must be 3 or more.')).toBeVisible();
  await form.getByLabel('Length in metres').fill('11.5');
  await submit.click();
  await expect.poll(() => sent.length).toBe(2);
  const [item] = sent[1]!.content;
  expect(item).toEqual({
    response_type: 'form_operation',
    id: 'arrival',
    form_operation: 'submit',
    sub_type: 'arrival',
    event_type: 'form',
    dps_payload_id: 'payload-arrival-1',
    form_data: {
      vessel: 'Albatros',
      length: 11.5,
      arrival: '2026-12-01',
      nights: 2,
      pontoon: 'C',
      electricity: true,
    },
  });
  expect(sent[1]!['parent_message_id']).toBeTruthy();
  await expect(chat.element.getByText('Thank you, I noted this:')).toBeVisible();
  const answered = chat.element.locator('agent-chat-form').first();
  await expect(answered.getByText('Albatros')).toBeVisible();
  await expect(answered.locator('input, select, textarea, button')).toHaveCount(0);
});

test('a chosen option is sent once and stays selected', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/item option');
  const options = chat.element.locator('agent-chat-option button');
  await expect(options.first()).toBeVisible();
  await expect(options.first()).not.toHaveAttribute('aria-disabled', 'true');
  await options.first().click();
  await expect.poll(() => sent.length).toBe(2);
  await expect(options.first()).toHaveAttribute('aria-pressed', 'true');
  await options.nth(1).click({ force: true });
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(2);
  expect(sent).toHaveLength(2);
});

/** A message into the thread, from outside. */
async function callBack(
  chat: ChatPage,
  content: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [thread, token] = await chat.evaluate((element) => [element.conversation?.threadId, element.token]);
  const posted = await fetch(`${service.origin}/api/v1/callback/${thread}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'assistant', content }),
  });
  expect(posted.status).toBe(201);
}

test('a form that is being filled in survives incoming messages, whose questions can be answered too', async ({
  page,
}) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  const form = chat.element.getByRole('form');
  await form.getByLabel('Name of the boat').fill('Albatros');
  const options = [{ label: 'Pilot', value: 'A pilot' }];
  await callBack(chat, [{ response_type: 'option', id: 'o', title: 'Do you need anybody?', options }]);
  const pilot = chat.element.getByRole('button', { name: 'Pilot' });
  await expect(pilot).toBeVisible();
  await callBack(chat, [{ response_type: 'text', id: 't', text: 'The lock closes at nine.' }]);
  await expect(chat.element.getByText('The lock closes at nine.')).toBeVisible();
  const submit = form.locator('[part~=form-submit]');
  for (const button of [submit, pilot]) await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await form.getByLabel('Length in metres').fill('11.5');
  await form.getByLabel('Day of arrival').fill('2026-12-01');
  await submit.click();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]!.content[0]).toMatchObject({ form_operation: 'submit', form_data: { vessel: 'Albatros' } });
});

test('a form that was skipped is readable, closed, and says why', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  const form = chat.element.getByRole('form');
  await form.getByLabel('Name of the boat').fill('Albatros');
  await expect(form.locator('[part~=form-submit]')).not.toHaveAttribute('aria-disabled', 'true');
  await chat.say('What is the length over all?');
  await expect.poll(() => sent.length).toBe(2);
  const left = chat.element.locator('agent-chat-form').first();
  await expect(left.getByText('Closed: the conversation has moved on.')).toBeVisible();
  await expect(left.getByText('Albatros')).toBeVisible();
  await expect(left.locator('input, select, textarea, button')).toHaveCount(0);
});

test('a sent or cancelled form is noted as the visitor’s message, without its data, also after a reload', async ({
  page,
}) => {
  const { chat } = await visit(page);
  for (const outcome of ['Submitted', 'Cancelled']) {
    await chat.say('/form');
    const form = chat.element.getByRole('form').last();
    await expect(form.locator('[part~=form-submit]')).not.toHaveAttribute('aria-disabled', 'true');
    if (outcome === 'Submitted') {
      await form.getByLabel('Name of the boat').fill('Albatros');
      await form.getByLabel('Length in metres').fill('11.5');
      await form.getByLabel('Day of arrival').fill('2026-12-01');
      await form.locator('[part~=form-submit]').click();
    } else await form.locator('[part~=form-cancel]').click();
    const message = chat.element.locator('agent-chat-visitor-message').last();
    await expect(message.locator('agent-chat-form-operation')).toHaveText(outcome);
    await expect(
      chat.element.locator('agent-chat-turn').last().locator('agent-chat-turn-actions'),
    ).toBeVisible();
  }
  const bubbles = ['/form', 'Submitted', '/form', 'Cancelled'];
  const messages = chat.element.locator('agent-chat-visitor-message');
  await expect(messages).toHaveText(bubbles);
  const file = await chat.evaluate((element) => element.exportTranscript('markdown'));
  expect(file).toMatch(/\*\*user\*\*.*\n\n\[Submitted\]\n/);
  expect(file).toMatch(/\*\*user\*\*.*\n\n\[Cancelled\]\n/);
  await page.reload();
  await expect(messages).toHaveText(bubbles);
  await expect(messages.last().getByText('Cancelled')).toBeVisible();
});

test('buttons, options and forms inside a card work like outside', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  await expect(chat.element.getByRole('form')).toBeVisible();
  const options = [{ label: 'Pilot', value: 'A pilot' }];
  const json_schema = { type: 'object', properties: { boat: { type: 'string' } } };
  const go = {
    response_type: 'button',
    button_type: 'post_back',
    label: 'Go',
    value: { input: { text: 'Go on' } },
  };
  const card = {
    response_type: 'card',
    id: 'card',
    body: [
      { response_type: 'option', title: 'Anybody?', options },
      { response_type: 'form', json_schema },
    ],
    footer: [go],
  };
  const cards = chat.element.locator('agent-chat-card');
  const inCard = cards.last();
  const comes = async (count: number): Promise<void> => {
    await callBack(chat, [card]);
    await expect(cards).toHaveCount(count);
  };
  await comes(1);
  await inCard.getByRole('button', { name: 'Pilot' }).click();
  await expect.poll(() => sent.length).toBe(2);
  await expect(inCard.getByRole('button', { name: 'Pilot' })).toHaveAttribute('aria-pressed', 'true');
  await comes(2);
  await inCard.getByRole('form').getByLabel('Boat').fill('Albatros');
  await inCard.getByRole('form').locator('[part~=form-submit]').click();
  await expect.poll(() => sent.length).toBe(3);
  await comes(3);
  await inCard.getByRole('button', { name: 'Go', exact: true }).click();
  await expect.poll(() => sent.length).toBe(4);
  expect(sent.slice(1).map(({ content }) => content[0])).toMatchObject([
    { text: 'A pilot' },
    { form_operation: 'submit', form_data: { boat: 'Albatros' } },
    { text: 'Go on' },
  ]);
});

test('a form that was too large for the service opens again with its input', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  const form = chat.element.getByRole('form');
  await expect(form.locator('[part~=form-submit]')).not.toHaveAttribute('aria-disabled', 'true');
  const properties = { note: { type: 'string' }, nights: { type: 'integer' } };
  await callBack(chat, [{ response_type: 'form', json_schema: { type: 'object', properties } }]);
  await expect(form).toHaveCount(2);
  const submit = form.last().locator('[part~=form-submit]');
  await form.last().getByLabel('Nights').fill('3');
  await form.last().getByLabel('Note').fill('x'.repeat(1_100_000));
  await submit.click();
  await expect(chat.notice).toContainText('too large');
  await expect(form.last().getByLabel('Nights')).toHaveValue('3');
  await form.last().getByLabel('Note').fill('short');
  await submit.click();
  await expect.poll(() => sent.length).toBe(3);
  await expect(chat.element.getByText('Thank you, I noted this:')).toBeVisible();
});

test('a form sent offline says so, and is sent once online', async ({ page }) => {
  const { chat, sent } = await visit(page);
  await chat.say('/form');
  const form = chat.element.getByRole('form');
  await form.getByLabel('Name of the boat').fill('Albatros');
  await form.getByLabel('Length in metres').fill('11.5');
  await form.getByLabel('Day of arrival').fill('2026-12-01');
  await expect(form.locator('[part~=form-submit]')).not.toHaveAttribute('aria-disabled', 'true');
  await page.context().setOffline(true);
  await form.locator('[part~=form-submit]').click();
  await expect(chat.element.locator('agent-chat-visitor-message').last()).toContainText('Submitted');
  await page.context().setOffline(false);
  await expect.poll(() => sent.at(-1)?.content[0]).toMatchObject({ form_operation: 'submit' });
  await expect(chat.element.getByText('Thank you, I noted this:')).toBeVisible();
});
