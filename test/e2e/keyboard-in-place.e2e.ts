import { expect, type Page } from '@playwright/test';
import { focused, pressUntil } from '../a11y/focus.ts';
import { cutRing } from '../a11y/focus-ring.ts';
import type { ChatPage } from '../tools/chat-page.ts';
import { openSidebar } from '../tools/open-sidebar.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { scrollbarTest, test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** Opens a chat in place, as a sidebar. */
async function visit(page: Page, width = 400): Promise<ChatPage> {
  const chat = await openSidebar(page, { host, service }, { width, height: 640 });
  await chat.composer.focus();
  return chat;
}

/** Asks with the keyboard and waits for the answer. */
async function ask(page: Page, chat: ChatPage, text: string, answers: number): Promise<void> {
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(answers, { timeout: 15_000 });
}

test('the focus ring is whole: tables, sources, pictures in cards, a picture over the page, and options of a conversation', async ({
  page,
}) => {
  const chat = await visit(page);
  const whole = async (): Promise<void> => {
    await expect.poll(() => cutRing(page), { message: await focused(page) }).toEqual([]);
  };
  await ask(page, chat, '/citations', 1);
  await expect(chat.element.getByRole('button', { name: '2 · Opening hours' })).toBeVisible();
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('End');
  for (const source of ['1 · Rules of the harbour', '2 · Opening hours']) {
    await pressUntil(page, 'Tab', source);
    await whole();
  }
  await page.keyboard.press('Escape');
  await pressUntil(page, 'Tab', 'Message');
  await ask(page, chat, 'When is high water?', 2);
  const table = chat.element.getByRole('group', { name: 'Table' });
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('End');
  for (let stop = 0; stop < 3 && !(await table.evaluate((element) => element.matches(':focus'))); stop += 1)
    await page.keyboard.press('Tab');
  await expect(table).toBeFocused();
  await whole();
  // and covers none of the words
  expect(await table.evaluate((element) => getComputedStyle(element).outlineOffset)).toBe('2px');
  await pressUntil(page, 'Tab', 'Message');
  await ask(page, chat, '/item card', 3);
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('End');
  await expect(chat.element.locator('agent-chat-image img')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(chat.element.locator('agent-chat-image button')).toBeFocused();
  await whole();
  await page.keyboard.press('Enter');
  await expect(chat.element.locator('agent-chat-lightbox .stage')).toBeFocused();
  await whole();
  await page.keyboard.press('Escape');
  await pressUntil(page, 'F6', 'Conversations');
  await page.keyboard.press('Enter');
  await expect(chat.element.getByRole('button', { name: 'Options for /citations' })).toBeAttached();
  await pressUntil(page, 'Tab', 'Options for /citations');
  await whole();
  // the button is in the place of the time, which is still part of the name
  await page.keyboard.press('Shift+Tab');
  await expect(chat.element.getByRole('button', { name: /^\/citations .*\d [AP]M/ })).toBeFocused();
});

test('what Tab scrolls into view is clear of the edge, and a message’s ring of its time', async ({
  page,
}) => {
  const chat = await visit(page, 280);
  await ask(page, chat, '/long 4000', 1);
  await page.keyboard.press('End'); // scrolls to the end: nothing is new below
  await expect(chat.element.getByRole('button', { name: 'New below' })).toBeHidden();
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Home');
  const timeBelowRing = await chat.element.locator('agent-chat-visitor-message .block').evaluate((block) => {
    const message = block.getRootNode() as ShadowRoot; // of the visitor's message
    const article = message.host.closest('.message') ?? message.host;
    const { outlineOffset, outlineWidth } = getComputedStyle(article);
    const ringEnd =
      article.getBoundingClientRect().bottom + parseFloat(outlineOffset) + parseFloat(outlineWidth);
    const timeStart = parseFloat(getComputedStyle(block, '::after').top) + block.clientTop;
    return block.getBoundingClientRect().top + timeStart - ringEnd;
  });
  expect(timeBelowRing).toBeGreaterThanOrEqual(0);
  await pressUntil(page, 'Tab', 'group: Table');
  const link = chat.element.getByRole('link', { name: 'online' }).first();
  await chat.element.locator('.scroller').evaluate(
    (scroller, to) => {
      scroller.scrollTop +=
        (to?.getBoundingClientRect().bottom ?? 0) - scroller.getBoundingClientRect().bottom - 2;
    },
    await link.elementHandle(),
  );
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  await expect.poll(() => cutRing(page)).toEqual([]);
});

test('at 400 % zoom, the label of each field of a form is in view with its field', async ({ page }) => {
  const chat = await openSidebar(page, { host, service }, { width: 320, height: 180 });
  await chat.composer.fill('/form long');
  await chat.composer.press('Enter');
  const name = chat.element.getByLabel('Name').first();
  await expect(name).toBeVisible();
  await name.focus();
  /** How far the label of the focused field is above the view, in pixels; 0 if it is in view. */
  const cutOff = (): Promise<number> =>
    chat.element.locator('.scroller').evaluate((scroller) => {
      let field = document.activeElement;
      while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
      const label = (field as HTMLInputElement | null)?.labels?.[0] ?? field;
      const top = label?.getBoundingClientRect().top ?? 0;
      return Math.max(0, Math.round(scroller.getBoundingClientRect().top - top));
    });
  for (const key of ['Tab', 'Shift+Tab'])
    for (let stop = 0; stop < 20; stop += 1) {
      await expect.poll(cutOff, { message: `${key}: ${await focused(page)}` }).toBe(0);
      await page.keyboard.press(key);
    }
});

scrollbarTest(
  'at 400 % zoom, the preview of a source is beside the scrollbar of the page',
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    const chat = await openSidebar(page, { host, service }, { width: 288, height: 400 });
    await chat.composer.fill('/citations');
    await chat.composer.press('Enter');
    await expect(chat.element.getByRole('button', { name: 'Source 2: Opening hours' })).toBeVisible();
    await pressUntil(page, 'Shift+Tab', 'Source 2: Opening hours');
    const preview = chat.element.locator('.preview');
    await expect(preview).toBeVisible();
    const edges = (): Promise<number[]> =>
      preview.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return [left, document.documentElement.clientWidth - right];
      });
    await expect.poll(async () => Math.min(...(await edges()))).toBeGreaterThanOrEqual(4);
  },
);

test('Tab goes through the buttons of a decision in the order in which they are seen, also in a narrow chat', async ({
  page,
}) => {
  const chat = await visit(page, 280);
  await page.keyboard.type('/approve');
  await page.keyboard.press('Enter');
  await expect(chat.element.getByRole('button', { name: 'Approve' })).toBeVisible();
  await page.keyboard.press('Shift+F6');
  const boxes: { x: number; y: number }[] = [];
  for (const name of ['Decline', 'Edit', 'Approve']) {
    await pressUntil(page, 'Tab', `button: ${name}`);
    const box = await chat.element.locator('agent-chat-decision').evaluate((card) => {
      const { x = 0, y = 0 } = card.shadowRoot?.activeElement?.getBoundingClientRect() ?? {};
      const { top } = card.getBoundingClientRect();
      return { x, y: y - top };
    });
    boxes.push(box);
  }
  const seen = boxes.toSorted((one, other) => one.y - other.y || one.x - other.x);
  expect(seen).toEqual(boxes);
});
