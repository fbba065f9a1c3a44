import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { wrongLayout } from '../tools/one-scroller.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;
let pieces: string[] = ['A short answer.'];

test.beforeAll(async () => {
  server = await PageServer.start();
  server.answer = async (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const events = plainTurn(pieces).map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
    await sendEvents(response, framings['real SSE'], events, 0);
    return true;
  };
});
test.afterAll(() => server.close());
test.beforeEach(() => {
  pieces = ['A short answer.'];
});

interface Place {
  readonly width: number;
  readonly height: number;
  readonly attributes?: string;
  /** Around the element. */
  readonly box?: string;
  readonly head?: string;
}

async function visit(page: Page, { width, height, attributes = '', box = '', head = '' }: Place) {
  await page.setViewportSize({ width, height });
  server.pages.set('/', {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>${head}
      <body style="margin:0"><div style="${box}"><agent-chat agent-id="a" token="t" storage="none" ${attributes}></agent-chat></div>
      <script async src="/agent-chat.js"></script></body></html>`,
  });
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  if (!attributes.includes('custom')) await chat.open();
  await chat.composer.waitFor();
  // what grows in has arrived
  await chat.panel.evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
  return chat;
}

async function boxOf(chat: ChatPage) {
  const box = await chat.panel.boundingBox();
  if (!box) throw new Error('the panel is not drawn');
  return box;
}

/** Parts of the panel that reach out of it or of the window sideways. */
function spilled(chat: ChatPage): Promise<string[]> {
  return chat.panel.evaluate((panel) => {
    const frame = panel.getBoundingClientRect();
    const deep = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        element,
        ...(element.shadowRoot ? deep(element.shadowRoot) : []),
      ]);
    return deep(panel)
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        if (width < 2) return false;
        // what scrolls sideways by itself may be wider than its frame
        for (let up = element.parentElement; up; up = up.parentElement)
          if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return false;
        return left < frame.left - 1 || right > frame.right + 1;
      })
      .map(({ localName, className }) => `${localName}.${String(className)}`);
  });
}

const sizes = [
  { width: '400px', height: '640px', window: [1280, 800], is: [400, 640] },
  { width: '30rem', height: '50dvh', window: [1280, 800], is: [480, 400] },
  { width: '50%', height: '75%', window: [1280, 800], is: [640, 600] },
  { width: '500', height: '20em', window: [1280, 900], is: [500, 320] },
  { width: '9000px', height: '9000px', window: [1280, 800], is: [1240, 692] },
  { width: '10px', height: '10px', window: [1280, 800], is: [280, 320] },
] as const;
for (const { width, height, window, is } of sizes) {
  test(`a floating panel of ${width} by ${height} is ${is[0]} by ${is[1]} pixels in its corner`, async ({
    page,
  }) => {
    const [across, down] = window;
    const attributes = `width="${width}" height="${height}"`;
    const box = await boxOf(await visit(page, { width: across, height: down, attributes }));
    expect([Math.round(box.width), Math.round(box.height)]).toEqual([...is]);
    expect(Math.round(box.x + box.width)).toBe(across - 20);
    expect(Math.round(box.y + box.height)).toBe(down - 20 - 56 - 12);
  });
}

test('a panel in place fills its container, and is usable in one without a height', async ({ page }) => {
  const attributes = 'form-type="custom" width="100%" height="100%"';
  const filled = await boxOf(
    await visit(page, { width: 1000, height: 800, attributes, box: 'width:500px;height:420px' }),
  );
  expect([filled.width, filled.height]).toEqual([500, 420]);
  const free = await boxOf(await visit(page, { width: 1000, height: 800, attributes, box: 'width:500px' }));
  expect(free.width).toBe(500);
  expect(free.height).toBeGreaterThan(400);
  expect(free.height).toBeLessThanOrEqual(800);
});

test('an overlay covers the window, and expanding a floating panel makes it larger and small again', async ({
  page,
}) => {
  const attributes = 'form-type="fullscreen-overlay"';
  const whole = await boxOf(await visit(page, { width: 1280, height: 800, attributes }));
  expect([whole.x, whole.y, whole.width, whole.height]).toEqual([0, 0, 1280, 800]);
  const chat = await visit(page, { width: 1280, height: 800 });
  const before = await boxOf(chat);
  await chat.element.getByRole('button', { name: 'Expand' }).click();
  const large = await boxOf(chat);
  expect(large.width).toBeGreaterThan(before.width);
  expect(large.height).toBeGreaterThan(before.height);
  await chat.element.getByRole('button', { name: /collapse|smaller|restore|shrink/i }).click();
  expect(await boxOf(chat)).toEqual(before);
});

test('below 480 pixels the panel covers the window, respects notches, and has text that phones do not zoom', async ({
  browser,
}) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const chat = await visit(page, { width: 360, height: 640 });
  const { x, y, width, height } = await boxOf(chat);
  expect([x, y, width, height]).toEqual([0, 0, 360, 640]);
  expect(
    await chat.composer.evaluate((input) => parseFloat(getComputedStyle(input).fontSize)),
  ).toBeGreaterThanOrEqual(16);
  await expect(chat.element.getByRole('button', { name: 'Expand' })).toHaveCount(0);
  await context.close();
});

test('the composer is above the on-screen keyboard', async ({ page }) => {
  const chat = await visit(page, { width: 360, height: 640 });
  await page.evaluate(() => {
    const viewport = visualViewport;
    if (!viewport) throw new Error('this browser has no visual viewport');
    Object.defineProperty(viewport, 'height', { configurable: true, value: 330 });
    Object.defineProperty(viewport, 'offsetTop', { configurable: true, value: 12 });
    viewport.dispatchEvent(new Event('resize'));
  });
  const box = await chat.composer.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(342);
  expect((await boxOf(chat)).y).toBe(12);
});

const hard = [
  `# ${'Word'.repeat(20)}\n\n`,
  `${'x'.repeat(10_000)}\n\n`,
  `| ${'Column '.repeat(8).trim().split(' ').join(' | ')} |\n|${' --- |'.repeat(8)}\n|${' value |'.repeat(8)}\n\n`,
  `\`${'y'.repeat(300)}\` https://example.com/${'z'.repeat(300)}`,
];
for (const [width, height] of [
  [280, 560],
  [280, 320],
  [400, 720],
  [1600, 1000],
] as const) {
  test(`at ${width} by ${height} long words, names and tables fit, and one can still write`, async ({
    page,
  }) => {
    pieces = hard;
    const chat = await visit(page, {
      width,
      height,
      attributes: `heading="${'Agent of the harbour '.repeat(10)}"`,
    });
    await chat.say(`A question with a word of ${'w'.repeat(400)}`);
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    expect(await spilled(chat)).toEqual([]);
    const composer = await chat.composer.boundingBox();
    const { y, height: tall } = await boxOf(chat);
    expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThanOrEqual(y + tall);
    await expect(chat.element.getByRole('button', { name: 'Close', exact: true })).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

for (const boxHeight of ['', 'height: 300px', 'height: 520px', 'height: 900px']) {
  test(`in place in a box (${boxHeight || 'of no height'}) header and composer are in view`, async ({
    page,
  }) => {
    const box = `width: 380px; ${boxHeight}`;
    const chat = await visit(page, { width: 1000, height: 1000, attributes: 'form-type="custom"', box });
    await chat.say('Is all of it there?');
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    expect(await wrongLayout(page)).toEqual([]);
    const { height } = await boxOf(chat);
    expect(Math.round(height)).toBe(Math.min(640, Number(/\d+/.exec(boxHeight)?.[0] ?? 640)));
  });
}

for (const width of [360, 1000]) {
  test(`on a page zoomed by a quarter the panel is inside the window of ${width} pixels`, async ({
    page,
  }) => {
    const head = '<style>html { zoom: 1.25 }</style>';
    const chat = await visit(page, { width, height: 640, head });
    await chat.say('Is all of it there?');
    await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    expect(await wrongLayout(page)).toEqual([]);
    const { x, y } = await boxOf(chat);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    await chat.element.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(chat.launcher).toBeInViewport({ ratio: 1 });
  });
}

for (const dir of ['ltr', 'rtl']) {
  test(`the launchers and the panels of two chats stand side by side (${dir})`, async ({ page }) => {
    await visit(page, { width: 1280, height: 800, attributes: `dir="${dir}"` });
    await page.evaluate(() => {
      const twin = document.querySelector('agent-chat')!.cloneNode() as HTMLElement;
      twin.removeAttribute('open');
      twin.id = 'twin';
      document.body.append(twin);
    });
    const [one, two] = [new ChatPage(page), new ChatPage(page, '#twin')];
    const edges = ({ launcher }: ChatPage): Promise<number> =>
      launcher.evaluate((button) => Math.round(button.parentElement!.getBoundingClientRect().x));
    await two.open();
    expect(Math.abs((await edges(one)) - (await edges(two)))).toBe(56 + 12);
    const [near, far] = [await boxOf(one), await boxOf(two)].sort((a, b) => a.x - b.x);
    expect(near!.x + near!.width).toBeLessThanOrEqual(far!.x);
    // both are reached
    for (const chat of [one, two]) await chat.say('Hello');
    for (const chat of [one, two])
      await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
    expect(await wrongLayout(page)).toEqual([]);
    const place = await boxOf(two);
    await one.launcher.click();
    expect(await boxOf(two)).toEqual(place);
    // what is left closes up
    const corner = await edges(one);
    await one.element.evaluate((host) => host.remove());
    await expect.poll(() => edges(new ChatPage(page))).toBe(corner);
  });
}

test('without room for two panels, the one that opened last is in front', async ({ page }) => {
  await visit(page, { width: 500, height: 700 });
  await page.evaluate(() => {
    const twin = document.querySelector('agent-chat')!.cloneNode() as HTMLElement;
    twin.id = 'twin';
    document.body.append(twin);
  });
  const [one, two] = [new ChatPage(page), new ChatPage(page, '#twin')];
  await two.open();
  await two.say('Hello');
  await one.launcher.click();
  await one.open();
  await one.composer.click();
  await one.say('And hello again');
  await expect(one.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await expect(two.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  expect(await wrongLayout(page)).toEqual([]);
});

test('the panel is above a page element with the maximum z-index', async ({ page }) => {
  const head =
    '<style>body::after { content: ""; position: fixed; inset: 0; z-index: 2147483647; background: red; }</style>';
  const chat = await visit(page, { width: 1000, height: 700, head });
  await chat.say('Can I still write?');
  await expect.poll(() => chat.lastAnswer()).toContain('A short answer.');
});

test('only opacity and transform are animated, for 120 to 200 milliseconds, and not with reduced motion', async ({
  page,
}) => {
  const chat = await visit(page, { width: 1000, height: 700 });
  const times = (): Promise<number[]> =>
    chat.evaluate((host) => {
      const panel = host.shadowRoot?.querySelector('agent-chat-panel')?.shadowRoot?.querySelector('.panel');
      if (!panel) throw new Error('the panel is not drawn');
      panel.classList.add('closed');
      const { transitionProperty, transitionDuration, animationDuration } = getComputedStyle(panel);
      if (/width|height|top|left|inset|margin/.test(transitionProperty)) throw new Error(transitionProperty);
      panel.classList.remove('closed');
      return `${transitionDuration}, ${animationDuration}, ${getComputedStyle(panel).animationDuration}`
        .split(', ')
        .map((time) => parseFloat(time) * 1000);
    });
  for (const time of (await times()).filter((each) => each > 0)) {
    expect(time).toBeGreaterThanOrEqual(120);
    expect(time).toBeLessThanOrEqual(200);
  }
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const time of await times()) expect(time).toBeLessThan(1);
});
