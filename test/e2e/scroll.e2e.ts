import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { Finger } from '../tools/phone.ts';
import { PageServer, framings, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

let server: PageServer;
/** Lets the answer go on by one step. */
let release: (() => void)[] = [];
/** The next answer breaks at its end. */
let breaks = false;

const paragraph = (number: number): string =>
  `Paragraph ${number}: the tide turns at noon, and until then every berth at the inner pier can be reached without help.\n\n`;
const pieces = Array.from({ length: 40 }, (_none, index) => paragraph(index + 1));

test.beforeEach(async () => {
  server = await PageServer.start();
  release = [];
  breaks = false;
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const asked = body.includes('long') ? pieces : ['A short answer.'];
    const events = plainTurn(asked).map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
    const framing = framings['real SSE'];
    if (body.includes('very fast')) {
      await sendEvents(
        response,
        framing,
        plainTurn(Array.from({ length: 3000 }, (_none, at) => paragraph(at))),
        2,
      );
      return true;
    }
    if (breaks) {
      breaks = false;
      const failed = [
        { id: 'f1', event: 'run.failed', data: { error: 'the service stopped' } },
        { id: 'f2', event: 'done', data: {} },
      ];
      await sendEvents(response, framing, [...events.slice(0, -4), ...failed], 2);
      return true;
    }
    if (!body.includes('by steps')) {
      await sendEvents(response, framing, events, 2);
      return true;
    }
    response.writeHead(200, { 'content-type': framing.type });
    for (const event of events) {
      if (event.event === 'message.delta') await new Promise<void>((resolve) => release.push(resolve));
      response.write(framing.write(event));
    }
    response.end();
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>',
  });
});
test.afterEach(async () => {
  for (const go of release) go();
  await server.close();
});

async function visit(page: Page): Promise<ChatPage> {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  return chat;
}

/** Lets so many steps of a stepped answer through, one after another. */
async function step(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await expect.poll(() => release.length).toBeGreaterThan(0);
    release.shift()?.();
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of the transcript. */
async function middle(chat: ChatPage): Promise<Point> {
  const box = await scroller(chat).boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Moves a finger down over the window, a frame a step. */
async function drag(page: Page, at: Point, { by, step }: { readonly by: number; readonly step: number }) {
  const finger = await Finger.down(page, at);
  for (let moved = step; moved <= by; moved += step) {
    await finger.move({ x: at.x, y: at.y + moved });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await finger.up();
}

function scroller(chat: ChatPage) {
  return chat.element.locator('agent-chat-transcript .scroller');
}

async function positions(chat: ChatPage): Promise<{ top: number; atEnd: boolean; height: number }> {
  return scroller(chat).evaluate((element) => ({
    top: element.scrollTop,
    height: element.scrollHeight,
    atEnd: element.scrollHeight - element.scrollTop - element.clientHeight < 24,
  }));
}

test('the visitor’s message moves near the top, and the answer grows below it', async ({ page }) => {
  const chat = await visit(page);
  await chat.say('A long one first');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('And a short one');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  const frame = await scroller(chat).boundingBox();
  const prompt = await chat.element.locator('agent-chat-visitor-message').last().boundingBox();
  const answer = await chat.answers.last().boundingBox();
  const gap = (prompt?.y ?? 0) - (frame?.y ?? 0);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(40);
  expect(answer?.y ?? 0).toBeGreaterThan((prompt?.y ?? 0) + (prompt?.height ?? 0));
});

test('it follows while the reader is at the end', async ({ page }) => {
  const chat = await visit(page);
  await chat.say('A long one by steps');
  await step(20);
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 20');
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  await step(5);
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 25');
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
});

for (const before of [0, 2]) {
  test(`a long answer that broke and is retried is followed, after ${before} other turns`, async ({
    page,
  }) => {
    const chat = await visit(page);
    for (let turn = 1; turn <= before; turn += 1) {
      await chat.say('A long one first');
      await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(turn);
    }
    breaks = true;
    await chat.say('A long one by steps');
    const retry = chat.notice.last().getByRole('button');
    await expect(retry).toBeInViewport();
    await expect.poll(() => positions(chat)).toMatchObject({ atEnd: true });
    await retry.click();
    await expect.poll(() => release.length).toBe(1);
    await expect.poll(() => positions(chat)).toMatchObject({ atEnd: true });
    for (let steps = 0; steps < 5; steps += 1) {
      await step(4);
      await expect.poll(() => chat.lastAnswer()).toContain(`Paragraph ${steps * 4 + 3}`);
      await expect.poll(() => positions(chat)).toMatchObject({ atEnd: true });
    }
    await expect(chat.element.locator('.pill')).toHaveCount(0);
  });
}

test('it leaves a reader who scrolled up alone, shows that there is more below, and scrolls there on request', async ({
  page,
}) => {
  const chat = await visit(page);
  await chat.say('A long one by steps');
  await step(20);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  await scroller(chat).hover();
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(false);
  const before = await positions(chat);
  await step(10);
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 30');
  const pill = chat.element.getByRole('button', { name: 'New below' });
  await expect(pill).toBeVisible();
  const after = await positions(chat);
  expect(after.height).toBeGreaterThan(before.height);
  expect(Math.abs(after.top - before.top)).toBeLessThan(2);
  await pill.click();
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  await expect(pill).toHaveCount(0);
  await step(5);
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 35');
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
});

test('a reader who scrolled up is told about a short answer, but not about other growth', async ({
  page,
}) => {
  const chat = await visit(page);
  await chat.say('A long one first');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  await chat.say('A short one by steps');
  await expect.poll(() => release.length).toBe(1);
  await scroller(chat).hover();
  await page.mouse.wheel(0, -900);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(false);
  const pill = chat.element.getByRole('button', { name: 'New below' });
  // steps that are opened, say
  await chat.element
    .locator('agent-chat-turn')
    .first()
    .evaluate((turn) => (turn.style.paddingBottom = '120px'));
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await expect(pill).toHaveCount(0);
  // it comes into the room that is kept for it: nothing grows
  await step(1);
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(pill).toHaveCount(0);
  await expect.poll(() => chat.lastAnswer()).toBe('A short answer.');
});

test('scrolling back to the end follows again', async ({ page }) => {
  const chat = await visit(page);
  await chat.say('A long one by steps');
  await step(20);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  await scroller(chat).hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(false);
  await page.mouse.wheel(0, 5000);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  await step(5);
  await expect.poll(() => chat.lastAnswer()).toContain('Paragraph 25');
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
});

const gestures = {
  'a finger': (page: Page, at: Point) => drag(page, at, { by: 60, step: 3 }),
  'a slow finger': (page: Page, at: Point) => drag(page, at, { by: 24, step: 0.5 }),
  'a trackpad': async (page: Page, { x, y }: Point) => {
    await page.mouse.move(x, y);
    for (let moved = 0; moved < 60; moved += 3) await page.mouse.wheel(0, -3);
  },
} as const;

for (const [name, move] of Object.entries(gestures)) {
  test(`${name} leaves the end of a very fast answer, and the text in view stays`, async ({ browser }) => {
    const context = await browser.newContext({ hasTouch: true });
    const page = await context.newPage();
    const chat = await visit(page);
    await chat.say('A long one, very fast');
    await expect.poll(async () => (await positions(chat)).height).toBeGreaterThan(2_000);
    await move(page, await middle(chat));
    const { top, height } = await positions(chat);
    await expect.poll(async () => (await positions(chat)).height).toBeGreaterThan(height + 2_000);
    const later = await positions(chat);
    expect(later.atEnd).toBe(false);
    expect(Math.abs(later.top - top)).toBeLessThan(60); // a smooth scroll may still end
    await context.close();
  });
}

test('a very fast answer stops moving under a finger, and is followed again after it lifts', async ({
  browser,
}) => {
  const context = await browser.newContext({ hasTouch: true });
  const page = await context.newPage();
  const chat = await visit(page);
  await chat.say('A long one, very fast');
  await expect.poll(async () => (await positions(chat)).height).toBeGreaterThan(2_000);
  const finger = await Finger.down(page, await middle(chat));
  const { top, height } = await positions(chat);
  await expect.poll(async () => (await positions(chat)).height).toBeGreaterThan(height + 1_000);
  expect((await positions(chat)).top).toBe(top);
  await finger.up();
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(true);
  const { height: lifted } = await positions(chat);
  await expect.poll(async () => (await positions(chat)).height).toBeGreaterThan(lifted + 1_000);
  expect((await positions(chat)).atEnd).toBe(true);
  await context.close();
});

test('text in view does not move while blocks finish', async ({ page }) => {
  const chat = await visit(page);
  await chat.say('A long one by steps');
  await step(20);
  await scroller(chat).hover();
  await page.mouse.wheel(0, -500);
  await expect.poll(async () => (await positions(chat)).atEnd).toBe(false);
  await chat.evaluate((host) => {
    const scroller = host.shadowRoot
      ?.querySelector('agent-chat-panel')
      ?.shadowRoot?.querySelector('agent-chat-transcript')
      ?.shadowRoot?.querySelector('.scroller');
    const markdown = scroller
      ?.querySelector('agent-chat-turn')
      ?.shadowRoot?.querySelector('agent-chat-markdown');
    const frame = scroller?.getBoundingClientRect();
    const lines = [...((markdown?.shadowRoot ?? markdown)?.querySelectorAll('p') ?? [])].filter((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return frame !== undefined && top >= frame.top && bottom <= frame.bottom;
    });
    const seen = lines.map(() => new Set<number>());
    Reflect.set(globalThis, 'seen', seen);
    const sample = (): void => {
      for (const [index, line] of lines.entries())
        seen[index]?.add(Math.round(line.getBoundingClientRect().top));
      requestAnimationFrame(sample);
    };
    sample();
  });
  await step(20);
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1);
  const moved = await page.evaluate(() =>
    (Reflect.get(globalThis, 'seen') as Set<number>[]).map((places) => [...places]),
  );
  expect(moved.length).toBeGreaterThan(2);
  for (const places of moved) expect(places).toHaveLength(1);
});

test('a button loads earlier turns, and the text in view stays in place', async ({ page }) => {
  const chat = await visit(page);
  await chat.evaluate(async (host) => {
    for (let count = 0; count < 60; count += 1) await host.send(`Question ${count}`);
  });
  const turns = chat.element.locator('agent-chat-turn');
  await expect.poll(() => turns.count()).toBeGreaterThanOrEqual(10);
  await expect(turns.last().locator('agent-chat-turn-actions')).toHaveCount(1);
  const shown = await turns.count();
  expect(shown).toBeLessThan(60);
  await scroller(chat).evaluate((element) => element.scrollTo(0, 0));
  const first = chat.element.locator('agent-chat-turn').first();
  const before = await first.boundingBox();
  const name = await first.locator('agent-chat-visitor-message').textContent();
  await chat.element.getByRole('button', { name: 'Show earlier' }).press('Enter');
  await expect(chat.element.locator('agent-chat-turn')).toHaveCount(60);
  await expect(
    turns
      .nth(59 - shown)
      .locator('.message')
      .last(),
  ).toBeFocused();
  const same = turns.nth(60 - shown);
  expect(await same.locator('agent-chat-visitor-message').textContent()).toBe(name);
  const after = await same.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(48);
});
