import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { test } from '../tools/worker-context.ts';

// What one sees in the playground is what the snippet gives.
async function openPlayground(page: Page, origin: string): Promise<ChatPage> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(origin);
  const chat = new ChatPage(page, '#preview');
  await chat.composer.waitFor();
  await page.getByRole('tab', { name: 'Embed' }).click();
  return chat;
}

test('preview, swatch and snippet have the same colour, also while a field is empty or wrong', async ({
  page,
  sharedService,
}) => {
  const chat = await openPlayground(page, sharedService.origin);
  const field = page.locator('#field-accent-color');
  const snippet = page.getByRole('region', { name: 'Script tag' });
  const swatch = page.getByLabel('Pick buttons, links, focus');
  await field.fill('#0a7d4b');
  await expect(snippet).toContainText('data-accent-color="#0a7d4b"');

  await field.fill('no colour');
  await expect(page.locator('#field-accent-color-help')).toContainText('cannot be');
  await expect(swatch).toHaveValue('#0a7d4b');
  await expect(snippet).toContainText('data-accent-color="#0a7d4b"');
  await expect.poll(() => chat.launcherColour()).toEqual([10, 125, 75]);

  await field.fill('');
  await expect(field).toHaveAttribute('placeholder', '#0b62d6');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  await expect(swatch).toHaveValue('#0b62d6');
  await expect(snippet).not.toContainText('data-accent-color');
  await expect.poll(() => chat.launcherColour()).toEqual([11, 98, 214]);
});

test('a colour without its # is accepted and shown with it', async ({ page, sharedService }) => {
  const chat = await openPlayground(page, sharedService.origin);
  const field = page.locator('#field-accent-color');
  await field.fill('');
  await field.pressSequentially('ff6600');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  await field.press('Tab');
  await expect(field).toHaveValue('#ff6600');
  await expect(page.getByRole('region', { name: 'Script tag' })).toContainText('data-accent-color="#ff6600"');
  await expect.poll(() => chat.launcherColour()).toEqual([255, 102, 0]);
});

test('the preview has a paperclip only when one is chosen, and the page says what that needs', async ({
  page,
  sharedService,
}) => {
  const chat = await openPlayground(page, sharedService.origin);
  const paperclip = chat.element.locator('[part=attach]');
  const embed = page.locator('playground-embed');
  await expect(paperclip).toHaveCount(0);
  await page.getByText('Behaviour', { exact: true }).click();
  await page.getByRole('switch', { name: 'Attach documents' }).click();
  await expect(paperclip).toBeVisible();
  await expect(page.locator('#field-documents-help')).toContainText('a function of your page');
  await expect(embed).toContainText('chat.uploadDocument = async (file) => id');
});

for (const [form, region, missing] of [
  ['Script tag', 'Script tag', 'Without the logo, subtitle, disclaimer and starters'],
  ['JSON', 'Configuration', 'Name, greeting, placeholder, logo and starters belong to the page'],
] as const) {
  test(`what the ${form} leaves out stands above it, with the way to all of it`, async ({
    page,
    sharedService,
  }) => {
    await openPlayground(page, sharedService.origin);
    await page.getByText(form, { exact: true }).click();
    const note = page.locator('playground-embed .note', { hasText: missing });
    const [noteBox, codeBox] = [
      await note.boundingBox(),
      await page.getByRole('region', { name: region }).boundingBox(),
    ];
    expect(noteBox!.y + noteBox!.height).toBeLessThanOrEqual(codeBox!.y);
    await note.getByRole('button', { name: 'element' }).click();
    await expect(page.getByRole('region', { name: 'Element' })).toContainText('"starters"');
  });
}

test('“Copied” goes with the snippet that was copied', async ({ page, sharedService }) => {
  await openPlayground(page, sharedService.origin);
  const copy = page.locator('playground-embed .copy').first();
  await copy.click();
  await expect(copy).toHaveText(/Copied|Selected/);
  await page.getByRole('group', { name: 'Form of the snippet' }).getByText('Vue').click();
  await expect(copy).toHaveText('Copy', { timeout: 500 });
});

test('no line of a snippet breaks inside a name, and a long address stays beside its name', async ({
  page,
  sharedService,
}) => {
  await openPlayground(page, sharedService.origin);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('switch', { name: 'Stream the text' }).click();
  const names = page.getByRole('region', { name: 'Script tag' }).locator('.code-name');
  await expect(names).toHaveText([
    'src',
    'data-agent-id',
    'data-enable-text-streaming',
    'data-heading',
    'data-token-url',
  ]);
  const boxes = await names.evaluateAll((all) =>
    all.map((name) => [name.getClientRects().length, name.getBoundingClientRect().left]),
  );
  expect(new Set(boxes.map(([lines]) => lines))).toEqual(new Set([1]));
  expect(new Set(boxes.map(([, indent]) => indent)).size).toBe(1);
});

test('the events show the newest when they are opened, and follow it', async ({ page, sharedService }) => {
  const chat = await openPlayground(page, sharedService.origin);
  await page.setViewportSize({ width: 1440, height: 620 });
  const list = page.locator('.events');
  const below = () => list.evaluate((ol) => ol.scrollHeight - ol.scrollTop - ol.clientHeight);
  await chat.say('/long');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1, { timeout: 30_000 });
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect.poll(below).toBeLessThan(2);
  expect(await list.evaluate((ol) => ol.scrollTop)).toBeGreaterThan(200);
  await chat.say('When is high water?');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2, { timeout: 30_000 });
  await expect(list.locator('b').last()).toHaveText('done');
  await expect.poll(below).toBeLessThan(2);
  // a reader who scrolled up is left there
  await list.evaluate((ol) => ol.scrollTo(0, 0));
  await page.getByRole('tab', { name: 'Embed' }).click();
  await page.getByRole('tab', { name: 'Events' }).click();
  await chat.say('hello');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(3, { timeout: 30_000 });
  expect(await list.evaluate((ol) => ol.scrollTop)).toBeLessThan(200);
});
