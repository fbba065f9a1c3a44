import { expect } from '@playwright/test';
import { openPlayground } from '../tools/playground-page.ts';
import { test } from '../tools/worker-context.ts';

test('a look changes the chat and the snippet; what is written by hand stays until the next look', async ({
  page,
  sharedService: service,
}) => {
  const { chat, complaints } = await openPlayground(page, service.origin);
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

test('an own page stands behind the chat in a sandbox, and the way out of a refusal is said; so does a pasted or chosen screenshot, which is sent nowhere', async ({
  page,
  sharedService: service,
}) => {
  const { complaints } = await openPlayground(page, service.origin);
  const sample = page.getByRole('button', { name: 'Sample' });

  await test.step('an own page', async () => {
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
    await sample.click();
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(address).toHaveValue('');
    expect(complaints).toEqual([]);
  });

  await test.step('a screenshot', async () => {
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
    await sample.click();
    await expect(canvas).toHaveCount(0);
    const input = page.locator('playground-backdrop input[type=file]');
    await input.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: picture });
    await expect(canvas).toHaveJSProperty('height', 100);
    const broken = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await input.setInputFiles(broken);
    await expect(page.locator('#backdrop-message')).toHaveText(/cannot read this picture/);
    await expect(canvas).toBeVisible();
    expect(sent).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
