import { expect, type Page } from '@playwright/test';
import { clipped } from '../a11y/clipped.ts';
import { everyField } from '../a11y/every-field.ts';
import { everyItem } from '../a11y/every-item.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

// WCAG criteria that no other test covers: one conversation with everything in it, checked in many ways.
test.describe.configure({ mode: 'serial' });

const addressForm = {
  response_type: 'form',
  id: 'address',
  json_schema: {
    type: 'object',
    properties: {
      α: { type: 'string', format: 'email' },
      β: { type: 'string', format: 'uri' },
      γ: { type: 'string', format: 'date' },
      δ: { type: 'string', format: 'time' },
      ε: { type: 'number' },
      ζ: { type: 'string' },
      η: { type: 'string' },
    },
  },
  ui_schema: { ζ: { 'ui:options': { inputType: 'tel' } }, η: { 'ui:autocomplete': 'name' } },
};
const host = pageServer(test);
let page: Page;
let chat: ChatPage;

test.beforeAll(async ({ browser }) => {
  const content = [...everyItem, { ...everyField, id: 'every' }, addressForm];
  host.answer = async ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(['']).map((event) =>
      event.event === 'message.created'
        ? { ...event, data: { ...event.data, message: { role: 'assistant', content } } }
        : event,
    );
    await sendEvents(response, framings['real SSE'], events, 0);
    return true;
  };
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js"
      data-agent-id="a" data-token="t" data-storage="none"></script></body></html>`,
  });
  page = await browser.newPage();
  await page.clock.install();
  await page.addInitScript(() => {
    const listened = new Set<string>();
    Object.assign(globalThis, { listened });
    const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (...parts: Parameters<typeof add>) {
      listened.add(parts[0]);
      add.apply(this, parts);
    };
  });
  await page.goto(`${host.origin}/page.html`);
  chat = new ChatPage(page);
  await chat.open();
  await chat.say('Πότε;');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await expect(chat.element.locator('agent-chat-form form').last()).toBeVisible();
});
test.afterAll(async () => {
  await page.close();
});

/** What a visitor would notice: the URL, the messages, whether the panel is open. */
async function situation(): Promise<unknown> {
  return {
    url: page.url(),
    pages: page.context().pages().length,
    messages: await chat.evaluate((element) => element.conversation?.messages.length),
    isOpen: await chat.panel.isVisible(),
  };
}

test('the accessible name of a control contains its visible text', async () => {
  const wrong = await page.evaluate(() => {
    const found: string[] = [];
    const plain = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
    const walk = (root: ParentNode): void => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const name = plain(element.getAttribute('aria-label'));
        if (!element.matches('button, a, summary, input, select, textarea') || !name) continue;
        const visible = plain(element.matches('select, textarea') ? '' : element.innerText);
        if (visible && !name.includes(visible)) found.push(`${visible} is called ${name}`);
      }
    };
    const root = document.querySelector('agent-chat')?.shadowRoot;
    if (root) walk(root);
    return found;
  });
  expect(wrong).toEqual([]);
});

test('focus alone changes nothing, and nothing plays automatically', async () => {
  const before = await situation();
  const stops = await page.evaluate(() => {
    let count = 0;
    const playing: string[] = [];
    const walk = (root: ParentNode): void => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (element instanceof HTMLMediaElement && (element.autoplay || !element.paused))
          playing.push(element.outerHTML);
        if (element.tabIndex < 0 || element.matches(':disabled')) continue;
        element.focus();
        count += 1;
      }
    };
    const root = document.querySelector('agent-chat')?.shadowRoot;
    if (root) walk(root);
    return { count, playing };
  });
  expect(stops.count).toBeGreaterThan(60);
  expect(stops.playing).toEqual([]);
  expect(await situation()).toEqual(before);
});

test('changing a choice sends nothing', async () => {
  const before = await situation();
  await chat.element.locator('agent-chat-option select').selectOption({ index: 1 });
  await chat.element.locator('agent-chat-date input').fill('2027-01-31');
  await chat.element.locator('agent-chat-form select').first().selectOption({ index: 1 });
  expect(await situation()).toEqual(before);
});

test('releasing elsewhere cancels a press', async () => {
  await chat.composer.fill('Όχι');
  const before = await situation();
  for (const part of [chat.button, chat.element.locator('[part=close]')]) {
    const box = await part.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 8, (box?.y ?? 0) + 8);
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
  }
  expect(await situation()).toEqual(before);
  await expect(chat.composer).toHaveValue('Όχι');
});

test('nothing new appears on hover', async () => {
  const shown = (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const names = (root: ParentNode): string[] =>
        [...root.querySelectorAll('*')].flatMap((element) => [
          `${element.localName} ${element.getAttribute('part') ?? ''}`,
          ...(element.shadowRoot ? names(element.shadowRoot) : []),
        ]);
      return names(document);
    });
  const parts = ['header-button', 'close', 'send', 'action'].map((part) =>
    chat.element.locator(`[part=${part}]`).first(),
  );
  // the answer's announcement is removed some seconds after it was made
  await page.clock.runFor(10_000);
  await expect(chat.element.locator('agent-chat-panel [aria-live=polite]')).toBeEmpty();
  const before = await shown();
  for (const part of parts) await part.hover();
  expect(await shown()).toEqual(before);
});

test('no image replaces text: icons are hidden and contain no letters', async () => {
  const wrong = await page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        const isIcon = element.localName === 'svg';
        if (isIcon && (!element.closest('[aria-hidden=true]') || element.querySelector('text')))
          found.push(element.outerHTML);
        if (element.localName === 'canvas' || /url\(/.test(getComputedStyle(element).backgroundImage))
          found.push(element.outerHTML);
      }
    };
    const root = document.querySelector('agent-chat')?.shadowRoot;
    if (root) walk(root);
    return found;
  });
  expect(wrong).toEqual([]);
});

test('everything is unchanged after a day away', async () => {
  await chat.composer.fill('Ένα σχέδιο');
  const field = chat.element.locator('agent-chat-form input[type=text]').first();
  await field.fill('Μαρία');
  const before = await situation();
  await page.clock.fastForward('24:00:00');
  await expect(chat.composer).toHaveValue('Ένα σχέδιο');
  await expect(field).toHaveValue('Μαρία');
  expect(await situation()).toEqual(before);
});

test('increased text spacing cuts off nothing, wide and narrow', async () => {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-block-end: 2em !important }`,
    );
    const walk = (root: Document | ShadowRoot): void => {
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) walk(shadowRoot);
    };
    walk(document);
  });
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await clipped(page)).toEqual([]);
  }
});

test('a small phone in landscape shows everything', async () => {
  for (const [width, height] of [
    [320, 568],
    [568, 320],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const part of [chat.composer, chat.button, chat.element.locator('[part=close]')])
      await expect(part).toBeInViewport({ ratio: 1 });
    const log = await chat.element.getByRole('log').boundingBox();
    expect(log?.height ?? 0).toBeGreaterThan(60);
  }
});

test('nothing depends on the motion or orientation of the device', async () => {
  const listened = await page.evaluate(() => [
    ...(globalThis as unknown as { listened: Set<string> }).listened, // put there above
  ]);
  expect(listened).toContain('keydown');
  // a wheel is listened to only so that the page behind stays where it is
  expect(listened.filter((type) => /^device|^orientation|^touchmove/.test(type))).toEqual([]);
});

test('form fields have autocomplete for the browser', async () => {
  const fields = await chat.element
    .locator('agent-chat-form')
    .last()
    .locator('input')
    .evaluateAll((inputs) =>
      inputs.map(
        (input) => (input as HTMLInputElement).type + ' ' + (input as HTMLInputElement).autocomplete,
      ),
    );
  expect(fields).toEqual(['email email', 'url ', 'date ', 'time ', 'number ', 'tel tel', 'text name']);
});
