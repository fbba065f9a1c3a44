import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { test } from '../tools/worker-context.ts';

async function faultsOf(page: Page): Promise<string[]> {
  const builder = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true)
    // made as the rows above them
    .exclude('tbody tr:nth-child(n + 9)');
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

test('the documents are at /docs, and a live example plays without the service', async ({
  page,
  sharedService,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${sharedService.origin}/docs`);
  await expect(page).toHaveURL(/\/docs\/$/);
  const chat = new ChatPage(page);
  await expect.poll(() => chat.lastAnswer(), { timeout: 20_000 }).toContain('high water');
  expect(asked.filter((path) => path.startsWith('/api/') || path.startsWith('/demo/'))).toEqual([]);
  expect(faults).toEqual([]);
});

test('a search leads to the section, by keys alone', async ({ page, sharedService }) => {
  await page.goto(`${sharedService.origin}/docs/embed`);
  await page.keyboard.press('/');
  await page.keyboard.type('retention backup');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/operate\.html#data$/);
});

for (const [scheme, width, names] of [
  ['light', 1280, ['index', 'style']],
  ['dark', 390, ['errors', 'settings']],
] as const) {
  test(`axe finds nothing in the documents: ${scheme}, ${width} px wide`, async ({ page, sharedService }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    for (const name of names) {
      await page.goto(`${sharedService.origin}/docs/${name}.html`);
      expect(await faultsOf(page), name).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, name).toBeLessThanOrEqual(0);
    }
  });
}
