import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
test.beforeAll(async () => {
  service = await ServiceProcess.start();
});
test.afterAll(() => service.stop());

/** The playground with its chat open in the corner, and everything the browser complained of. */
async function openPlayground(page: Page): Promise<{ chat: ChatPage; complaints: string[] }> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(service.origin);
  const chat = new ChatPage(page, '#preview');
  await chat.composer.waitFor();
  return { chat, complaints };
}

test('a look changes the chat and the snippet; what is written by hand stays until the next look', async ({
  page,
}) => {
  const { chat, complaints } = await openPlayground(page);
  const look = (name: string) => page.getByRole('button', { name, exact: true });
  const corner = () => chat.panel.evaluate((panel) => getComputedStyle(panel).borderRadius);
  await expect(look('Harbour')).toHaveAttribute('aria-pressed', 'true');
  expect(await corner()).toBe('16px');
  await look('Plum').click();
  await expect(look('Plum')).toHaveAttribute('aria-pressed', 'true');
  await expect(look('Plum')).toBeFocused();
  expect(await corner()).toBe('0px');
  await expect(chat.panel).toContainText('Maison Plum');
  await expect(chat.element.locator('img[part~=avatar]').last()).toHaveAttribute('src', /plum\.svg$/);
  await page.getByRole('tab', { name: 'Embed' }).click();
  const snippet = page.getByRole('region', { name: 'Script tag' });
  await expect(snippet).toContainText('--agent-chat-radius-panel: 0px;');
  await expect(snippet).toContainText('data-accent-color="#3f1d4e"');
  await page.getByRole('button', { name: 'element', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Element' })).toContainText(
    `"avatar": "${service.origin}/logos/plum.svg"`,
  );
  await page.getByText('round', { exact: true }).click();
  expect(await corner()).toBe('28px');
  await expect(look('Plum')).toHaveAttribute('aria-pressed', 'false');
  await page.getByText('Words', { exact: true }).click();
  await page.locator('#field-heading').fill('Our shop');
  await page.reload();
  await chat.composer.waitFor();
  expect(await corner()).toBe('28px');
  await look('Harbour').click();
  expect(await corner()).toBe('16px');
  await expect(chat.panel).toContainText('Our shop');
  expect(complaints).toEqual([]);
});

test('the preview is in view at every width, whatever is being changed', async ({ page }) => {
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [820, 900],
    [1024, 768],
    [1366, 660],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(service.origin);
    const chat = new ChatPage(page, '#preview');
    await chat.composer.waitFor();
    const font = page.locator('#field-font');
    await font.scrollIntoViewIfNeeded();
    await font.selectOption('serif');
    const header = chat.element.locator('agent-chat-header');
    await expect(header).toHaveCSS('font-family', /serif$/);
    const [panel, field] = [await chat.panel.boundingBox(), await font.boundingBox()];
    const view = `${width}×${height}`;
    expect(panel!.y, view).toBeGreaterThanOrEqual(0);
    expect(panel!.y + panel!.height, view).toBeLessThanOrEqual(height);
    const isApart = field!.y >= panel!.y + panel!.height || field!.x + field!.width <= panel!.x;
    expect(isApart, view).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(width);
    await page.goto('about:blank');
  }
});

test('an own page stands behind the chat in a sandbox, and the way out of a refusal is said', async ({
  page,
}) => {
  const { complaints } = await openPlayground(page);
  const address = page.getByRole('textbox', { name: 'Address of your page' });
  await address.fill('nowhere at all');
  await address.press('Enter');
  await expect(address).toHaveAccessibleDescription(/is not an address/);
  await address.fill(`127.0.0.1:${service.port}/host.html`);
  await address.press('Enter');
  const frame = page.frameLocator('iframe[title="Your page"]');
  await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
  await expect(address).toHaveAccessibleDescription(/does not let other pages show it.*screenshot/i);
  await page.reload();
  await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Sample' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(address).toHaveValue('');
  expect(complaints).toEqual([]);
});

test('a pasted or chosen screenshot stands behind the chat and is sent nowhere', async ({ page }) => {
  const { complaints } = await openPlayground(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 100 } });
  const canvas = page.getByRole('img', { name: 'Your screenshot' });
  await page.evaluate(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'page.png', { type: 'image/png' }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    },
    [...picture],
  );
  await expect(canvas).toHaveJSProperty('width', 200);
  await page.getByRole('button', { name: 'Sample' }).click();
  await expect(canvas).toHaveCount(0);
  const input = page.locator('playground-backdrop input[type=file]');
  await input.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: picture });
  await expect(canvas).toHaveJSProperty('height', 100);
  const broken = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await input.setInputFiles(broken);
  await expect(page.locator('#backdrop-told')).toHaveText(/cannot read this picture/);
  await expect(canvas).toBeVisible();
  expect(sent).toEqual([]);
  expect(complaints).toEqual([]);
});
