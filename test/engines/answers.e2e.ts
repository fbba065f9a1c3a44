import { expect, test } from '@playwright/test';
import type { EnginePage } from './engine-page.ts';
import { inEachEngine } from './in-each-engine.ts';
import { openChat } from './open-chat.ts';
import { seen } from './seen.ts';

const patient = { timeout: 20_000 };

interface Look {
  /** Whether the actions below the newest answer can be seen. */
  readonly hasActions: boolean;
  /** How far the newest question is below the top of the conversation. */
  readonly questionTop: number;
  /** Text that a selection leaves out. */
  readonly unselectable: readonly string[];
}

function look(page: EnginePage): Promise<Look> {
  return page.evaluate(() => {
    const find = (root: ParentNode, selector: string): Element[] => [
      ...root.querySelectorAll(selector),
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
        shadowRoot ? find(shadowRoot, selector) : [],
      ),
    ];
    const last = (selector: string): Element => find(document, selector).at(-1)!;
    const topOf = (selector: string): number => last(selector).getBoundingClientRect().top;
    return {
      hasActions: getComputedStyle(last('agent-chat-turn-actions')).visibility === 'visible',
      questionTop: topOf('agent-chat-visitor-message') - topOf('.scroller[role=log]'),
      unselectable: find(document, '#agent, .code-head')
        .filter((element) => getComputedStyle(element).getPropertyValue('-webkit-user-select') === 'none')
        .map(({ id, className }) => id || className),
    };
  }, undefined);
}

inEachEngine((bench) => {
  test('an answer’s actions are seen once its items have loaded; a queued question goes to the top, and stays there as a draft grows', async () => {
    const { page, open } = bench();
    await open('demo');
    await openChat(page);
    const ask = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    const ended = (count: number) => expect.poll(async () => (await seen(page)).ended, patient).toBe(count);
    await ask('/item image');
    await ended(1);
    await expect.poll(async () => (await look(page)).hasActions).toBe(true);

    await ask('/code');
    await ask('Thanks');
    await ended(3);
    await expect.poll(async () => (await look(page)).questionTop).toBeLessThan(40);

    const { questionTop } = await look(page);
    for (const key of ['a', 'Shift+Enter', 'b', 'Shift+Enter', 'c', 'd']) await page.keyboard.press(key);
    expect(Math.abs((await look(page)).questionTop - questionTop)).toBeLessThanOrEqual(1);

    expect((await look(page)).unselectable).toContain('agent');
    expect((await look(page)).unselectable).toContain('code-head');
  });
});
