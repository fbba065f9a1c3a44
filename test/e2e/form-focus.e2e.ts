import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, sendEvents } from '../tools/page-server.ts';
import { formItem, itemTurn } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;
/** The form that answers every message. */
let item: Record<string, unknown>;
/** Sends the answer. */
let answer: () => void;

test.beforeEach(async () => {
  server = await PageServer.start();
  const held = new Promise<void>((resolve) => (answer = resolve));
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await held;
    await sendEvents(response, framings['real SSE'], itemTurn([item]), 0);
    return true;
  };
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
});
test.afterEach(() => server.close());

async function ask(page: Page): Promise<ChatPage> {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('A form, please');
  return chat;
}

/** Resolves when everything that waits for frames has had them. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
  });
}

const names = [
  'Boat',
  'Owner',
  'Harbour',
  'Flag',
  'Berth',
  'Lock',
  'Pilot',
  'Crew',
  'Cargo',
  'Port',
  'Agent',
  'Line',
];

/** A form longer than the window, with `ui:autofocus`. */
function longForm(wished: string): Record<string, unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { ...formItem({ properties }), ui_schema: { [wished]: { 'ui:autofocus': true } } };
}

test('a form with autofocus does not take focus from a visitor who is typing', async ({ page }) => {
  item = longForm('Boat');
  const chat = await ask(page);
  await page.keyboard.type('and one more ');
  answer();
  const field = chat.element.getByLabel('Boat');
  await expect(field).toBeAttached();
  await settle(page);
  await page.keyboard.type('thing');
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue('and one more thing');
  await expect(field).toHaveValue('');
});

for (const wished of ['Boat', 'Line']) {
  test(`autofocus works while the visitor is not typing, and ${wished} is in view`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 560 });
    item = longForm(wished);
    const chat = await ask(page);
    answer();
    const field = chat.element.getByLabel(wished);
    await expect(field).toBeFocused();
    await settle(page);
    await expect(field).toBeInViewport({ ratio: 1 });
    const seen = await chat.element.locator('.scroller').boundingBox();
    const box = await field.boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(seen!.y);
    expect(box!.y + box!.height).toBeLessThanOrEqual(seen!.y + seen!.height);
  });
}

test('a form that takes focus scrolls into view at once, without flashing its end', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 });
  item = longForm('Boat');
  const chat = await ask(page);
  const places = chat.element.locator('.scroller').evaluate(async (scroller) => {
    const seen: string[] = [];
    let after = 0;
    // what stands at the beginning of a frame is what the one before has painted
    while (after < 6) {
      await new Promise(requestAnimationFrame);
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const isLong = scrollHeight > 2 * clientHeight;
      if (isLong) seen.push(scrollTop + clientHeight > scrollHeight - 24 ? 'end' : 'beginning');
      if (isLong) after += 1;
    }
    return seen;
  });
  answer();
  expect(new Set(await places)).toEqual(new Set(['beginning']));
  await expect(chat.element.getByLabel('Boat')).toBeFocused();
});

test('Escape closes an open list first, and then the chat', async ({ page }) => {
  const items = { type: 'string', enum: ['Water', 'Power', 'Fuel'] };
  item = {
    ...formItem({ properties: { needs: { type: 'array', title: 'Needs', uniqueItems: true, items } } }),
    ui_schema: { needs: { 'ui:widget': 'MultiselectDropdown' } },
  };
  const chat = await ask(page);
  answer();
  const list = chat.element.locator('agent-chat-form summary');
  await list.click();
  const power = chat.element.getByRole('checkbox', { name: 'Power' });
  await power.check();
  await power.press('Escape');
  await expect(power).toBeHidden();
  await expect(list).toBeFocused();
  await expect(chat.panel).toBeVisible();
  await list.press('Escape');
  await expect(chat.panel).toBeHidden();
});

async function askForCrew(page: Page): Promise<ChatPage> {
  const crew = { type: 'array', title: 'Crew', items: { type: 'string' } };
  item = { ...formItem({ properties: { crew } }), form_data: { crew: ['Ada', 'Bo', 'Cy'] } };
  const chat = await ask(page);
  answer();
  return chat;
}

test('after removing a list entry, focus moves to its neighbour, or to Add', async ({ page }) => {
  const chat = await askForCrew(page);
  const remove = chat.element.getByRole('button', { name: /^Remove / });
  await remove.nth(2).focus();
  for (const left of [2, 1]) {
    await page.keyboard.press('Enter');
    await expect(remove).toHaveCount(left);
    await expect(remove.nth(left - 1)).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(remove).toHaveCount(0);
  await expect(chat.element.getByRole('button', { name: 'Add to Crew' })).toBeFocused();
});

test('focus follows an entry that is moved, and reverses at the end of the list', async ({ page }) => {
  const chat = await askForCrew(page);
  const entries = chat.element.locator('agent-chat-form ol input');
  const order = (): Promise<string[]> =>
    entries.evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
  await chat.element.getByRole('button', { name: 'Move Crew 1 down' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(order).toEqual(['Bo', 'Ada', 'Cy']);
  await expect(chat.element.getByRole('button', { name: 'Move Crew 2 down' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(order).toEqual(['Bo', 'Cy', 'Ada']);
  await expect(chat.element.getByRole('button', { name: 'Move Crew 3 up' })).toBeFocused();
});

test('focus stays in a form when parts are added, removed or created', async ({ page }) => {
  const labels = { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } };
  const node = {
    type: 'object',
    title: 'Part',
    properties: { note: { type: 'string', title: 'Note' }, part: { $ref: '#/$defs/node' } },
  };
  item = {
    ...formItem({ properties: { labels, part: { $ref: '#/$defs/node' } }, $defs: { node } }),
    form_data: { labels: { one: '1', two: '2' } },
  };
  const chat = await ask(page);
  answer();
  const add = chat.element.getByRole('button', { name: 'Add to Labels' });
  await add.press('Enter');
  const names = chat.element.getByRole('textbox', { name: 'Name', exact: true });
  await expect(names.nth(2)).toBeFocused();
  await page.keyboard.type('three');
  await expect(names.nth(2)).toHaveValue('three');
  await page.keyboard.press('Tab');
  await expect(chat.element.getByRole('textbox', { name: 'three', exact: true })).toBeFocused();
  await chat.element.getByRole('button', { name: 'Remove two' }).press('Enter');
  await expect(chat.element.getByRole('button', { name: 'Remove three' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.element.getByRole('button', { name: 'Remove one' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(add).toBeFocused();
  await chat.element.getByRole('button', { name: 'Add to Part' }).press('Enter');
  await expect(chat.element.getByRole('textbox', { name: 'Note' }).nth(1)).toBeFocused();
});
