import { expect } from '@playwright/test';
import { openPlayground } from '../tools/playground-page.ts';
import { test } from '../tools/worker-context.ts';

// What one sees in the playground is what the snippet gives.

test('a setting changes chat, snippet and JSON at once; what is rejected is told at its field and left out', async ({
  page,
  sharedService: service,
}) => {
  const { chat } = await openPlayground(page, service.origin);
  const openTab = (name: string) => page.getByRole('tab', { name }).click();
  const showForm = (form: string) =>
    page.getByRole('group', { name: 'Form of the snippet' }).getByText(form, { exact: true }).click();
  const tag = page.getByRole('region', { name: 'Script tag' });
  const json = page.getByRole('region', { name: 'Configuration' });
  const primary = page.locator('#field-primary-color');

  await test.step('a setting changes the chat, the snippet and the JSON at once, and survives a reload', async () => {
    await primary.fill('#12432f');
    await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
    await openTab('Embed');
    await expect(tag).toContainText('data-primary-color="#12432f"');
    await showForm('JSON');
    await expect(json).toContainText('"primary_color": "#12432f"');
    await page.reload();
    await expect(primary).toHaveValue('#12432f');
    await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
  });

  await test.step('“Skip to the playground” moves focus there and keeps the settings', async () => {
    await page.getByRole('link', { name: 'Skip to the playground' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Inspect' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tab', { name: 'Scenarios' })).toBeFocused();
    await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
    await expect(page).toHaveURL(/primary-color/); // the link's own fragment is there for a moment
    await page.reload();
    await expect(primary).toHaveValue('#12432f');
  });

  await test.step('a rejected value is reported at its field and left out of the snippets', async () => {
    const width = page.locator('#field-width');
    await width.fill('12 parsecs');
    await expect(width).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('#field-width-help')).toContainText('allowed: a positive length');
    const said = page.locator('#said[aria-live=polite]');
    await expect(said).toContainText('width cannot be "12 parsecs"');
    // the field beside it stays on its line
    expect((await page.locator('#field-height').boundingBox())?.y).toBe((await width.boundingBox())?.y);
    await openTab('Embed');
    await expect(tag).not.toContainText('parsecs');
    await showForm('JSON');
    await expect(json).not.toContainText('parsecs');
    await width.fill('380px');
    await expect(said).toHaveText('');
    await expect(width).toHaveAttribute('aria-invalid', 'false');
    await expect(page.locator('#field-width-help')).toContainText('CSS length');
    await expect(json).toContainText('"width": "380px"');
  });

  const accent = page.locator('#field-accent-color');
  await test.step('preview, swatch and snippet have the same colour, also while a field is empty or wrong', async () => {
    const swatch = page.getByLabel('Pick buttons, links, focus');
    await showForm('Script tag');
    await accent.fill('#0a7d4b');
    await expect(tag).toContainText('data-accent-color="#0a7d4b"');

    await accent.fill('no colour');
    await expect(page.locator('#field-accent-color-help')).toContainText('cannot be');
    await expect(swatch).toHaveValue('#0a7d4b');
    await expect(tag).toContainText('data-accent-color="#0a7d4b"');
    await expect.poll(() => chat.launcherColour()).toEqual([10, 125, 75]);

    await accent.fill('');
    await expect(accent).toHaveAttribute('placeholder', '#0b62d6');
    await expect(accent).toHaveAttribute('aria-invalid', 'false');
    await expect(swatch).toHaveValue('#0b62d6');
    await expect(tag).not.toContainText('data-accent-color');
    await expect.poll(() => chat.launcherColour()).toEqual([11, 98, 214]);

    await accent.fill('no colour');
    await expect(page.locator('#field-accent-color-help')).toContainText('cannot be');
    await expect(swatch, 'the colour in force').toHaveValue('#0b62d6');
  });

  await test.step('a colour without its # is accepted and shown with it', async () => {
    await accent.fill('');
    await accent.pressSequentially('ff6600');
    await expect(accent).toHaveAttribute('aria-invalid', 'false');
    await accent.press('Tab');
    await expect(accent).toHaveValue('#ff6600');
    await expect(tag).toContainText('data-accent-color="#ff6600"');
    await expect.poll(() => chat.launcherColour()).toEqual([255, 102, 0]);
  });

  await test.step('the preview has a paperclip only when one is chosen, and the page says what that needs', async () => {
    const paperclip = chat.element.locator('[part=attach]');
    await expect(paperclip).toHaveCount(0);
    await page.getByText('Behaviour', { exact: true }).click();
    await page.getByRole('switch', { name: 'Attach documents' }).click();
    await expect(paperclip).toBeVisible();
    await expect(page.locator('#field-documents-help')).toContainText('a function of your page');
    await expect(page.locator('playground-embed')).toContainText('chat.uploadDocument = async (file) => id');
  });

  await test.step('the note about a choice describes its group', async () => {
    const group = page.getByRole('group', { name: 'Panel is loaded' });
    await expect(group).toHaveAccessibleDescription('none: when the visitor shows intent.');
  });

  await test.step('a missing container is reported at its field; it may well be on the page that the snippet is for', async () => {
    await page.locator('#field-container-id').fill('elsewhere');
    await expect(page.locator('#field-container-id-help')).toContainText(
      'no element with the id “elsewhere”',
    );
    await expect(tag).toContainText('data-container-id="elsewhere"');
  });
});

test('the snippet can be read and copied: no line breaks inside a name, what is left out stands above it', async ({
  page,
  sharedService: service,
}) => {
  await openPlayground(page, service.origin, { width: 1280, height: 800 });
  await page.getByRole('tab', { name: 'Embed' }).click();
  const forms = page.getByRole('group', { name: 'Form of the snippet' });
  const showForm = (form: string) => forms.getByText(form, { exact: true }).click();
  const tag = page.getByRole('region', { name: 'Script tag' });
  const json = page.getByRole('region', { name: 'Configuration' });

  await test.step('“Copied” goes with the snippet that was copied', async () => {
    const copy = page.locator('playground-embed .copy').first();
    await copy.click();
    await expect(copy).toHaveText(/Copied|Selected/);
    await showForm('Vue');
    await expect(copy).toHaveText('Copy', { timeout: 500 });
  });

  for (const [form, region, missing] of [
    ['Script tag', tag, 'Without the logo, subtitle, disclaimer and starters'],
    ['JSON', json, 'Name, greeting, placeholder, logo and starters belong to the page'],
  ] as const) {
    await test.step(`what the ${form} leaves out stands above it, with the way to all of it`, async () => {
      await showForm(form);
      const note = page.locator('playground-embed .note', { hasText: missing });
      const [noteBox, codeBox] = [await note.boundingBox(), await region.boundingBox()];
      expect(noteBox!.y + noteBox!.height).toBeLessThanOrEqual(codeBox!.y);
      await note.getByRole('button', { name: 'element' }).click();
      await expect(page.getByRole('region', { name: 'Element' })).toContainText('"starters"');
    });
  }

  await test.step('it breaks no words in a narrow window and uses the full width below its button', async () => {
    await showForm('JSON');
    // every line of the JSON is short enough for one on the screen
    const lines = await json.evaluate((pre) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(pre);
      const height = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
      return Math.round(height / parseFloat(lineHeight));
    });
    expect(lines).toBe(((await json.textContent()) ?? '').trimEnd().split('\n').length);
  });

  await test.step('no line breaks inside a name, and a long address stays beside its name', async () => {
    await showForm('Script tag');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('switch', { name: 'Stream the text' }).click();
    const names = tag.locator('.code-name');
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
});
