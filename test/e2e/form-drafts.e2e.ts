import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, sendEvents } from '../tools/page-server.ts';
import { formItem, itemTurn } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;

test.beforeEach(async () => {
  server = await PageServer.start();
  const properties = {
    boat: { type: 'string', title: 'Boat' },
    length: { type: 'number', title: 'Length' },
    kind: { type: 'string', title: 'Kind', enum: ['Sail', 'Motor'] },
    secret: { type: 'string', title: 'Gate code', format: 'password' },
    card: { type: 'string', title: 'Card' },
    papers: { type: 'string', title: 'Papers', format: 'data-url' },
    stay: { type: 'string', title: 'Stay' },
  };
  const ui = {
    card: { 'ui:options': { autocomplete: 'cc-number' } },
    stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } },
  };
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const form = { ...formItem({ properties, required: ['boat'] }), ui_schema: ui };
    await sendEvents(response, framings['real SSE'], itemTurn([form]), 0);
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
      <body><script async src="/agent-chat.js" data-agent-id="a" data-token="t" data-storage="session"></script>`,
  });
});
test.afterEach(() => server.close());

async function fillIn(page: Page): Promise<ChatPage> {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('A form, please');
  await chat.element.getByLabel('Boat').fill('Albatros');
  await chat.element.getByLabel('Length').fill('9.5');
  await chat.element.getByLabel('Kind').selectOption('Motor');
  await chat.element.getByLabel('Gate code').fill('hush-hush');
  await chat.element.getByLabel('Card').fill('4111111111111111');
  const file = { name: 'papers.txt', mimeType: 'text/plain', buffer: Buffer.from('the papers') };
  await chat.element.getByLabel('Papers').setInputFiles(file);
  await expect(chat.element.locator('.files')).toContainText('papers.txt');
  return chat;
}

/** The origin's web storage, as one text. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
}

test('unsent input of a form survives a reload, except secrets and files', async ({ page }) => {
  const chat = await fillIn(page);
  const stored = await storedText(page);
  for (const secret of ['hush', '4111', 'papers.txt', btoa('the papers')])
    expect(stored).not.toContain(secret);
  await page.reload();
  await expect(chat.element.getByLabel('Boat')).toHaveValue('Albatros');
  await expect(chat.element.getByLabel('Length')).toHaveValue('9.5');
  await expect(chat.element.getByLabel('Kind')).toHaveValue(/./);
  await expect(chat.element.getByLabel('Kind').locator('option:checked')).toHaveText('Motor');
  await expect(chat.element.getByLabel('Gate code')).toHaveValue('');
  await expect(chat.element.getByLabel('Card')).toHaveValue('');
  await expect(chat.element.locator('.files')).toHaveCount(0);
  await chat.element.getByRole('button', { name: 'Submit' }).click();
  await expect(chat.element.locator('agent-chat-form .outcome')).toBeVisible();
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('forms');
});

test('half a date range survives a reload, and is still to be completed', async ({ page }) => {
  const chat = await fillIn(page);
  const dates = chat.element.locator('.date-range input');
  await dates.first().fill('2026-12-28');
  await page.reload();
  await expect(dates.first()).toHaveValue('2026-12-28');
  await chat.element.getByRole('button', { name: 'Submit' }).click();
  await expect(chat.element.getByText('Enter a date.')).toBeVisible();
  await dates.last().fill('2027-01-02');
  await chat.element.getByRole('button', { name: 'Submit' }).click();
  await expect(chat.element.locator('agent-chat-form').first()).toContainText(
    'December 28, 2026 – January 2, 2027',
  );
});
