import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

test.describe.configure({ mode: 'parallel' });

let service: ServiceProcess;
test.beforeAll(async () => {
  service = await ServiceProcess.start();
});
test.afterAll(() => service.stop());
test.beforeEach(({ page }) => page.setViewportSize({ width: 1440, height: 900 }));

/** The playground with its chat open, and everything the browser complained of. */
async function openPlayground(page: Page): Promise<{ chat: ChatPage; complaints: string[] }> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(service.origin);
  const chat = new ChatPage(page, '#preview');
  await chat.composer.waitFor();
  return { chat, complaints };
}

test('a scenario plays in the chat, with its raw events next to it', async ({ page }) => {
  const { chat, complaints } = await openPlayground(page);
  await page.getByRole('button', { name: /Plain answer/ }).click();
  await expect.poll(() => chat.lastAnswer()).toContain('free tonight');
  await page.getByRole('tab', { name: 'Events' }).click();
  const events = page.locator('.events b');
  await expect(events.first()).toHaveText('run.started');
  await expect(events.last()).toHaveText('done');
  await page.getByLabel('Deltas').uncheck();
  await expect(page.locator('.events')).not.toContainText('message.delta');
  expect(complaints).toEqual([]);
});

test('a setting changes the chat, the snippet and the JSON at once, and survives a reload', async ({
  page,
}) => {
  const { chat } = await openPlayground(page);
  await page.locator('#field-primary-color').fill('#12432f');
  await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
  await page.getByRole('tab', { name: 'Embed' }).click();
  await expect(page.getByRole('region', { name: 'Script tag' })).toContainText(
    'data-primary-color="#12432f"',
  );
  await page.getByText('JSON', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Configuration' })).toContainText(
    '"primary_color": "#12432f"',
  );
  await page.reload();
  await expect(page.locator('#field-primary-color')).toHaveValue('#12432f');
  await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
});

test('a rejected value is reported at its field and left out of the snippets', async ({ page }) => {
  await openPlayground(page);
  const width = page.locator('#field-width');
  await width.fill('12 parsecs');
  await expect(width).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('#field-width-help')).toContainText('allowed: a positive length');
  const said = page.locator('#said[aria-live=polite]');
  await expect(said).toContainText('width cannot be "12 parsecs"');
  // the field beside it stays on its line
  expect((await page.locator('#field-height').boundingBox())?.y).toBe((await width.boundingBox())?.y);
  await page.getByRole('tab', { name: 'Embed' }).click();
  await expect(page.getByRole('region', { name: 'Script tag' })).not.toContainText('parsecs');
  await page.getByText('JSON', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Configuration' })).not.toContainText('parsecs');
  await width.fill('380px');
  await expect(said).toHaveText('');
  await expect(width).toHaveAttribute('aria-invalid', 'false');
  await expect(page.locator('#field-width-help')).toContainText('CSS length');
  await expect(page.getByRole('region', { name: 'Configuration' })).toContainText('"width": "380px"');
});

test('a rejected colour shows the colour in force; a missing container is reported at its field', async ({
  page,
}) => {
  await openPlayground(page);
  await page.locator('#field-accent-color').fill('no colour');
  await expect(page.locator('#field-accent-color-help')).toContainText('cannot be');
  await expect(page.getByLabel('Pick buttons, links, focus')).toHaveValue('#0b62d6');
  await page.locator('#field-container-id').fill('elsewhere');
  await expect(page.locator('#field-container-id-help')).toContainText('no element with the id “elsewhere”');
  // it may well be on the page that the snippet is for
  await page.getByRole('tab', { name: 'Embed' }).click();
  await expect(page.getByRole('region', { name: 'Script tag' })).toContainText(
    'data-container-id="elsewhere"',
  );
});

test('the open chat does not cover the events, and a document can be sent', async ({ page }) => {
  await openPlayground(page);
  await page.setViewportSize({ width: 900, height: 800 });
  await page.getByRole('button', { name: /^A document/ }).click();
  const chat = new ChatPage(page, '#preview');
  await expect(chat.composer).toHaveValue('/request');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    chat.element.locator('[part=attach]').click(),
  ]);
  await chooser.setFiles({ name: 'quay.txt', mimeType: 'text/plain', buffer: Buffer.from('quay') });
  await chat.composer.press('Enter');
  await expect.poll(() => chat.lastAnswer()).toContain('document_ids');
  await page.getByRole('tab', { name: 'Events' }).click();
  const events = await page.locator('playground-events').boundingBox();
  const panel = await chat.panel.boundingBox();
  expect((events?.x ?? 0) + (events?.width ?? Infinity)).toBeLessThanOrEqual(panel?.x ?? 0);
});

test('no choice changes the length or the scroll position of the page', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 800 });
  await openPlayground(page);
  const below = () => page.evaluate(() => [scrollY, document.documentElement.scrollHeight - innerHeight]);
  for (const tab of ['Embed', 'Events', 'Contrast', 'Scenarios']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await below(), tab).toEqual([0, 0]);
  }
  await page.getByText('very slow', { exact: true }).click();
  await expect(page.getByRole('radio', { name: 'very slow' })).toBeChecked();
  expect(await below()).toEqual([0, 0]);
  await page.getByText('Behaviour', { exact: true }).click();
  await page.getByText('quiet', { exact: true }).click();
  expect(await below()).toEqual([0, 0]);
});

test('the note about a choice describes its group', async ({ page }) => {
  await openPlayground(page);
  await page.getByText('Behaviour', { exact: true }).click();
  const group = page.getByRole('group', { name: 'Panel is loaded' });
  await expect(group).toHaveAccessibleDescription('none: when the visitor shows intent.');
});

test('the pictures of the gallery are recognizable on a narrow screen and at 400 % zoom', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 600 });
  await page.route('**/gallery.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: readFileSync('demo/gallery.html', 'utf8') }),
  );
  await page.goto(`${service.origin}/gallery.html`);
  expect((await page.locator('figure').first().boundingBox())?.width).toBeGreaterThan(200);
});

test('“Skip to the playground” moves focus there and keeps the settings', async ({ page }) => {
  const { chat } = await openPlayground(page);
  await page.locator('#field-primary-color').fill('#12432f');
  await page.getByRole('link', { name: 'Skip to the playground' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspect' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Scenarios' })).toBeFocused();
  await expect(chat.element).toHaveAttribute('primary-color', '#12432f');
  await page.reload();
  await expect(page.locator('#field-primary-color')).toHaveValue('#12432f');
});

test('Tab order follows the visual order, in one column too', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(service.origin);
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

test('with forced colours the selected tab, look and choice and active switches are visible', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openPlayground(page);
  const edge = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).borderBottomColor);
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await edge('[role=tab][aria-selected=true]')).not.toBe(
    await edge('[role=tab][aria-selected=false]'),
  );
  for (const [on, off] of [
    ['.look[aria-pressed=true]', '.look[aria-pressed=false]'],
    ['.choice input:checked + span', '.choice input:not(:checked) + span'],
    ['input.switch:checked', 'input.switch:not(:checked)'],
  ] as const) {
    if (on.startsWith('input.switch')) await page.getByRole('switch', { name: 'Stream the text' }).uncheck();
    expect(await ground(on)).not.toBe(await ground(off));
  }
});

test('in a narrow window the navigation starts at the logo and fades where it is cut off', async ({
  page,
}) => {
  await openPlayground(page);
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

test('with scrollbars that take room no pane scrolls sideways', async ({ scrollbarBrowser }) => {
  const page = await scrollbarBrowser.newPage({ viewport: { width: 1200, height: 800 } });
  await openPlayground(page);
  for (const name of ['Scenarios', 'Embed', 'Events', 'Contrast']) {
    await page.getByRole('tab', { name }).click();
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

test('the chat in the corner does not cover the composer of the chat in the page', async ({ page }) => {
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

test('a snippet breaks no words in a narrow window and uses the full width below its button', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPlayground(page);
  await page.getByRole('tab', { name: 'Embed' }).click();
  await page.getByText('JSON', { exact: true }).click();
  // every line of the JSON is short enough for one on the screen
  const code = page.getByRole('region', { name: 'Configuration' });
  const lines = await code.evaluate((pre) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(pre);
    const height = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return Math.round(height / parseFloat(lineHeight));
  });
  expect(lines).toBe(((await code.textContent()) ?? '').trimEnd().split('\n').length);
});

test('Publish stores the configuration, and its script runs on a page of another origin', async ({
  page,
  context,
}) => {
  await openPlayground(page);
  await page.locator('#field-accent-color').fill('#8e3ab8');
  await page.locator('#field-accent-color').blur();
  await page.getByRole('tab', { name: 'Embed' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('region', { name: 'Published script' })).toContainText(
    'data-accent-color="#8e3ab8"',
  );
  const spoken = page.locator('playground-embed [aria-live]');
  await expect(spoken).toHaveText(/^\s*Published at .{4,20}\.\s*$/);
  await page.locator('playground-embed .outcome').getByRole('button', { name: 'Copy' }).press('Enter');
  await expect(page.locator('#said')).toHaveText(/^(Copied|Selected)$/);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: /Open a host page/ }).click();
  const host = await opened;
  expect(new URL(host.url()).origin).toBe(service.otherOrigin);
  const chat = new ChatPage(host);
  await expect.poll(() => chat.launcherColour()).toEqual([142, 58, 184]);
  await chat.open();
  await chat.say('hello');
  await expect.poll(() => chat.lastAnswer()).not.toBe('');
});

test('every pair of colours in force is readable, also for a difficult brand', async ({ page }) => {
  await openPlayground(page);
  await page.getByRole('tab', { name: 'Contrast' }).click();
  const panel = page.locator('playground-contrast');
  await expect(panel.locator('.notice')).toHaveText(/^All \d+ pairs reach/);
  for (const theme of ['light', 'dark']) {
    for (const colours of ['#fff200', '#777777', '#ffffff', 'rgb(255 0 0 / 0.2)']) {
      await page.getByText(theme, { exact: true }).first().click();
      for (const field of ['primary', 'second', 'accent'])
        await page.locator(`#field-${field}-color`).fill(colours);
      await page.getByRole('button', { name: 'Measure again' }).click();
      await expect(panel.locator('.notice')).toHaveText(/^All \d+ pairs reach/);
    }
  }
});

test('a run can be saved as a file and replayed from it', async ({ page }) => {
  const { chat } = await openPlayground(page);
  await chat.say('When is high water?');
  await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.locator('.events b').last()).toHaveText('done');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the last run' }).click();
  const file = await (await saved).path();
  expect(readFileSync(file, 'utf8')).toContain('"When is high water?"');
  await page.reload();
  await chat.composer.waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.locator('playground-events input[type="file"]').setInputFiles(file);
  await expect(page.locator('.events b').last()).toHaveText('done', { timeout: 20_000 });
  await expect.poll(() => chat.lastAnswer()).toContain('two hours either side');
  expect(asked.filter((url) => url.endsWith('/runs/stream'))).toEqual([]);
});

test('a cut stream is resumed without lost or repeated text', async ({ page }) => {
  const { chat } = await openPlayground(page);
  await page.getByText('slow', { exact: true }).click();
  await chat.say('When is high water?');
  await expect.poll(async () => (await chat.lastAnswer()).length).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Cut the connection' }).click();
  await page.getByText('full', { exact: true }).click();
  await expect
    .poll(() => chat.lastAnswer(), { timeout: 30_000 })
    .toContain('two hours either side of high water.');
  expect((await chat.lastAnswer()).split('High water at Grey Quay').length).toBe(2);
});

test('a stream cut before the first event is resumed with the run id from the headers', async ({ page }) => {
  const { chat } = await openPlayground(page);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/runs/stream')) posts.push(request.url());
  });
  await page.getByText('very slow', { exact: true }).click();
  await chat.say('When is high water?');
  const state = () =>
    chat.evaluate(({ connection, conversation }) => [connection, conversation?.runs.at(-1)?.status]);
  await expect.poll(state, { timeout: 20_000, intervals: [30] }).toEqual(['streaming', 'submitted']);
  await page.getByRole('button', { name: 'Cut the connection' }).click();
  await expect(page.getByText('Cut. The chat picks the answer up again.')).toBeVisible();
  await page.getByText('full', { exact: true }).click();
  await expect
    .poll(() => chat.lastAnswer(), { timeout: 30_000 })
    .toContain('two hours either side of high water.');
  expect(posts).toHaveLength(1);
});

test('a callback message is posted to the chat’s thread and appears at once', async ({ page }) => {
  const { chat } = await openPlayground(page);
  await chat.say('hello');
  await expect.poll(() => chat.lastAnswer()).not.toBe('');
  const posted = page.waitForResponse((response) => response.url().includes('/api/v1/callback/'));
  await page.getByRole('button', { name: 'Send a message from outside' }).click();
  const response = await posted;
  expect(response.status()).toBe(201);
  const thread = new URL(response.url()).pathname.split('/').at(-1) ?? '';
  const { token } = (await (await page.request.get(`${service.origin}/demo/token`)).json()) as {
    token: string;
  };
  const stored = await page.request.get(`${service.origin}/api/v1/hub/threads/${thread}/messages`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await stored.text()).toContain('all is settled');
  await expect.poll(() => chat.lastAnswer()).toContain('all is settled');
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds no violation on the page itself, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openPlayground(page);
    for (const tab of ['Scenarios', 'Embed', 'Events', 'Contrast']) {
      await page.getByRole('tab', { name: tab }).click();
      const axe = new AxeBuilder({ page })
        .exclude('agent-chat')
        .options({ resultTypes: ['violations'] })
        // the page has no frames, so the results need no second page
        .setLegacyMode(true);
      // the settings, most of the page, are the same whichever tab is open
      if (tab !== 'Scenarios') axe.exclude('playground-settings');
      // of what was looked at in the light, the colours are all that is different in the dark
      if (scheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
      const { violations } = await axe.analyze();
      expect(violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`)).toEqual([]);
    }
  });
}

test('the strict page blocks nothing while the chat answers', async ({ page }) => {
  await page.goto(`${service.origin}/strict-csp.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('/markdown');
  await expect.poll(() => chat.lastAnswer(), { timeout: 20_000 }).not.toBe('');
  await expect(page.locator('#violations')).toHaveText('Nothing has been blocked.');
});
