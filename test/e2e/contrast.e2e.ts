import { expect, type Page } from '@playwright/test';
import { wcagContrast } from 'culori';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { withIds } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

// Pixels, of which only a picture tells: the colours of style sheets are measured in chat-contrast.test.ts.
const server = pageServer(test);
test.beforeAll(async () => {
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = withIds(plainTurn(['- [x] Berth reserved\n- [ ] Deposit paid']));
    await sendEvents(response, framings['real SSE'], events, 0);
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none" height="600px"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});

/**
 * Contrast between the lightest and the darkest point of a picture, without `edge` (a share of its width) all round.
 */
function spread(page: Page, picture: Buffer, edge: number): Promise<readonly [string, string]> {
  return page.evaluate(
    async ({ data, border }) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas?.drawImage(bitmap, 0, 0);
      const [x, y] = [Math.ceil(width * border), Math.ceil(height * border)];
      const points = canvas?.getImageData(x, y, width - 2 * x, height - 2 * y).data ?? [];
      const colours = Array.from({ length: points.length / 4 }, (_none, index) => [
        ...points.slice(index * 4, index * 4 + 3),
      ]).sort((one, other) => Math.hypot(...one) - Math.hypot(...other));
      const written = (colour: number[] | undefined): string => `rgb(${(colour ?? []).join(' ')})`;
      return [written(colours[0]), written(colours.at(-1))] as const;
    },
    { data: picture.toString('base64'), border: edge },
  );
}

test('the read-only checkboxes of a task list are not greyed out, light and dark', async ({ browser }) => {
  const page = await browser.newPage({ deviceScaleFactor: 3 });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('My tasks');
  await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
  for (const theme of ['light', 'dark'] as const)
    await test.step(theme, async () => {
      await chat.element.evaluate((host, name) => host.setAttribute('theme', name), theme);
      await expect(chat.panel).toHaveCSS('color-scheme', theme);
      const [ticked, open] = await chat.element.getByRole('checkbox').all();
      const tick = await spread(page, (await ticked?.screenshot()) ?? Buffer.of(), 0.2);
      expect(wcagContrast(...tick)).toBeGreaterThan(3);
      const edge = await spread(page, (await open?.screenshot()) ?? Buffer.of(), 0);
      expect(wcagContrast(...edge)).toBeGreaterThan(3);
    });
  await page.close();
});

test('no line parts the header from the welcome page at 1.1, 1.25 and 1.5 device pixels a pixel', async ({
  browser,
}) => {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.element.evaluate((host) => {
    Object.assign(document.body.style, { margin: '0', padding: '10.3px 0 0', zoom: '1.05' });
    host.setAttribute('form-type', 'custom');
    host.setAttribute('theme', 'light');
  });
  await chat.composer.waitFor();
  for (const deviceScaleFactor of [1.1, 1.25, 1.5])
    await test.step(`${deviceScaleFactor} device pixels`, async () => {
      const size = { width: 1280, height: 720, mobile: false };
      await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor });
      await expect.poll(() => page.evaluate(() => devicePixelRatio)).toBeCloseTo(deviceScaleFactor, 3);
      const header = (await chat.element.locator('agent-chat-header').boundingBox())!;
      const clip = { x: header.x + 40, y: header.y + header.height - 4, width: 60, height: 8, scale: 1 };
      const { data } = await session.send('Page.captureScreenshot', { clip });
      const colours = await spread(page, Buffer.from(data, 'base64'), 0);
      expect(wcagContrast(...colours)).toBeLessThan(1.3);
    });
  await page.close();
});
