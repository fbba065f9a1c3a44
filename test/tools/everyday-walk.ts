import type { BrowserContext, Page } from '@playwright/test';
import type { FormKind } from '../../src/widget/chat-host.ts';
import { ChatPage } from './chat-page.ts';
import type { FaultyChat } from './faulty-chat.ts';
import { wrongLayout } from './one-scroller.ts';
import type { WalkResult } from './random-walk.ts';
import { seeded } from './seeded.ts';

/** How often each action is picked, relative to the others. */
const weights = {
  send: 4, longAnswer: 2, item: 2, form: 2, wheel: 2, keys: 1, touch: 2, resize: 3, theme: 2, formType: 2, reload: 1,
  tab: 2,
} as const; // oxfmt-ignore

type Action = keyof typeof weights;
const actions = Object.entries(weights).flatMap(([name, weight]) =>
  Array<Action>(weight).fill(name as Action),
);
const forms: readonly [FormKind, ...FormKind[]] = ['float', 'fullscreen-overlay', 'custom'];

/**
 * Performs everyday actions of visitors and pages in a random order, in one or two tabs. Checks after each action that
 * only the transcript scrolls, header and composer are in view, and every message is shown once. At the end, every
 * answer must be complete in every tab.
 */
export async function walkEveryDay(
  context: BrowserContext,
  chat: FaultyChat,
  options: { readonly seed: number; readonly steps: number; readonly form: FormKind },
): Promise<WalkResult> {
  const walk = new EverydayWalk(context, chat, options.seed);
  await walk.begin(options.form);
  for (let step = 0; step < options.steps && walk.problems.length === 0; step += 1) {
    await walk.act();
    await walk.check();
  }
  await walk.end();
  return walk;
}

class EverydayWalk implements WalkResult {
  readonly trace: string[] = [];
  readonly problems: string[] = [];
  readonly #context: BrowserContext;
  readonly #chat: FaultyChat;
  readonly #seed: number;
  readonly #chance: ReturnType<typeof seeded>;
  readonly #said: string[] = [];
  #url = '';
  #page: Page | undefined;

  constructor(context: BrowserContext, chat: FaultyChat, seed: number) {
    this.#context = context;
    this.#chat = chat;
    this.#seed = seed;
    this.#chance = seeded(seed * 7919 + 11);
  }

  async begin(form: FormKind): Promise<void> {
    this.#chat.proxy.faults = [];
    this.#chat.watch(this.#context);
    const place = this.#chance.pick(['width: 280px; height: 480px', 'height: 600px', 'max-width: 400px']);
    this.trace.push(`${form}, ${place}`);
    this.#url = await this.#chat.pageUrl(`form-type="${form}" storage="local"`, {
      path: `/everyday-${this.#seed}.html`,
      script: `
        const place = Object.assign(document.createElement('div'), { style: ${JSON.stringify(place)} });
        document.body.append(place);
        const chat = document.querySelector('agent-chat');
        chat.additionalParameters = { delay_ms: 1, chunk_length: 60 };
        place.append(chat);`,
    });
    await this.#open();
  }

  async act(): Promise<void> {
    await this.#retry();
    const { pick, between } = this.#chance;
    const action = pick(actions as [Action, ...Action[]]);
    this.trace.push(action);
    const page = this.#at;
    switch (action) {
      case 'send':
        return this.#say('words');
      case 'longAnswer':
        return this.#say('all berths on the north quay are free '.repeat(between(10, 50)));
      case 'item':
        return this.#say('', 'Choose');
      case 'form':
        return this.#say('', 'Fill');
      case 'wheel': {
        const [x, y] = await this.#transcript();
        await page.mouse.move(x, y);
        return page.mouse.wheel(0, between(-900, 900));
      }
      case 'keys':
        await new ChatPage(page).element.locator('.scroller[role=log]').focus();
        return page.keyboard.press(pick(['PageUp', 'PageDown', 'Home', 'End', 'ArrowDown']));
      case 'touch':
        return this.#swipe(between(40, 400) * pick([-1, 1])); // a shorter one would be a tap
      case 'resize': {
        const size = { width: between(300, 1300), height: between(320, 900) };
        this.trace.push(`${size.width}x${size.height}`);
        return page.setViewportSize(size);
      }
      case 'theme':
        return this.#set('theme', pick(['dark', 'light', 'auto']));
      case 'formType':
        return this.#set('form-type', pick(forms));
      case 'reload':
        await page.reload();
        return new ChatPage(page).composer.waitFor();
      case 'tab':
        return this.#turnToAnotherTab();
    }
  }

  /** Checks layout and conversation of the front tab; waits for answers that are still arriving. */
  async check(): Promise<void> {
    const page = this.#at;
    let faults: readonly string[] = [];
    for (let look = 0; look < 100; look += 1) {
      faults = [...(await wrongLayout(page)), ...(await this.#lost(page))];
      if (faults.length === 0) return;
      await page.waitForTimeout(50);
    }
    this.problems.push(...faults.map((fault) => `after ${this.trace.at(-1)}: ${fault}`));
  }

  async end(): Promise<void> {
    for (const page of this.#context.pages()) {
      await page.bringToFront();
      this.#page = page;
      for (let look = 0; look < 300 && (await this.#unanswered(page)).length > 0; look += 1) {
        await page.waitForTimeout(50);
      }
      this.problems.push(
        ...(await this.#unanswered(page)).map((text) => `no whole answer: ${text.slice(0, 80)}`),
      );
      await this.check();
    }
  }

  /** Presses Retry, which the chat offers if a reload cut the first message of a thread: it may not have arrived. */
  async #retry(): Promise<void> {
    if (this.trace.at(-1) !== 'reload') return;
    const button = new ChatPage(this.#at).element.getByRole('button', { name: 'Retry' });
    for (let look = 0; look < 100 && (await this.#unanswered(this.#at)).length > 0; look += 1) {
      if (await button.isVisible()) {
        // the button disappears if the chat resumes the answer by itself meanwhile
        const isPressed = await button.click({ timeout: 1_000 }).then(
          () => true,
          () => false,
        );
        if (isPressed) {
          this.trace.push('retry');
          return;
        }
      }
      await this.#at.waitForTimeout(50);
    }
  }

  get #at(): Page {
    if (!this.#page) throw new Error('the walk has not begun');
    return this.#page;
  }

  async #open(): Promise<void> {
    this.#page = await this.#context.newPage();
    await this.#page.goto(this.#url);
    await new ChatPage(this.#page).composer.waitFor();
  }

  async #turnToAnotherTab(): Promise<void> {
    const pages = this.#context.pages();
    if (pages.length < 2) return this.#open();
    this.#page = pages.find((page) => page !== this.#page);
    await this.#at.bringToFront();
  }

  async #say(words: string, first = 'Walk'): Promise<void> {
    const text = `${first} ${this.#seed} ${this.#said.length} ${words}`.trim();
    await new ChatPage(this.#at).say(text);
    this.#said.push(text);
  }

  async #set(name: string, value: string): Promise<void> {
    this.trace.push(`${name}=${value}`);
    await new ChatPage(this.#at).element.evaluate(
      (host, [attribute, to]) => host.setAttribute(attribute, to),
      [name, value] as const,
    );
    await new ChatPage(this.#at).composer.waitFor();
  }

  /** The middle of the transcript. */
  async #transcript(): Promise<readonly [x: number, y: number]> {
    const log = new ChatPage(this.#at).element.locator('.scroller[role=log]');
    await log.scrollIntoViewIfNeeded();
    const box = await log.boundingBox();
    return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  }

  async #swipe(by: number): Promise<void> {
    const [x, y] = await this.#transcript();
    const session = await this.#context.newCDPSession(this.#at);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', Math.max(1, y + by * part));
    await touch('touchEnd');
    await session.detach();
  }

  /** Messages that a page does not show exactly once. */
  async #lost(page: Page): Promise<readonly string[]> {
    const texts = await page.evaluate(() =>
      (document.querySelector('agent-chat')?.conversation?.messages ?? [])
        .filter(({ role, superseded }) => role === 'user' && !superseded)
        .map(({ items }) => items.map(({ text }) => text).join('')),
    );
    return this.#said.flatMap((text) => {
      const times = texts.filter((one) => one === text).length;
      return times === 1 ? [] : [`${times} times in the conversation: ${text.slice(0, 80)}`];
    });
  }

  /** Messages without a complete answer in a page. */
  #unanswered(page: Page): Promise<readonly string[]> {
    return page.evaluate((said) => {
      const messages = document.querySelector('agent-chat')?.conversation?.messages ?? [];
      const answers = messages
        .filter(({ role, status }) => role !== 'user' && status !== 'streaming')
        .map(({ items }) => items.map(({ text }) => text).join(''));
      const asked = said.filter((text) => !text.startsWith('Walk'));
      const missing = said.filter((text) => text.startsWith('Walk') && !answers.includes(text));
      return answers.length < said.length ? [...missing, ...asked.slice(0, 1)] : missing;
    }, this.#said);
  }
}
