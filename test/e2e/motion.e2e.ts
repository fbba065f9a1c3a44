import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, sendEvents } from '../tools/page-server.ts';
import { itemTurn, richTable, richText, richTurn } from '../tools/rich-answer.ts';
import { test } from '../tools/worker-context.ts';

const server = pageServer(test);

test.beforeAll(async () => {
  server.answer = async (request, response, body) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    const options = ['One', 'Two'].map((label) => ({ label, value: { input: { text: label } } }));
    const asked = { response_type: 'option', id: 'o', title: 'Which?', preference: 'button', options };
    const events = body.includes('options') ? itemTurn([asked]) : richTurn(richText + richTable);
    await sendEvents(response, framings['real SSE'], events, 5);
    return true;
  };
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><agent-chat agent-id="a" token="t" storage="none"></agent-chat><script async src="/agent-chat.js"></script></body></html>',
  });
});

/** Something that moved in some frame. */
interface Motion {
  readonly properties: readonly string[];
  /** Milliseconds of one round. */
  readonly duration: number;
  readonly isEndless: boolean;
  /** It goes from one state to another: turned round on its way it takes but the time it had gone. */
  readonly isTransition: boolean;
  readonly where: string;
}

/** Notes in every frame what is moving anywhere in the chat. */
async function noteMotion(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const motions = new Map<string, unknown>();
    Reflect.set(globalThis, 'motions', motions);
    const all = (root: Document | ShadowRoot): Animation[] => [
      ...root.getAnimations(),
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? all(shadowRoot) : [])),
    ];
    const own = new Set(['offset', 'computedOffset', 'easing', 'composite']);
    const sample = (): void => {
      requestAnimationFrame(sample);
      for (const animation of all(document)) {
        const { effect } = animation;
        const isOfScrolling = animation.timeline !== document.timeline; // moves only when the visitor does
        if (isOfScrolling || !(effect instanceof KeyframeEffect)) continue;
        const { duration, endTime } = effect.getComputedTiming();
        const keys = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
        const { target, pseudoElement } = effect;
        const motion = {
          properties: [...new Set(keys)].filter((key) => !own.has(key)).sort(),
          duration: Number(duration),
          isEndless: endTime === Infinity,
          isTransition: animation instanceof CSSTransition,
          where: `${target?.localName}.${target?.className ?? ''}${pseudoElement ?? ''}`,
        };
        motions.set(JSON.stringify(motion), motion);
      }
    };
    sample();
  });
}

const motions = (page: Page): Promise<Motion[]> =>
  page.evaluate(() => [...(Reflect.get(globalThis, 'motions') as Map<string, Motion>).values()]);

/** A visitor's whole way through the chat. */
async function useAll(page: Page): Promise<void> {
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  const button = (name: string) => chat.element.getByRole('button', { name, exact: true });
  await chat.launcher.hover();
  await chat.open();
  await chat.say('What should I know?');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1, { timeout: 30_000 });
  await chat.element.locator('.toggle[aria-expanded=false]').first().click();
  await chat.element.locator('agent-chat-transcript .scroller').hover();
  await page.mouse.wheel(0, -400);
  await chat.say('Ask me, with options');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(2);
  await button('Two').hover();
  await button('Expand').click();
  await button('Bad answer').last().click();
  await button('Cancel').click();
  await button('Close').hover();
  await button('Close').click();
  await expect(chat.panel).toBeHidden();
  await chat.launcher.click();
  await expect(chat.panel).toBeVisible();
}

test('all motion uses opacity and transform only, for 120 to 200 milliseconds', async ({ page }) => {
  await noteMotion(page);
  await useAll(page);
  const found = await motions(page);
  // a colour that settles under the pointer is no motion, and what is hidden goes at once
  const isStill = /^(color|backgroundColor|border\w*Color|outlineColor|visibility)$/;
  const moving = found.filter(({ properties }) => !properties.every((name) => isStill.test(name)));
  expect(moving.length).toBeGreaterThan(2);
  for (const motion of moving)
    for (const property of motion.properties)
      expect(['opacity', 'transform'], JSON.stringify(motion)).toContain(property);
  // what goes on until it is over is a sign of work; it has a pace of its own
  for (const motion of found.filter(({ isEndless, duration }) => !isEndless && duration > 0)) {
    if (!motion.isTransition) expect(motion.duration, JSON.stringify(motion)).toBeGreaterThanOrEqual(120);
    expect(motion.duration, JSON.stringify(motion)).toBeLessThanOrEqual(200);
  }
});

test('with reduced motion, nothing moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await noteMotion(page);
  await useAll(page);
  expect((await motions(page)).filter(({ duration, isEndless }) => isEndless || duration > 1)).toEqual([]);
});
