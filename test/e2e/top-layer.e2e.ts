import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);

const highest = 2147483647;
/** A page that covers itself with the highest number there is, and counts what lands on the cover. */
const cover = `<style>#cover { position: fixed; inset: 0; z-index: ${highest}; background: rgb(0 0 0 / 0.4); }</style>
  <div id="cover"></div><script>hits = 0; cover.addEventListener('pointerdown', () => (hits += 1));</script>`;
/** The chat in the corner, and a place to put things beside it. */
const chatTag = '<agent-chat agent-id="a" token="t" storage="none"></agent-chat>';

test.beforeAll(async () => {
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const pieces = Array.from({ length: 40 }, (_none, index) => `Line ${index + 1} of the answer.\n\n`);
    const events = plainTurn(body.includes('slowly') ? pieces : ['A short answer.']);
    const own = events.map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
    await sendEvents(response, framings['real SSE'], own, 25);
    return true;
  };
});

async function visit(page: Page, body: string): Promise<ChatPage> {
  await page.setViewportSize({ width: 1000, height: 760 });
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>${body}<script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  return chat;
}

/** What a press in the middle of each control of the chat would land on, as the page sees it. */
function landings(chat: ChatPage): Promise<string[]> {
  return chat.evaluate((host) => {
    const deep = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((each) => [
        each,
        ...(each.shadowRoot ? deep(each.shadowRoot) : []),
      ]);
    const controls = deep(host.shadowRoot ?? host).filter((each) => {
      const isControl = each.matches('button:not(.help), textarea, a[href]');
      return isControl && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    });
    if (controls.length === 0) throw new Error('no control is shown');
    return controls
      .map((each) => {
        const { left, top, width, height } = each.getBoundingClientRect();
        const met = document.elementFromPoint(left + width / 2, top + height / 2);
        // out of the window, as what is scrolled away may be, there is nothing to land on
        return met === host || met === null
          ? ''
          : `${each.className || each.localName} is under ${met.id || met.localName}`;
      })
      .filter(Boolean);
  });
}

/** Opens the chat, asks and closes it again by real presses on what is seen. */
async function useByPointer(page: Page, chat: ChatPage): Promise<void> {
  const press = async (target: { boundingBox(): Promise<unknown> }): Promise<void> => {
    const box = (await target.boundingBox()) as { x: number; y: number; width: number; height: number }; // it is drawn
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  expect(await landings(chat)).toEqual([]);
  await press(chat.launcher);
  await chat.composer.waitFor();
  await chat.panel.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
  await press(chat.composer);
  await page.keyboard.type('Can I still write?');
  await press(chat.button);
  await expect.poll(() => chat.lastAnswer()).toContain('A short answer.');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  expect(await landings(chat)).toEqual([]);
  await press(chat.element.getByRole('button', { name: 'Close', exact: true }));
  await expect(chat.panel).toBeHidden();
}

const places: Record<string, string> = {
  'before it in the page': cover + chatTag,
  'after it in the page': chatTag + cover,
  'and its number is taken from it': `<style>agent-chat::part(layer) { z-index: -1 !important; }</style>${chatTag}${cover}`,
  'and it stands in a corner of the page that is clipped, filtered and under all else':
    `<div style="position:absolute;z-index:0;top:0;left:0;width:50px;height:50px;overflow:hidden;filter:blur(0);transform:translate(0);contain:paint">${chatTag}</div>` +
    cover,
};
for (const [where, body] of Object.entries(places)) {
  test(`the chat can be used with the pointer although a cover with the maximum z-index is ${where}`, async ({
    page,
  }) => {
    const chat = await visit(page, body);
    await useByPointer(page, chat);
    expect(await page.evaluate('hits')).toBe(0);
    // the cover is a real one: all around the chat it takes the press
    await page.mouse.click(20, 20);
    expect(await page.evaluate('hits')).toBe(1);
  });
}

for (const kind of ['manual', 'auto'] as const) {
  const overlay = `<div id="overlay" popover="${kind}" style="inset:0;width:100vw;height:100vh;max-width:none;max-height:none;box-sizing:border-box;margin:0">Sale</div>`;

  test(`a full-screen popover (${kind}) of the page does not hide the chat`, async ({ page }) => {
    const chat = await visit(page, chatTag + overlay);
    await page.evaluate(() => document.getElementById('overlay')?.showPopover());
    await expect.poll(() => landings(chat)).toEqual([]);
    // shown once more, it is met once more
    await page.evaluate(() => document.getElementById('overlay')?.hidePopover());
    await page.evaluate(() => document.getElementById('overlay')?.showPopover());
    await expect.poll(() => landings(chat)).toEqual([]);
    expect(await page.evaluate(() => document.getElementById('overlay')?.matches(':popover-open'))).toBe(
      true,
    );
    await useByPointer(page, chat);
  });
}

test('draft, caret, text and scroll position survive a full-screen popover during an answer', async ({
  page,
}) => {
  const overlay =
    '<div id="overlay" popover="manual" style="inset:0;width:100vw;height:100vh;max-width:none;max-height:none;box-sizing:border-box;margin:0"></div>';
  const chat = await visit(page, chatTag + overlay);
  await chat.open();
  await chat.say('Tell me slowly');
  await expect.poll(() => chat.lastAnswer()).toContain('Line 20');
  await chat.composer.fill('A draft that must stay');
  await chat.composer.evaluate((input: HTMLTextAreaElement) => input.setSelectionRange(2, 7));
  const scroller = chat.element.locator('agent-chat-transcript .scroller');
  await scroller.hover();
  await page.mouse.wheel(0, -200);
  const place = (): Promise<number> => scroller.evaluate(({ scrollTop }) => scrollTop);
  let top = -1;
  await expect
    .poll(async () => {
      const before = top;
      top = await place();
      return top === before;
    })
    .toBe(true);
  await page.evaluate(() => document.getElementById('overlay')?.showPopover());
  await expect.poll(() => landings(chat)).toEqual([]);
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue('A draft that must stay');
  expect(
    await chat.composer.evaluate((input: HTMLTextAreaElement) => [input.selectionStart, input.selectionEnd]),
  ).toEqual([2, 7]);
  expect(await place()).toBe(top);
  await expect.poll(() => chat.lastAnswer(), { timeout: 20_000 }).toContain('Line 40');
  expect(await place()).toBe(top);
});

test('a small popover of the page, a menu or a hint, stays above the chat', async ({ page }) => {
  const menu =
    '<div id="menu" popover style="inset:auto 60px 300px auto;width:200px;height:120px;margin:0">Menu</div>';
  const chat = await visit(page, chatTag + menu);
  await chat.open();
  await page.evaluate(() => document.getElementById('menu')?.showPopover());
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  const met = await page.evaluate(() => {
    const { left, top } = document.getElementById('menu')?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return document.elementFromPoint(left + 20, top + 20)?.id;
  });
  expect(met).toBe('menu');
});

test('a page in full screen keeps its chat', async ({ page }) => {
  const chat = await visit(page, chatTag);
  await page.evaluate(() => document.documentElement.requestFullscreen());
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  expect(await landings(chat)).toEqual([]);
});

test('an engine without popovers shows the chat by z-index', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
      Reflect.deleteProperty(HTMLElement.prototype, name);
  });
  const chat = await visit(page, `<p style="height:3000px">Strings</p>${chatTag}`);
  const box = await chat.launcher.boundingBox();
  expect([Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)]).toEqual([1000 - 76, 760 - 76]);
  await useByPointer(page, chat);
});

test('the wheel over a floating chat never scrolls the page; in place it chains to the page', async ({
  page,
}) => {
  const chat = await visit(page, `<p style="height:3000px">Strings</p>${chatTag}`);
  await chat.open();
  const scrolledBy = async (part: string): Promise<number> => {
    await chat.element.locator(part).first().hover();
    await page.mouse.wheel(0, 120);
    // a wheel takes its frames; one that goes nowhere cannot be waited for otherwise
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    const by = await page.evaluate(() => scrollY);
    await page.evaluate(() => scrollTo(0, 0));
    return by;
  };
  for (const formType of ['float', 'fullscreen-overlay']) {
    await chat.evaluate((host, type) => host.setAttribute('form-type', type), formType);
    for (const part of ['agent-chat-header', 'agent-chat-transcript', 'agent-chat-composer textarea'])
      expect(await scrolledBy(part), `${formType} ${part}`).toBe(0);
  }
  await chat.evaluate((host) => {
    host.setAttribute('form-type', 'custom');
    document.body.prepend(host);
  });
  for (const part of ['agent-chat-header', 'agent-chat-transcript', 'agent-chat-composer textarea'])
    expect(await scrolledBy(part), `in place ${part}`).toBeGreaterThan(50);
});
