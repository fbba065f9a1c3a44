import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { ChatPage } from '../tools/chat-page.ts';
import { openPlayground } from '../tools/playground-page.ts';
import { test } from '../tools/worker-context.ts';

const tabs = ['Scenarios', 'Embed', 'Events', 'Contrast'];
const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('the playground is laid out for every width, and what is chosen never moves it', async ({
  page,
  sharedService: service,
}) => {
  const { chat } = await openPlayground(page, service.origin, { width: 320, height: 700 });

  await test.step('Tab order follows the visual order, in one column too', async () => {
    const tab = page.getByRole('tab', { name: 'Scenarios' });
    const reset = page.getByRole('button', { name: 'Reset' });
    await expect(reset).toBeVisible();
    for (const width of [320, 1440, 320]) {
      await page.setViewportSize({ width, height: 700 });
      const stops = page.locator('[role=tab], .settings .button');
      await expect(width === 320 ? stops.last() : stops.first()).toHaveText('Reset');
      const [tabBox, resetBox] = [await tab.boundingBox(), await reset.boundingBox()];
      if (width === 320) expect(tabBox!.y + tabBox!.height).toBeLessThan(resetBox!.y);
      else expect(resetBox!.x + resetBox!.width).toBeLessThan(tabBox!.x);
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('agent-chat playground');
  });

  await test.step('in a narrow window the navigation starts at the logo and fades where it is cut off', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    const nav = page.getByRole('navigation', { name: 'Host pages' });
    const words = await nav
      .getByRole('link')
      .first()
      .evaluate((link) => {
        const range = document.createRange();
        range.selectNodeContents(link);
        return range.getBoundingClientRect().left;
      });
    expect(words).toBe((await page.locator('.brand-mark').boundingBox())?.x);
    await expect(nav).toHaveCSS('mask-image', /gradient/);
    // the last one can be scrolled clear of it
    await nav.evaluate((row) => row.scrollTo(row.scrollWidth, 0));
    const last = await nav.getByRole('link').last().boundingBox();
    const row = await nav.boundingBox();
    expect(last!.x + last!.width).toBeLessThanOrEqual(row!.x + row!.width - 31);
  });

  await test.step('all tabs fit beside each other', async () => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const hidden = () =>
        page
          .getByRole('tablist')
          .first()
          .evaluate((row) => row.scrollWidth - row.clientWidth);
      await expect.poll(hidden, `${width} px`).toBe(0);
    }
  });

  await test.step('no choice changes the length or the scroll position of the page', async () => {
    await page.setViewportSize({ width: 1366, height: 800 });
    await page.evaluate(() => scrollTo(0, 0));
    const below = () => page.evaluate(() => [scrollY, document.documentElement.scrollHeight - innerHeight]);
    for (const tab of [...tabs.slice(1), ...tabs.slice(0, 1)]) {
      await openTab(page, tab);
      expect(await below(), tab).toEqual([0, 0]);
    }
    await page.getByText('very slow', { exact: true }).click();
    await expect(page.getByRole('radio', { name: 'very slow' })).toBeChecked();
    expect(await below()).toEqual([0, 0]);
    await page.getByText('full', { exact: true }).click();
    await page.getByText('Behaviour', { exact: true }).click();
    await page.getByText('quiet', { exact: true }).click();
    expect(await below()).toEqual([0, 0]);
  });

  await test.step('with forced colours the selected tab, look and choice and active switches are visible', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const styleOf = (selector: string, name: 'borderBottomColor' | 'backgroundColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element)[property], name);
    expect(await styleOf('[role=tab][aria-selected=true]', 'borderBottomColor')).not.toBe(
      await styleOf('[role=tab][aria-selected=false]', 'borderBottomColor'),
    );
    for (const [on, off] of [
      ['.look[aria-pressed=true]', '.look[aria-pressed=false]'],
      ['.choice input:checked + span', '.choice input:not(:checked) + span'],
      ['input.switch:checked', 'input.switch:not(:checked)'],
    ] as const) {
      if (on.startsWith('input.switch'))
        await page.getByRole('switch', { name: 'Stream the text' }).uncheck();
      expect(await styleOf(on, 'backgroundColor')).not.toBe(await styleOf(off, 'backgroundColor'));
    }
    await page.emulateMedia({ forcedColors: 'none' });
  });

  await test.step('the open chat does not cover the events, and a document can be sent', async () => {
    await page.setViewportSize({ width: 900, height: 800 });
    await chat.answerAtOnce();
    await page.getByRole('button', { name: /^A document/ }).click();
    await expect(chat.composer).toHaveValue('/request');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      chat.element.locator('[part=attach]').click(),
    ]);
    await chooser.setFiles({ name: 'quay.txt', mimeType: 'text/plain', buffer: Buffer.from('quay') });
    await chat.composer.press('Enter');
    await expect.poll(() => chat.lastAnswer()).toContain('document_ids');
    await openTab(page, 'Events');
    const events = await page.locator('playground-events').boundingBox();
    const panel = await chat.panel.boundingBox();
    expect((events?.x ?? 0) + (events?.width ?? Infinity)).toBeLessThanOrEqual(panel?.x ?? 0);
  });
});

test('the preview is in view at every width, whatever is being changed', async ({
  page,
  sharedService: service,
}) => {
  for (const sizes of [
    [
      [320, 640],
      [390, 844],
      [820, 900],
    ],
    [
      [1366, 660],
      [1024, 768],
      [1440, 900],
    ],
  ] as const) {
    const [[width, height]] = sizes;
    const { chat } = await openPlayground(page, service.origin, { width, height });
    for (const size of sizes) await expectPreviewInView(page, chat, size);
    await page.goto('about:blank');
  }
});

/** Changes the font in a window of this size, and checks that preview and field are in view, beside each other. */
async function expectPreviewInView(
  page: Page,
  chat: ChatPage,
  [width, height]: readonly [number, number],
): Promise<void> {
  await page.setViewportSize({ width, height });
  const font = page.locator('#field-font');
  await font.scrollIntoViewIfNeeded();
  const header = chat.element.locator('agent-chat-header');
  for (const [family, style] of [
    ['mono', /monospace$/],
    ['serif', /serif$/],
  ] as const) {
    await font.selectOption(family);
    await expect(header).toHaveCSS('font-family', style);
  }
  const [panel, field] = [await chat.panel.boundingBox(), await font.boundingBox()];
  const view = `${width}×${height}`;
  expect(panel!.y, view).toBeGreaterThanOrEqual(0);
  expect(panel!.y + panel!.height, view).toBeLessThanOrEqual(height);
  const isApart = field!.y >= panel!.y + panel!.height || field!.x + field!.width <= panel!.x;
  expect(isApart, view).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(width);
}

test('with scrollbars that take room no pane scrolls sideways', async ({
  scrollbarBrowser,
  sharedService: service,
}) => {
  const page = await scrollbarBrowser.newPage();
  await openPlayground(page, service.origin, { width: 1200, height: 800 });
  for (const name of tabs) {
    await openTab(page, name);
    const sideways = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
        .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth)
        .map((element) => element.className || element.localName),
    );
    expect(sideways, name).toEqual([]);
  }
  await page.close();
});

test('axe finds no violation on the page itself, light and dark; every pair of colours in force is readable, also for a difficult brand', async ({
  page,
  sharedService: service,
}) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: 'light' });
  await openPlayground(page, service.origin);
  for (const scheme of ['light', 'dark'] as const)
    await test.step(`axe, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      for (const tab of tabs) {
        await openTab(page, tab);
        const axe = new AxeBuilder({ page })
          .exclude('agent-chat')
          .options({ resultTypes: ['violations'] })
          // the page has no frames, so the results need no second page
          .setLegacyMode(true);
        // all around the tabs is the same whichever is open
        if (tab !== 'Scenarios') axe.include('#inspect');
        // of what was looked at in the light, the colours are all that is different in the dark
        if (scheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
        const { violations } = await axe.analyze();
        const found = violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
        expect(found, `${scheme}, ${tab}`).toEqual([]);
      }
    });

  await page.emulateMedia({ colorScheme: 'light' });
  const panel = page.locator('playground-contrast');
  await expect(panel.locator('.notice')).toHaveText(/^All \d+ pairs reach/);
  for (const theme of ['light', 'dark'])
    await test.step(`every pair of colours, ${theme}`, async () => {
      await page.getByText(theme, { exact: true }).first().click();
      for (const colours of ['#fff200', '#777777', '#ffffff', 'rgb(255 0 0 / 0.2)']) {
        for (const field of ['primary', 'second', 'accent'])
          await page.locator(`#field-${field}-color`).fill(colours);
        await page.getByRole('button', { name: 'Measure again' }).click();
        await expect(panel.locator('.notice')).toHaveText(/^All \d+ pairs reach/);
      }
    });
});

test('the pictures of the gallery are recognizable on a narrow screen and at 400 % zoom', async ({
  page,
  sharedService: service,
}) => {
  await page.setViewportSize({ width: 320, height: 600 });
  await page.route('**/gallery.html', async (route) =>
    route.fulfill({ contentType: 'text/html', body: await readFile('demo/gallery.html', 'utf8') }),
  );
  await page.goto(`${service.origin}/gallery.html`);
  expect((await page.locator('figure').first().boundingBox())?.width).toBeGreaterThan(200);
});

test('the chat in the corner does not cover the composer of the chat in the page', async ({
  page,
  sharedService: service,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${service.origin}/two-widgets.html`);
  const [framed, corner] = [0, 1].map((at) => page.locator('agent-chat').nth(at));
  await corner!.locator('.launcher').click();
  await expect(corner!.locator('agent-chat-composer textarea')).toBeFocused();
  await framed!.locator('agent-chat-composer textarea').click({ timeout: 5_000 });
  const [chat, panel] = await Promise.all([
    page.locator('#echo-frame').boundingBox(),
    corner!.locator('.panel').boundingBox(),
  ]);
  expect(chat!.x + chat!.width).toBeLessThan(panel!.x);
});
