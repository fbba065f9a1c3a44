import { expect } from '@playwright/test';
import { partDescriptions } from '../../src/widget/theme/part-descriptions.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, PageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let host: PageServer;

/** An answer with Markdown (link, code, table, image), a citation and a form. */
const markdown =
  'A [link](https://harbour.example/tides), `words` and\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n' +
  '![A boat](https://elsewhere.example/boat.png)';
const form = {
  response_type: 'forms',
  id: 'form',
  json_schema: { title: 'A berth', type: 'object', properties: { boat: { type: 'string', title: 'Boat' } } },
};
const search = {
  response_type: 'conversational_search',
  id: 'search',
  text: 'High water is at noon.',
  citations: [
    { title: 'Tides', text: 'Noon.', url: 'https://harbour.example/t', ranges: [{ start: 0, end: 22 }] },
  ],
};

test.beforeAll(async () => {
  host = await PageServer.start();
  host.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn([markdown]).map((event, index) => {
      const { message } = event.data as { message?: { content: unknown[] } };
      const data = message
        ? { ...event.data, message: { ...message, content: [...message.content, search, form] } }
        : event.data;
      return { ...event, data, id: `${Date.now()}-${index}` };
    });
    await sendEvents(response, framings['real SSE'], events, 5);
    return true;
  };
});
test.afterAll(() => host.close());

function pageWith(css: string): string {
  return `<!doctype html><html lang="en"><title>x</title><style>${css}</style>
    <body><agent-chat agent-id="x" token="t" storage="none"></agent-chat><script src="/agent-chat.js"></script>`;
}

test('::part selects content of an answer, in Markdown and in items', async ({ page }) => {
  const names = Object.keys(partDescriptions);
  const rules = names.map((name) => `agent-chat::part(${name}) { scroll-margin-top: 77px }`);
  host.pages.set('/parts', { html: pageWith(rules.join('\n')) });
  await page.goto(`${host.origin}/parts`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('hello');
  await expect(chat.element.locator('agent-chat-form form')).toBeVisible();
  await expect(chat.element.locator('agent-chat-citation-mark button')).toBeVisible();
  const { reached, missed } = await chat.evaluate((element) => {
    const found = { reached: [] as string[], missed: [] as string[] };
    const walk = (root: ParentNode): void => {
      for (const each of root.querySelectorAll('*')) {
        const isReached = getComputedStyle(each).scrollMarginTop === '77px';
        for (const name of each.part) found[isReached ? 'reached' : 'missed'].push(name);
        if (each.shadowRoot) walk(each.shadowRoot);
      }
    };
    if (element.shadowRoot) walk(element.shadowRoot);
    return found;
  });
  expect(missed).toEqual([]);
  for (const name of ['link', 'code', 'table', 'table-scroller', 'media-load', 'citation-mark'])
    expect(reached).toContain(name);
  expect(reached).toContain('form-title');
});

test('the page’s font is used only if the font token requests it', async ({ page }) => {
  const typefaces: string[][] = [];
  for (const css of ['', 'agent-chat { --agent-chat-font: inherit, sans-serif }']) {
    host.pages.set('/typeface', { html: pageWith(`body { font: italic 30px/3 fantasy } ${css}`) });
    await page.goto(`${host.origin}/typeface`);
    const chat = new ChatPage(page);
    await chat.open();
    await chat.say('hello');
    const mark = chat.element.locator('agent-chat-citation-mark button');
    await expect(mark).toBeVisible();
    const text = chat.element.locator('agent-chat-markdown p').first();
    const places = [chat.launcher, chat.composer, text, mark].map((place) =>
      place.evaluate((element) => {
        const { fontFamily, fontSize, fontStyle } = getComputedStyle(element);
        return `${fontFamily.split(',')[0] ?? ''} ${fontSize} ${fontStyle}`;
      }),
    );
    typefaces.push(await Promise.all(places));
  }
  const [ownFace = [], pageFace] = typefaces;
  expect(ownFace.map((place) => place.split(' ')[0])).toEqual(Array(4).fill('system-ui'));
  expect(pageFace).toEqual(ownFace.map((place) => place.replace('system-ui', 'fantasy')));
});
