import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, sendEvents } from '../tools/page-server.ts';
import { richTable, richText, richTurn } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;

test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    await sendEvents(
      response,
      framings['real SSE'],
      richTurn(richText + richTable + richText),
      body.includes('A first one') ? 1 : 14,
    );
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});
test.afterAll(() => server.close());

/** What was seen in one frame. */
interface Frame {
  readonly top: number;
  readonly height: number;
  readonly view: number;
  /** Of each finished block, by its number: how far it is from the top of the window, and of the content. */
  readonly lines: Readonly<Record<string, readonly [number, number]>>;
}

/** Samples every frame from now on: the newest turn's prompt, and every block of its answer but the last, which grows. */
function watch(chat: ChatPage): Promise<void> {
  return chat.evaluate((host) => {
    const transcript = host.shadowRoot
      ?.querySelector('agent-chat-panel')
      ?.shadowRoot?.querySelector('agent-chat-transcript')?.shadowRoot;
    const scroller = transcript?.querySelector('.scroller');
    const content = transcript?.querySelector('.content');
    if (!transcript || !scroller || !content) throw new Error('the panel is not as this test knows it');
    const frames: unknown[] = [];
    Reflect.set(globalThis, 'sampled', frames);
    const sample = (): void => {
      requestAnimationFrame(sample);
      const turn = [...transcript.querySelectorAll('agent-chat-turn')].at(-1);
      // what comes up into its place is no line that is read yet
      if (!turn?.shadowRoot || turn.shadowRoot.getAnimations().length > 0) return;
      const markdown = turn.shadowRoot.querySelector('agent-chat-markdown');
      const blocks = [...((markdown?.shadowRoot ?? markdown)?.querySelectorAll('*') ?? [])].filter((each) =>
        each.matches('p, li, h2, h3, h4, pre, tr, blockquote, hr'),
      );
      const parts = [turn.shadowRoot.querySelector('agent-chat-visitor-message'), ...blocks.slice(0, -1)];
      const start = content.getBoundingClientRect().top;
      const lines: Record<string, readonly [number, number]> = {};
      parts.forEach((part, index) => {
        const top = part?.getBoundingClientRect().top ?? 0;
        lines[index] = [top, top - start];
      });
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      frames.push({ top: scrollTop, height: scrollHeight, view: clientHeight, lines });
    };
    sample();
  });
}

const seen = (page: Page): Promise<Frame[]> =>
  page.evaluate(() => Reflect.get(globalThis, 'sampled') as Frame[]);

/** Lines that did not stay where they were, counted from the top of the window (0) or of the content (1). */
function moved(frames: readonly Frame[], from: 0 | 1): string[] {
  const places = new Map<string, number[]>();
  for (const { lines } of frames) {
    for (const [line, place] of Object.entries(lines)) {
      places.set(line, [...(places.get(line) ?? []), place[from]]);
    }
  }
  expect(places.size).toBeGreaterThan(5);
  // a place between two pixels may be told as either
  return [...places]
    .filter(([, all]) => Math.max(...all) - Math.min(...all) > 0.75)
    .map(([line, all]) => `${line}: ${[...new Set(all)].join(', ')}`);
}

async function ask(page: Page, question: string): Promise<ChatPage> {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('A first one, so that there is something above');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say(question);
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(2);
  return chat;
}

test('no line below the question moves until the view is full; then all lines move up by the added height', async ({
  page,
}) => {
  const chat = await ask(page, 'What should I know?');
  await expect.poll(() => chat.lastAnswer()).toContain('Before');
  await watch(chat);
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2, { timeout: 30_000 });
  const frames = await seen(page);
  expect(moved(frames, 1)).toEqual([]);
  const full = frames.findIndex(({ height }) => height > (frames[0]?.height ?? 0) + 1);
  expect(full).toBeGreaterThan(4);
  expect(frames.length - full).toBeGreaterThan(4);
  expect(moved(frames.slice(0, full), 0)).toEqual([]);
  for (const [index, { top, height }] of frames.entries()) {
    const [earlier, before] = [frames[index - 3], frames[index - 1]];
    if (!earlier || !before) continue;
    expect(top, `frame ${index}`).toBeGreaterThanOrEqual(before.top - 1);
    // the view follows what was added one frame later, two on a busy machine
    expect(top - before.top, `frame ${index}`).toBeLessThanOrEqual(height - earlier.height + 1);
  }
});

for (const until of ['Call the lock', 'Paragraph 2']) {
  test(`for a reader who scrolled up after “${until}” no line moves while text is added below`, async ({
    page,
  }) => {
    const chat = await ask(page, 'What should I know?');
    await expect.poll(() => chat.lastAnswer()).toContain(until);
    await chat.element.locator('agent-chat-transcript .scroller').hover();
    await page.mouse.wheel(0, -160);
    // the wheel has been turned when two frames show the same place
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    await watch(chat);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2, { timeout: 30_000 });
    const frames = await seen(page);
    expect(frames.length).toBeGreaterThan(10);
    expect(moved(frames, 0)).toEqual([]);
    expect(new Set(frames.map(({ top }) => Math.round(top))).size).toBe(1);
  });
}
