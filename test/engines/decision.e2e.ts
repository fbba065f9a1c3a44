import { expect, test } from '@playwright/test';
import { inEachEngine } from './in-each-engine.ts';
import { openChat } from './open-chat.ts';

const patient = { timeout: 20_000 };

inEachEngine((bench) => {
  test('the buttons of a decision are in view when it comes', async () => {
    const { page, open } = bench();
    await open('demo');
    await openChat(page);
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
