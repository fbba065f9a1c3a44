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
  await chat.answerAtOnce();
  return { chat, sent };
}

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
  await form.getByRole('textbox', { name: 'Day of arrival' }).fill('2026-12-01');
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
  await expect(chat.element.getByText('Thank you, I noted this:', { exact: true })).toBeVisible();
  const answered = chat.element.locator('agent-chat-form').first();
  await expect(answered.getByText('Albatros')).toBeVisible();
  await expect(answered.locator('input, select, textarea, button')).toHaveCount(0);
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
  await expect(
    chat.element.locator('agent-chat-transcript').getByText('The lock closes at nine.'),
  ).toBeVisible();
  const submit = form.locator('[part~=form-submit]');
  for (const button of [submit, pilot]) await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await form.getByLabel('Length in metres').fill('11.5');
  await form.getByRole('textbox', { name: 'Day of arrival' }).fill('2026-12-01');
  await submit.click();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]!.content[0]).toMatchObject({ form_operation: 'submit', form_data: { vessel: 'Albatros' } });
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
      await form.getByRole('textbox', { name: 'Day of arrival' }).fill('2026-12-01');
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
  const name = await chat.element.locator('agent-chat-header').getByRole('heading').innerText();
  expect(file).toContain(`**${name} (AI)**`);
  expect(file).toMatch(/\*\*Visitor\*\*.*\n\n\[Submitted\]\n/);
  expect(file).toMatch(/\*\*Visitor\*\*.*\n\n\[Cancelled\]\n/);
  await page.reload();
  await expect(messages).toHaveText(bubbles);
  await expect(messages.last().getByText('Cancelled')).toBeVisible();
});
