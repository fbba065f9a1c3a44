import { expect, test } from '@playwright/test';
import { inEachEngine } from './in-each-engine.ts';
import { openChat } from './open-chat.ts';

const patient = { timeout: 20_000 };

inEachEngine((bench) => {
  test('a group’s heading stands clear of its first field', async () => {
    const { page, open } = bench();
    await open('demo');
    await openChat(page);
    await page.keyboard.type('/form long');
    await page.keyboard.press('Enter');
    const gap = (): Promise<number | null | undefined> =>
      page.evaluate(() => {
        const find = (root: ParentNode): Element | undefined =>
          root.querySelector('.group > legend') ??
          [...root.querySelectorAll('*')].flatMap(
            ({ shadowRoot }) => (shadowRoot && find(shadowRoot)) ?? [],
          )[0];
        const legend = find(document);
        const next = legend?.nextElementSibling;
        return legend && next && next.getBoundingClientRect().top - legend.getBoundingClientRect().bottom;
      }, undefined);
    await expect.poll(gap, patient).toBeCloseTo(12, 0);
  });
});
