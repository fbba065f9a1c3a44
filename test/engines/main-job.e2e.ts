import { expect, test } from '@playwright/test';
import { focused } from '../a11y/focus.ts';
import { announcementsOf } from '../a11y/announcements.ts';
import type { EnginePage } from './engine-page.ts';
import { inEachEngine } from './in-each-engine.ts';
import { openChat } from './open-chat.ts';
import { seen } from './seen.ts';

const answer =
  'The harbour office opens at eight. Berths for boats of up to twelve metres lie at the inner pier, larger ones outside.';
const patient = { timeout: 20_000 };

/** Slows the echo agent down, so that an answer can be watched. */
function slowDown(page: EnginePage, delay: number): Promise<void> {
  return page.evaluate((delay_ms) => {
    const chat = document.querySelector('agent-chat');
    if (chat) Object.assign(chat, { additionalParameters: { delay_ms, chunk_length: 6 } });
  }, delay);
}

async function say(page: EnginePage, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test.describe.configure({ mode: 'parallel' });

inEachEngine((bench) => {
  test('the main job: a streamed and announced answer, Stop, a reload, Markdown, Escape', async () => {
    const { page, open } = bench();
    await open('echo');
    await openChat(page);
    await expect.poll(async () => (await seen(page)).isOpen, patient).toBe(true); // the panel, not its shell
    await slowDown(page, 120); // looked at from outside: each look takes a while
    await say(page, answer);
    const states = new Set<string>();
    for (let now = await seen(page); now.ended === 0; now = await seen(page))
      states.add(now.answers.at(-1) ?? '');
    const { answers } = await seen(page);
    states.add(answers.at(-1) ?? '');
    expect(states.size).toBeGreaterThan(5);
    for (const state of states) expect(answer.startsWith(state)).toBe(true);
    expect(answers).toEqual([answer]);
    const end = `Assistant said: ${answer}`;
    await expect.poll(() => announcementsOf(page), patient).toContain(end);
    expect((await announcementsOf(page)).filter((text) => text !== 'Working on it…')).toEqual([end]);

    // Stop keeps what came
    await slowDown(page, 200);
    await say(page, answer);
    await expect.poll(async () => (await seen(page)).answers[1] ?? '', patient).toContain('harbour');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button: Stop');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await seen(page)).text, patient).toContain('Stopped');
    const kept = (await seen(page)).answers.at(-1) ?? '';
    expect(kept.length).toBeLessThan(answer.length);

    // a reload brings the conversation back, the panel still open; what an agent writes is drawn
    await open('echo');
    await expect.poll(async () => (await seen(page)).answers, patient).toEqual([answer, kept]);
    await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      await chat?.focusComposer();
      void chat?.send(
        '# Hours\n\n- **Monday**\n- Tuesday\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nopen();\n```',
      );
    }, undefined);
    await expect.poll(async () => (await seen(page)).ended, patient).toBe(3);
    const drawn = await page.evaluate(() => {
      const find = (root: ParentNode, selector: string): Element[] => [
        ...root.querySelectorAll(selector),
        ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
          shadowRoot ? find(shadowRoot, selector) : [],
        ),
      ];
      const [markdown] = find(document, 'agent-chat-markdown').slice(-1);
      const root = markdown?.shadowRoot ?? document;
      const [panel] = find(document, '.panel');
      const box = panel?.getBoundingClientRect();
      return {
        parts: ['h2, h1, [aria-level]', 'li', 'table, [role=table]', 'pre'].map(
          (part) => find(root, part).length,
        ),
        isInside: Boolean(
          box && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
        ),
        scrolls: document.documentElement.scrollWidth > innerWidth,
      };
    }, undefined);
    expect(drawn).toEqual({ parts: [1, 2, 1, 1], isInside: true, scrolls: false });
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), patient).toBe('button: Open chat');
    expect((await seen(page)).isOpen).toBe(false);
  });
});
