import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

// What other scripts of a page have changed, and what they listen to.

const server = pageServer(test);

test.beforeAll(async () => {
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn(['Ahoy, ', 'visitor.']));
    return true;
  };
});

/** A page whose own script ran first. Gathers what it threw and what the widget complained of. */
async function visit(page: Page, script: string): Promise<{ chat: ChatPage; faults: string[] }> {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(fault.message));
  page.on('console', (entry) => {
    if (entry.text().startsWith('agent-chat:')) faults.push(entry.text());
  });
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><head><title>Host</title><script>${script}</script></head><body>
      <button id="before">Before</button>
      <script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>`,
  });
  await page.goto(server.origin);
  return { chat: new ChatPage(page), faults };
}

test('with a patched Promise (zone.js) an opened chat has focus in the composer at once', async ({
  page,
}) => {
  const { chat, faults } = await visit(
    page,
    `globalThis.Promise = class extends Promise {
       then(good, bad) { return super.then(good && ((value) => good(value)), bad && ((cause) => bad(cause))); }
     };`,
  );
  await chat.launcher.click();
  await expect(chat.composer).toBeFocused();
  await chat.evaluate((host) => Promise.all([host.hide(), host.focusComposer()]));
  expect(faults).toEqual([]);
});

test('properties that a page adds to Object.prototype keep no module of the chat from loading', async ({
  page,
}) => {
  const { chat, faults } = await visit(page, `Object.prototype.shop = 'mine';`);
  await chat.open();
  await chat.say('Hello');
  await expect(chat.element.locator('agent-chat-turn-actions button').first()).toBeVisible();
  expect(await chat.lastAnswer()).toBe('Ahoy, visitor.');
  expect(faults).toEqual([]);
});

/** What Prototype.js puts in place of the language's own, as it stands there. */
const prototypeScript = `
  Array.prototype.entries = Array.prototype.toArray = function () { return [].slice.call(this); };
  Array.from = function (iterable) {
    if (!iterable) return [];
    if ('toArray' in Object(iterable)) return iterable.toArray();
    var length = iterable.length || 0, results = new Array(length);
    while (length--) results[length] = iterable[length];
    return results;
  };`;

test('with Prototype.js, which replaces entries() and Array.from(), an answer is complete', async ({
  page,
}) => {
  const { chat, faults } = await visit(page, prototypeScript);
  await chat.open();
  await chat.say('Hello');
  await expect(chat.element.locator('agent-chat-turn-actions button').first()).toBeVisible();
  expect(await chat.lastAnswer()).toBe('Ahoy, visitor.');
  expect(faults).toEqual([]);
});

test('the chat works without media queries, sizes and popovers, as in jsdom', async ({ page }) => {
  const { chat, faults } = await visit(
    page,
    `delete globalThis.matchMedia; delete globalThis.ResizeObserver; delete globalThis.visualViewport;
     delete HTMLElement.prototype.showPopover; delete globalThis.CSS;`,
  );
  await expect(chat.launcher).toBeVisible();
  await chat.evaluate((host) => host.show());
  await chat.evaluate((host) => host.send('Hello'));
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  await chat.evaluate((host) => host.remove());
  expect(faults).toEqual([]);
});

test('the panel opens and closes without a visual viewport, as in happy-dom', async ({ page }) => {
  const { chat, faults } = await visit(page, `delete globalThis.visualViewport;`);
  await chat.open();
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  await chat.evaluate((host) => host.remove());
  expect(faults).toEqual([]);
});

/** A page with shortcuts, as many have them: it looks whether the key was meant for a field. */
const shortcuts = `heard = [];
  addEventListener('keydown', (event) => {
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    heard.push((event.ctrlKey ? 'Ctrl+' : '') + event.key);
    if (/^([/?k]|Arrow.*|Backspace)$/.test(event.key)) event.preventDefault();
  });
  addEventListener('keyup', (event) => heard.push(event.key + ' up'));`;
const heard = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(globalThis, 'heard'));

test('typing in the chat triggers no shortcut of the page; elsewhere in the chat they work', async ({
  page,
}) => {
  const { chat } = await visit(page, shortcuts);
  await chat.open();
  await page.keyboard.type('/k??');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('a');
  await expect(chat.composer).toHaveValue('/ka?');
  expect(await heard(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  expect(await heard(page)).toEqual(expect.arrayContaining(['Ctrl+k']));
  await chat.element.getByRole('button', { name: 'Close', exact: true }).focus();
  await page.keyboard.press('/');
  expect(await heard(page)).toEqual(expect.arrayContaining(['/', '/ up']));
});

test('a chat from a tag in the head stays when the page swaps its body, unless the page removed it', async ({
  page,
}) => {
  const { chat, faults } = await visit(page, '');
  await chat.open();
  await chat.say('Hello');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.composer.fill('A draft');
  const swap = (html: string): Promise<void> =>
    page.evaluate((inside) => {
      const body = document.createElement('body');
      body.innerHTML = inside;
      document.body.replaceWith(body);
    }, html);
  // the second has the copy of a body that was kept, the third an element of its own
  for (const html of ['<p>Next</p>', '<agent-chat></agent-chat>']) {
    await swap(html);
    await expect(page.locator('agent-chat')).toHaveCount(1);
    await expect(chat.composer).toHaveValue('A draft');
    await expect(chat.panel).toBeVisible();
    await expect(chat.composer).toBeFocused(); // for whoever is typing meanwhile
    expect(await chat.lastAnswer()).toBe('Ahoy, visitor.');
  }
  await swap('<agent-chat agent-id="b" is-live="false"></agent-chat>');
  await expect(chat.element).toHaveJSProperty('agentId', 'b');
  await expect(page.locator('agent-chat')).toHaveCount(1);
  await swap('<p>Next</p>');
  await expect(chat.composer).toHaveValue('A draft');
  await chat.evaluate((host) => host.remove());
  await swap('<p>Last</p>');
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.locator('agent-chat')).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('a chat from a tag stays when the body’s children are swapped at once, one by one, or morphed', async ({
  page,
}) => {
  const { chat, faults } = await visit(page, '');
  await chat.open();
  await chat.composer.fill('A draft');
  const kept = async (): Promise<void> => {
    await expect(page.locator('agent-chat')).toHaveCount(1);
    await expect(chat.composer).toHaveValue('A draft');
    await expect(chat.panel).toBeVisible();
  };
  await page.evaluate(() => {
    document.body.innerHTML = '<h1>Next</h1><p>At once</p>';
  });
  await kept();
  // as htmx does: the new stands before the old, which goes one by one, the first of it last
  await page.evaluate(() => {
    const [first, ...others] = document.body.childNodes;
    document.body.prepend(document.createElement('main'));
    for (const part of others) part.remove();
    first?.remove();
  });
  await kept();
  // as Turbo does where a page is morphed: what the next page does not have goes, but for what says that it stays
  await page.evaluate(() => {
    for (const part of document.body.querySelectorAll(':scope > :not([data-turbo-permanent])')) part.remove();
    document.body.prepend(document.createElement('main'));
  });
  await kept();
  await page.evaluate(() => document.body.prepend(document.createElement('nav')));
  await chat.evaluate((host) => {
    document.querySelector('main')?.remove();
    host.remove();
    document.body.append('More');
  });
  await page.evaluate(() => {
    document.body.innerHTML = '<p>Last</p>';
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.locator('agent-chat')).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('an open chat that is part of each page takes no focus when a link swaps the page', async ({ page }) => {
  const inside = '<button id="link">Next</button><agent-chat agent-id="a" token="t"></agent-chat>';
  server.pages.set('/parts', {
    html: `<!doctype html><html lang="en"><head><title>Host</title><script async src="/agent-chat.js"></script></head>
      <body>${inside}</body></html>`,
  });
  await page.goto(`${server.origin}/parts`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  await page.evaluate((html) => {
    document.querySelector('#link')?.addEventListener('click', () => (document.body.innerHTML = html));
  }, inside);
  await page.click('#link');
  await expect(chat.panel).toBeVisible();
  expect(await chat.lastAnswer()).toBe('Ahoy, visitor.');
  await expect(chat.element).not.toBeFocused();
});

test('a chat that a library takes through the document of the next page keeps its looks', async ({
  page,
}) => {
  const { chat, faults } = await visit(page, '');
  await chat.open();
  await chat.say('Hello');
  await expect.poll(() => chat.lastAnswer()).toBe('Ahoy, visitor.');
  const looks = (): Promise<unknown> =>
    chat.panel.evaluate((panel) => {
      const { width, borderRadius, boxShadow } = getComputedStyle(panel);
      return { width, borderRadius, boxShadow };
    });
  const before = await looks();
  const launcher = await chat.launcherColour();
  // as Unpoly does with [up-keep]
  await chat.element.evaluate((element) => {
    const next = document.implementation.createHTMLDocument();
    next.body.append(element);
    document.body.append(element);
  });
  await expect.poll(looks).toEqual(before);
  expect(await chat.launcherColour()).toEqual(launcher);
  expect(faults).toEqual([]);
});
