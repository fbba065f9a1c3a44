import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
let host: PageServer;

test.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  host = await PageServer.start();
});
test.afterAll(() => host.close());

async function visit(page: Page, lang: string): Promise<ChatPage> {
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="${lang}"><title>Host</title><body>
      <agent-chat agent-id="echo" token="${await service.token()}"></agent-chat>
      <script async src="${service.origin}/agent-chat.js"></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  return chat;
}

const arabic = {
  plain: '- افتح الصمام\n- Node.js بيئة\n\n1. واحد\n2. اثنان',
  loose: '- عنصر\n\n  فقرة\n\n- آخر\n  1. داخل',
  tasks: '- [ ] افتح الصمام\n- [x] Hello there',
  quote: '> اقتباس\n>\n> - عنصر',
  table: '| اسم | عدد |\n|---|---|\n| قارب | 2 |',
};
const english = {
  plain: '- Open the valve\n- قارب one\n\n1. One\n2. Two',
  loose: '- An item\n\n  Its paragraph\n\n- Another\n  1. within',
  tasks: '- [ ] Open the valve\n- [x] قارب',
  quote: '> A quote\n>\n> - An item',
  table: '| Name | Count |\n|---|---|\n| Boat | 2 |',
};

for (const [lang, texts, side] of [
  ['en', arabic, 'right'],
  ['ar', english, 'left'],
] as const) {
  test(`text of the other direction is on its own side, with markers beside it, in ${lang}`, async ({
    page,
  }) => {
    const chat = await visit(page, lang);
    await chat.say(Object.values(texts).join('\n\n***\n\n'));
    await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
    const found = await chat.element.locator('agent-chat-markdown').evaluate((element, start) => {
      const body = element.shadowRoot?.querySelector('.body') as HTMLElement; // it was drawn
      const faults: string[] = [];
      const whole = body.getBoundingClientRect();
      /** How far something lies from the side where it should begin, in pixels. */
      const off = (box: DOMRect): number =>
        start === 'right' ? whole.right - box.right : box.left - whole.left;
      const wordsOf = (node: Element): DOMRect => {
        const range = document.createRange();
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        const text = walker.nextNode() as Text; // each has text
        range.selectNodeContents(text);
        return range.getBoundingClientRect();
      };
      for (const item of body.querySelectorAll('li, th, blockquote > p')) {
        if (getComputedStyle(item).direction !== (start === 'right' ? 'rtl' : 'ltr'))
          faults.push(`${item.textContent}: the other direction`);
        const cell = item.localName === 'th' && item.previousElementSibling;
        if (!cell && off(wordsOf(item)) > 80) faults.push(`${item.textContent}: far from its mark`);
        if (!cell && item.localName === 'li' && off(wordsOf(item)) < 15)
          faults.push(`${item.textContent}: no room for its mark`);
        const box = item.querySelector(':scope > input')?.getBoundingClientRect();
        const words = wordsOf(item);
        if (box && box.right > words.left && box.left < words.right)
          faults.push(`${item.textContent}: under its box`);
        if (box && Math.abs(box.top + box.bottom - words.top - words.bottom) > 6)
          faults.push(`${item.textContent}: not in line with its box`);
      }
      const quote = getComputedStyle(body.querySelector('blockquote') as Element); // said above
      if (parseFloat(start === 'right' ? quote.borderRightWidth : quote.borderLeftWidth) === 0)
        faults.push('the quote is marked on the wrong side');
      return faults;
    }, side);
    expect(found).toEqual([]);
  });
}

for (const [lang, heading] of [
  ['ar', 'Harbour'],
  ['en', 'مكتب الميناء'],
] as const) {
  test(`name and status start at the avatar, whatever their direction, in ${lang}`, async ({ page }) => {
    const chat = await visit(page, lang);
    await chat.element.evaluate((element, name) => element.setAttribute('heading', name), heading);
    await expect(chat.element.locator('[part=header-name]')).toHaveText(heading);
    const gaps = await chat.element.locator('agent-chat-header').evaluate((header) => {
      const inside = header.shadowRoot as ShadowRoot; // it was drawn
      const avatar = (inside.querySelector('.avatar') as Element).getBoundingClientRect(); // so was this
      return [...inside.querySelectorAll('.name, .status')].map((line) => {
        const words = document.createRange();
        words.selectNodeContents(line);
        const { left, right } = words.getBoundingClientRect();
        return Math.round(
          getComputedStyle(header).direction === 'rtl' ? avatar.left - right : left - avatar.right,
        );
      });
    });
    expect(gaps).toEqual([10, 10]);
  });
}
