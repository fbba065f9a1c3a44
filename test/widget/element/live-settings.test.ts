import { expect, test, type Page } from '@playwright/test';
import { keyOfAttribute } from '../../src/widget/config/config-table.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';

/** How often each setting changes during the answer; `CHANGES=50` is the long run. */
const count = Number(process.env['CHANGES'] ?? 6);

/** Values each attribute is changed to and fro while an answer streams. */
const changes: Record<string, readonly string[]> = {
  'agent-id': ['a', 'b'],
  'environment-id': ['draft', 'live'],
  version: ['1', '2'],
  token: ['t', 'u'],
  'token-url': ['/token-a', '/token-b'],
  'primary-color': ['#123456', '#fedcba', 'rebeccapurple'],
  'second-color': ['#eeffee', '#222'],
  'accent-color': ['#ff0000', 'hsl(120 60% 40%)'],
  theme: ['dark', 'light', 'auto'],
  'enable-text-streaming': ['false', 'true'],
  'form-type': ['fullscreen-overlay', 'custom', 'float'],
  'container-id': ['one', 'two', 'three'],
  width: ['420px', '380px'],
  height: ['560px', '600px'],
  heading: ['Harbour Help', 'Harbour'],
  placeholder: ['Ask away', 'Write'],
  welcome: ['Hello', 'Good day'],
  lang: ['de', 'ar', 'en'],
  dir: ['rtl', 'ltr'],
  storage: ['none', 'session', 'local'],
  'product-path': ['hub', 'hub2', 'hub'],
  'identifier-prefix': ['svc_', 'wx_', 'svc_'],
  'form-submit': ['callback', 'run'],
  announce: ['quiet', 'sentence', 'answer'],
  notifications: ['off', 'on'],
  sound: ['on', 'off'],
  preload: ['eager', 'none'],
  preview: ['true', 'false'],
  'base-url': ['/', '/other/', '/'],
  'live-config': ['true', 'false'],
  open: ['', 'true'],
};
/** Values of the properties that are no attributes, as the page's own script sets them. */
const properties = `{
  tokenProvider: [() => 't', async () => 'u'],
  layout: [{ primary_color: '#123456', theme: 'dark' }, { accent_color: 'teal', theme: 'light' }, undefined],
  messageDefaults: [{ assistant_id: 'x' }, undefined],
  header: [{ subtitle: 'Answers in seconds' }, { disclaimer: '' }, undefined],
  strings: [{ 'composer.label': 'Message' }, { 'header.close': 'Shut' }, undefined],
  starters: [[{ title: 'Berths' }], [{ title: 'Tides' }, { title: 'Prices' }], []],
  mentionables: [[{ id: '1', name: 'Ada' }], []],
  uploadDocument: [async () => 'a', undefined],
  feedbackReasons: [['Wrong'], ['Slow', 'Rude'], undefined],
  allowedOrigins: [{ images: ['https://example.com'] }, undefined],
  renderers: [{ map: () => document.createElement('b') }, undefined],
  fetch: [(...asked) => fetch(...asked), undefined],
  llmParams: [{ temperature: 1 }, undefined],
  guardrails: [{}, undefined],
  context: [{ a: 1 }, undefined],
  contextVariables: [{ b: 1 }, undefined],
  additionalParameters: [{ c: 1 }, undefined],
}`;
/** These change how lines break or where the panel stands: there the line being read must stay in view. */
const reflows = new Set(['form-type', 'container-id', 'width', 'height', 'dir', 'lang', 'heading']);

const paragraphs = Array.from(
  { length: 30 },
  (_none, index) => `Paragraph ${index + 1}: every berth at the inner pier can be reached at any tide.\n\n`,
);
test.describe.configure({ mode: 'parallel' });
let server: PageServer;
/** One tab for all settings; each loads the page anew, with nothing stored. */
let page: Page;
const faults: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await PageServer.start();
  server.answer = async (request, response, body) => {
    if (request.url?.includes('/token-')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"t"}');
      return true;
    }
    if (request.method === 'GET' && /embed/.test(request.url ?? '')) {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"layout":{"primary_color":"#204060","theme":"dark"},"is_live":true}');
      return true;
    }
    if (!request.url?.endsWith('/runs/stream')) return false;
    const prefix = `${Date.now()}`;
    const events = plainTurn(paragraphs).map((event, index) => ({ ...event, id: `${prefix}-${index}` }));
    // the first answer comes at once; the second while the settings change
    await sendEvents(response, framings['real SSE'], events, body.includes('Second') ? 1.5 * count : 0);
    return true;
  };
  server.pages.set('/', {
    html:
      '<!doctype html><html lang="en"><title>Host</title><body><script>localStorage.clear(); sessionStorage.clear(); values = ' +
      properties +
      '</script><div id="one"></div><div id="two"></div><div id="three"></div><agent-chat agent-id="a" token="t"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
  page = await browser.newPage();
  page.on('pageerror', (fault) => faults.push(fault.message));
});
test.afterAll(async () => {
  await page.close();
  await server.close();
});

/** The chat of a page just loaded, for a visitor who comes for the first time. */
async function visit(): Promise<ChatPage> {
  faults.length = 0;
  await page.goto(server.origin);
  return new ChatPage(page);
}

test('the open attribute goes with hide(), so that setting it anew opens', async () => {
  const chat = await visit();
  const states = await chat.evaluate(async (host) => {
    const states: unknown[] = [];
    const note = (): unknown => states.push([host.open, host.hasAttribute('open')]);
    host.toggleAttribute('open', true);
    note();
    await host.hide();
    note();
    host.toggleAttribute('open', true);
    note();
    return states;
  }, null);
  expect(states).toEqual([
    [true, true],
    [false, false],
    [true, true],
  ]);
});

const ofProperties = [...properties.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => [name ?? '', null] as const);
for (const [name, values] of [...Object.entries(changes), ...ofProperties]) {
  test(`${name} changes at random moments during an answer and nothing of the visitor’s is lost`, async () => {
    const chat = await visit();
    await chat.open();
    await chat.say('First');
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    const lost = await chat.evaluate(
      async (host, given) => {
        const panel = host.shadowRoot?.querySelector('agent-chat-panel')?.shadowRoot;
        const composer = panel?.querySelector('agent-chat-composer')?.shadowRoot;
        const input = composer?.querySelector('textarea');
        const transcript = panel?.querySelector('agent-chat-transcript')?.shadowRoot;
        const scroller = transcript?.querySelector<HTMLElement>('.scroller');
        const turn = transcript?.querySelector('agent-chat-turn')?.shadowRoot;
        const markdown = turn?.querySelector('agent-chat-markdown');
        const read = (markdown?.shadowRoot ?? markdown)?.querySelectorAll('p')[10];
        if (!input || !scroller || !read) throw new Error('the panel is not as this test knows it');
        const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
        let seed = 7;
        const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
        const focused = (): Element | null => {
          let element = document.activeElement;
          while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          return element;
        };
        const answered = host.send('Second');
        // a new turn is gone to when it begins; only then does the reader go back
        const second = (): Element | undefined => transcript?.querySelectorAll('agent-chat-turn')[1];
        while (!second()?.shadowRoot?.querySelector('agent-chat-markdown')) await frame();
        input.focus();
        input.value = 'A draft that must stay';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.setSelectionRange(2, 7);
        await frame();
        read.scrollIntoView({ block: 'center' });
        await frame();
        await frame();
        const top = scroller.scrollTop;
        const words = read.textContent;
        const problems = new Set<string>();
        const check = (what: string, holds: boolean): void => {
          if (!holds) problems.add(what);
        };
        let selection: Selection | null = null;
        const { values: valuesOfProperties } = globalThis as unknown as {
          values: Record<string, readonly unknown[]>;
        }; // the page's script made them
        const values = given.values ?? valuesOfProperties[given.name] ?? [];
        const middle = Math.floor(given.count / 2);
        for (let changed = 0; changed < given.count; changed += 1) {
          if (changed === middle) {
            scroller.focus({ preventScroll: true });
            selection = getSelection();
            selection?.setBaseAndExtent(read.firstChild ?? read, 3, read.firstChild ?? read, 12);
          }
          const value = values[changed % values.length];
          if (given.values) host.setAttribute(given.name, String(value));
          else Reflect.set(host, given.name, value);
          for (let wait = Math.floor(random() * 2); wait >= 0; wait -= 1) await frame();
          check('draft', input.value === 'A draft that must stay' && input.isConnected);
          check('words', read.isConnected && read.textContent === words);
          if (changed < middle) {
            check('focus', focused() === input);
            check('caret', input.selectionStart === 2 && input.selectionEnd === 7);
          } else {
            check('selection', selection?.anchorOffset === 3 && selection.focusOffset === 12);
            check('focus on the transcript', focused() === scroller);
          }
          const isInView = (): boolean => {
            const line = read.getBoundingClientRect();
            const view = scroller.getBoundingClientRect();
            return line.bottom > view.top && line.top < view.bottom;
          };
          // a callback of a frame runs before that frame is laid out, and a loaded machine takes a frame more
          for (let tries = 0; given.reflows && tries < 8 && !isInView(); tries += 1) await frame();
          if (given.reflows) check('line in view', isInView());
          else check('scroll', Math.abs(scroller.scrollTop - top) < 2);
        }
        await answered;
        await frame();
        const whole = JSON.parse(await host.exportTranscript('json')) as { messages: { text: string }[] };
        check('answer', whole.messages.at(-1)?.text === given.answer);
        return [...problems];
      },
      { name, values, count, reflows: reflows.has(name), answer: paragraphs.join('') },
    );
    expect(lost).toEqual([]);
    expect(faults).toEqual([]);
  });
}

test('switching is-live off closes politely, and on again brings the conversation back', async () => {
  const chat = await visit();
  await chat.open();
  await chat.say('First');
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 3');
  await chat.evaluate((host) => host.setAttribute('is-live', 'false'));
  await expect(chat.launcher).toHaveCount(0);
  await expect(chat.panel).toHaveCount(0);
  await chat.evaluate((host) => host.setAttribute('is-live', 'true'));
  await expect(chat.panel).toBeVisible();
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 30');
});

for (const [attribute, value] of [
  ['thread-id', '0c9ac1c2-0000-4000-8000-00000000000a'],
  ['visitor', 'somebody-else'],
] as const) {
  test(`another ${attribute} during an answer takes its words away, never the panel, the caret or what is asked next`, async () => {
    const chat = await visit();
    await chat.open();
    await chat.say('Second');
    await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 3');
    await chat.composer.fill('A draft');
    await chat.evaluate((host, given) => host.setAttribute(given.attribute, given.value), {
      attribute,
      value,
    });
    await expect.poll(() => chat.evaluate((host) => host.conversation?.messages.length)).toBe(0);
    await expect(chat.element.locator('agent-chat-turn')).toHaveCount(0);
    // what one visitor wrote is not shown to another; it is the same one in another thread
    await expect(chat.composer).toHaveValue(attribute === 'visitor' ? '' : 'A draft');
    await expect(chat.composer).toBeFocused();
    await chat.say('First');
    await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 30');
    await expect(chat.element.locator('agent-chat-turn')).toHaveCount(1);
  });
}

test('no attribute is left out here', () => {
  // `replay` is another service altogether: it has a test of its own
  const others = ['is-live', 'thread-id', 'visitor', 'replay'];
  expect([...Object.keys(changes), ...others].sort()).toEqual([...keyOfAttribute.keys()].sort());
});
