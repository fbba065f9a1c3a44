import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);

const host = (script: string): string => `<!doctype html><html lang="en"><title>Host</title>
  <style>body { margin: 0; font: 16px serif; color: #123; } p { margin: 12px 0; height: 300px; }</style>
  <body class="shop"><main id="content"><h1>A shop</h1>${'<p>Some words of the page.</p>'.repeat(10)}</main>
  ${script}</body></html>`;

test.beforeAll(async () => {
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(['An answer.\n\n', 'With two paragraphs.']).map((event, index) => ({
      ...event,
      id: `${Date.now()}-${index}`,
    }));
    await sendEvents(response, framings['real SSE'], events, 5);
    return true;
  };
  server.pages.set('/without', { html: host('') });
});

/** Everything on the page that the widget must not touch. */
function pageAsItIs(page: Page) {
  return page.evaluate(() => {
    const mine = [...document.querySelectorAll('html, head, head *, body, body *')].filter(
      (element) => !element.closest('agent-chat, script'),
    );
    /** What others may call on the page: a widget that patches a prototype changes one of these. */
    const prototypes = [Object, Array, Function, String, Promise, Element, HTMLElement, Node, Event, History];
    const methods = prototypes.flatMap(({ name, prototype }) =>
      Reflect.ownKeys(prototype as object).map((key) => {
        const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, key) ?? {};
        const code = [value, get, set].map((each) =>
          typeof each === 'function' ? String(each) : typeof each,
        );
        return `${name}.${String(key)} ${code.join(' ')}`;
      }),
    );
    return {
      attributes: mine.map((element) =>
        [element.localName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`)].join(
          ' ',
        ),
      ),
      styles: mine.map((element) => {
        const style = getComputedStyle(element);
        return [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
      }),
      places: mine.map((element) => JSON.stringify(element.getBoundingClientRect())),
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      globals: Object.getOwnPropertyNames(globalThis)
        .filter((name) => !/^\d+$/.test(name))
        .sort(),
      ofDocument: Reflect.ownKeys(document).map(String),
      methods,
      patched: ['fetch', 'setTimeout', 'requestAnimationFrame', 'addEventListener', 'matchMedia'].filter(
        (name) => !String(Reflect.get(globalThis, name)).includes('[native code]'),
      ),
      title: document.title,
      cookie: document.cookie,
      scroll: [scrollX, scrollY],
      history: history.length,
      address: location.href,
    };
  });
}

for (const formType of ['float', 'fullscreen-overlay', 'custom']) {
  test(`the page is unchanged before, during and after the use of the chat: ${formType}`, async ({
    page,
  }) => {
    await page.goto(`${server.origin}/without`);
    // in place it needs a place; that is the page's own
    await page.evaluate(() => {
      const place = document.createElement('div');
      place.id = 'place';
      place.style.cssText = 'height:500px;margin-block-start:100px;contain:strict';
      document.body.prepend(place);
      document.cookie = 'mine=1';
      scrollTo(0, 60);
    });
    const before = await pageAsItIs(page);
    expect(before.styles.length).toBeGreaterThan(10);
    await page.evaluate((type) => {
      document
        .getElementById('place')
        ?.insertAdjacentHTML(
          'beforeend',
          `<agent-chat agent-id="a" token="t" form-type="${type}" width="100%" height="100%"></agent-chat>`,
        );
      const script = document.createElement('script');
      script.async = true;
      script.src = '/agent-chat.js';
      document.body.append(script);
    }, formType);
    const chat = new ChatPage(page);
    if (formType === 'custom') await chat.composer.waitFor();
    else await chat.launcher.waitFor();
    await expect.poll(() => page.locator('link').count()).toBe(0); // its parts have come
    expect(await pageAsItIs(page), 'when it has come').toEqual(before);
    if (formType !== 'custom') await chat.open();
    expect(await pageAsItIs(page), 'open').toEqual(before);
    await chat.composer.evaluate((input: HTMLElement) => input.focus({ preventScroll: true }));
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.lastAnswer()).not.toBe('');
    expect(await pageAsItIs(page), 'while it answers').toEqual(before);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('F6');
    expect(await pageAsItIs(page), 'used by the keyboard').toEqual(before);
    if (formType !== 'custom') {
      await chat.element.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(chat.panel).toBeHidden();
    }
    expect(await pageAsItIs(page), 'closed').toEqual(before);
    await page.evaluate(() => {
      document.querySelector('agent-chat')?.remove();
      document.querySelector('script')?.remove();
    });
    expect(await pageAsItIs(page), 'gone').toEqual(before);
  });
}

test('a panel that opens by itself does not scroll the page', async ({ page }) => {
  server.pages.set('/open', {
    html: host(
      '<agent-chat agent-id="a" token="t" open></agent-chat><script async src="/agent-chat.js"></script>',
    ),
  });
  await page.goto(`${server.origin}/open`);
  const chat = new ChatPage(page);
  await chat.composer.waitFor();
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
});
