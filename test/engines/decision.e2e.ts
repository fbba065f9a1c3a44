import { expect, test } from '@playwright/test';
import { focused } from '../a11y/focus.ts';
import { inEachEngine } from './in-each-engine.ts';

const patient = { timeout: 20_000 };

inEachEngine((bench) => {
  test('the buttons of a decision are in view when it comes', async () => {
    const { page, open } = bench();
    await open('demo');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('textarea: Message');
    await page.keyboard.type('/approve');
    await page.keyboard.press('Enter');
    const buttonsBelow = (): Promise<number | undefined> =>
      page.evaluate(() => {
        const find = (root: ParentNode, selector: string): Element | undefined => {
          const all = [...root.querySelectorAll('*')];
          return (
            root.querySelector(selector) ??
            all.flatMap(({ shadowRoot }) => (shadowRoot && find(shadowRoot, selector)) ?? [])[0]
          );
        };
        const buttons = find(document, '.choices');
        const view = find(document, '.scroller');
        return (
          buttons && view && buttons.getBoundingClientRect().bottom - view.getBoundingClientRect().bottom
        );
      }, undefined);
    await expect.poll(buttonsBelow, patient).toBeLessThanOrEqual(0);
  });
});
