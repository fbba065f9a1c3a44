import type { BrowserContext, Page } from '@playwright/test';
import type { AgentChat } from '../../src/widget/index.ts';
import { faultPlan } from './fault-plan.ts';
import type { FaultyChat } from './faulty-chat.ts';
import { countLeftovers, leftovers, type Leftovers } from './leftovers.ts';
import { wrongLayout } from './one-scroller.ts';
import { seeded } from './seeded.ts';

/** Result of a walk. */
export interface WalkResult {
  /** The actions, in order. */
  readonly trace: readonly string[];
  /** The problems that were found; empty: none. */
  readonly problems: readonly string[];
}

/** Valid and invalid values for each attribute; attributes are also removed. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  version: ['1', '2', 'x'],
  'primary-color': ['#123456', 'rebeccapurple', 'nope'],
  'accent-color': ['red', 'hsl(120 60% 40%)'],
  theme: ['dark', 'light', 'auto', 'zz'],
  'enable-text-streaming': ['false', 'true'],
  'form-type': ['fullscreen-overlay', 'custom', 'float'],
  'container-id': ['one', 'two', 'nowhere', ''],
  width: ['420px', '50%'],
  height: ['560px', '-1'],
  heading: ['Harbour', ''],
  welcome: ['Hello', ''],
  lang: ['de', 'ar', 'en', 'zz'],
  dir: ['rtl', 'ltr', 'auto'],
  storage: ['none', 'session', 'local'],
  'form-submit': ['callback', 'run'],
  announce: ['quiet', 'sentence', 'answer'],
  notifications: ['off', 'on'],
  preload: ['eager', 'none', 'idle'],
  preview: ['true', 'false'],
  open: ['true', 'false'],
  'is-live': ['true', 'false'],
  visitor: ['ann', 'bob', ''],
  'live-config': ['true', 'false'],
};

/** Names of the properties that are set; their values are defined in the page. */
const properties = [
  'layout', 'header', 'strings', 'starters', 'mentionables', 'uploadDocument', 'feedbackReasons', 'allowedOrigins',
  'renderers', 'fetch', 'llmParams', 'context', 'contextVariables', 'additionalParameters', 'messageDefaults', 'unread',
] as const; // oxfmt-ignore

/** How often each action is picked, relative to the others. */
const weights = {
  send: 10, type: 6, ask: 3, click: 9, attribute: 8, property: 5, wait: 10, fault: 4, stop: 3, retry: 2, newThread: 2,
  turnBack: 2, noteThread: 2, hide: 2, show: 3, toggle: 2, draft: 2, focus: 1, transcript: 1, move: 2, remove: 2,
  putBack: 5, swap: 2, cut: 2, down: 2, up: 4, offline: 2, online: 4, reload: 1,
  scroll: 6, resize: 4,
} as const; // oxfmt-ignore

type Step = keyof typeof weights;
const steps = Object.entries(weights).flatMap(([step, weight]) => Array<Step>(weight).fill(step as Step));

/** State of a widget, read from the page. */
interface Told {
  readonly isOn: boolean;
  readonly connection: string;
  readonly runs: readonly string[];
  readonly said: readonly { readonly text: string; readonly status: string; readonly run: string }[];
  /** Complete answers whose text differs from the agent's. */
  readonly wrong: readonly string[];
  /** The whole state, for comparison. */
  readonly whole: string;
  readonly composer: string;
}

interface WalkTools {
  at(id: string): AgentChat & HTMLElement;
  take(id: string): void;
  putBack(id: string): void;
  press(id: string, chance: number): string;
  type(id: string, text: string): boolean;
  setProperty(id: string, name: string, chance: number): string;
  tell(id: string): Told;
  readonly rejections: string[];
}

/** Defined in the page by `walkTools`. */
declare const walker: WalkTools;

/** Runs in the page, before anything else. */
function walkTools(): void {
  const taken = new Map<string, Element>();
  const at = (id: string) => (taken.get(id) ?? document.getElementById(id)) as AgentChat & HTMLElement;
  const deep = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? deep(element.shadowRoot) : []),
    ]);
  const inside = (id: string): Element[] => {
    const root = at(id)?.shadowRoot;
    return root ? deep(root) : [];
  };
  const composerOf = (id: string): HTMLTextAreaElement | undefined =>
    inside(id).find((element) => {
      const root = element.getRootNode();
      return (
        element.localName === 'textarea' &&
        root instanceof ShadowRoot &&
        root.host.localName === 'agent-chat-composer'
      );
    }) as HTMLTextAreaElement | undefined;
  const values: Record<string, readonly unknown[]> = {
    layout: [{ primary_color: '#123456', theme: 'dark' }, { accent_color: 'teal' }, undefined, null, 5],
    header: [{ subtitle: 'Answers' }, { disclaimer: 'x' }, undefined, null],
    strings: [{ 'composer.label': 'Message' }, undefined],
    starters: [[{ title: 'Berths' }], [], undefined],
    mentionables: [[{ id: '1', name: 'Ada' }], []],
    uploadDocument: [() => Promise.resolve('a'), undefined],
    feedbackReasons: [['Wrong'], undefined],
    allowedOrigins: [{ images: ['https://example.com'] }, undefined],
    renderers: [{ map: () => document.createElement('b') }, undefined],
    fetch: [(...asked: Parameters<typeof fetch>) => fetch(...asked), undefined],
    llmParams: [{ temperature: 1 }, undefined],
    context: [{ a: 1 }, undefined],
    contextVariables: [{ b: 1 }, undefined],
    additionalParameters: [{ delay_ms: 15 }, { delay_ms: 0 }, undefined],
    messageDefaults: [{ assistant_id: '5d1f3c1e-0000-4000-8000-00000000aaaa' }, undefined],
    unread: [0, 3],
  };
  const pickOf = <Item>(items: readonly Item[], chance: number): Item | undefined =>
    items[Math.floor(chance * items.length)];
  Object.assign(window, {
    walker: {
      at,
      rejections: [],
      take: (id: string) => {
        taken.set(id, at(id));
        at(id).remove();
      },
      putBack: (id: string) => {
        const element = taken.get(id);
        if (element) document.body.append(element);
        taken.delete(id);
      },
      press: (id: string, chance: number) => {
        const buttons = inside(id).filter((element) => element.localName === 'button') as HTMLButtonElement[];
        const button = pickOf(buttons, chance);
        button?.click();
        return button ? `${button.className}|${(button.ariaLabel ?? button.textContent).trim()}` : '';
      },
      type: (id: string, text: string) => {
        const box = composerOf(id);
        if (!box || !at(id).isConnected || box.getClientRects().length === 0) return false;
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        const key = { key: 'Enter', bubbles: true, composed: true, cancelable: true };
        box.dispatchEvent(new KeyboardEvent('keydown', key));
        return box.value === '';
      },
      setProperty: (id: string, name: string, chance: number) => {
        const value = pickOf(values[name] ?? [], chance);
        Reflect.set(at(id), name, value);
        return `${name}=${JSON.stringify(value)}`;
      },
      tell: (id: string) => {
        const chat = at(id);
        const { conversation, connection } = chat;
        const runs = conversation?.runs ?? [];
        const messages = conversation?.messages ?? [];
        const textOf = (message: (typeof messages)[number]): string =>
          message.items.map(({ text }) => text).join('');
        const runOf = (key: string | undefined) => runs.find((run) => run.id === key);
        // as shown: answers follow their question, also when the service stored another turn in between
        const turns = new Map<string, (typeof messages)[number][]>();
        for (const message of messages.filter(({ superseded }) => !superseded)) {
          const key = message.runKey ?? message.id;
          turns.set(key, [...(turns.get(key) ?? []), message]);
        }
        const isSettled = ['idle', 'failed', 'auth-needed'].includes(connection);
        const box = composerOf(id);
        const panels = inside(id).filter(({ localName }) => localName === 'agent-chat-panel').length;
        return {
          isOn:
            !isSettled ||
            runs.some(({ status }) => status === 'submitted' || status === 'streaming') ||
            messages.some(({ status }) => status === 'sending') ||
            (messages.some(({ status }) => status === 'queued') && connection === 'idle'),
          connection,
          runs: runs.map(({ status, failure }) => `${status} ${failure?.kind ?? ''}`.trim()),
          said: messages
            .filter(({ role, superseded }) => role === 'user' && !superseded)
            .map((message) => ({
              text: textOf(message),
              status: message.status,
              run: runOf(message.runKey)?.status ?? '',
            })),
          wrong: messages.flatMap((message) => {
            const run = runOf(message.runKey);
            const prompt = messages.find((other) => other.id === run?.id);
            if (message.role === 'user' || !run || !prompt || run.status !== 'completed') return [];
            const words = textOf(prompt);
            const isSame = textOf(message) === words || !words.startsWith('Walk');
            return isSame ? [] : [`${words} → ${textOf(message)}`];
          }),
          whole: JSON.stringify([...turns.values()].flat().map((message) => [message.role, textOf(message)])),
          composer: !box
            ? 'none'
            : box.disabled || box.getBoundingClientRect().width < 50 || panels !== 1
              ? `${box.disabled} ${box.getBoundingClientRect().width} ${panels}`
              : 'usable',
        };
      },
    },
  });
}

/**
 * Performs random actions on the public element: one widget or two, attributes, properties, methods, buttons, moves in
 * the page, network errors, reloads, other tabs. Then restores normal conditions and checks that every answer
 * completes.
 */
export async function walk(
  context: BrowserContext,
  chat: FaultyChat,
  options: { readonly seed: number; readonly steps: number },
): Promise<WalkResult> {
  const walker = new Walker(context, chat, options.seed);
  await walker.begin();
  for (let step = 0; step < options.steps; step += 1) {
    await walker.step();
    await walker.checkLayout();
  }
  await walker.end();
  return { trace: walker.trace, problems: [...new Set(walker.problems)] };
}

/** Runs in the page: resets settings that keep a widget from answering. */
function setRight(id: string): void {
  walker.putBack(id);
  const chat = walker.at(id);
  chat.setAttribute('is-live', 'true');
  for (const name of ['preload', 'container-id', 'preview']) chat.removeAttribute(name);
  if (chat.getAttribute('form-type') === 'custom') chat.setAttribute('form-type', 'float');
  for (const name of ['fetch', 'layout', 'renderers', 'messageDefaults']) Reflect.set(chat, name, undefined);
}

function isNothing({ timers, listeners }: Leftovers): boolean {
  return timers === 0 && Object.keys(listeners).every((type) => type === 'unhandledrejection');
}

class Walker {
  readonly trace: string[] = [];
  readonly problems: string[] = [];
  readonly #context: BrowserContext;
  readonly #chat: FaultyChat;
  readonly #seed: number;
  readonly #chance: ReturnType<typeof seeded>;
  readonly #ids: readonly [string, ...string[]];
  readonly #storage: string;
  readonly #tabs: number;
  readonly #pages: Page[] = [];
  /** The texts that were sent, with the id of their widget. */
  readonly #said = new Map<string, string>();
  /** Ids of widgets whose conversation was left, partly removed, or changed to another visitor's. */
  readonly #left = new Set<string>();
  /** Whether a message was sent again. */
  #isAskedAgain = false;
  #isKept = true;
  #words = 0;

  constructor(context: BrowserContext, chat: FaultyChat, seed: number) {
    this.#context = context;
    this.#chat = chat;
    this.#seed = seed;
    this.#chance = seeded(seed * 104_729 + 3);
    this.#ids = this.#chance.next() < 0.5 ? ['a'] : ['a', 'b'];
    this.#storage = this.#chance.pick(['session', 'local', 'none']);
    this.#tabs = this.#chance.next() < 0.3 ? 2 : 1;
  }

  async begin(): Promise<void> {
    const { proxy } = this.#chat;
    proxy.faults = [];
    proxy.isDown = false;
    this.trace.push(`${this.#storage}, ${this.#ids.length} widgets, ${this.#tabs} tabs`);
    this.#chat.watch(this.#context);
    await this.#context.addInitScript(countLeftovers);
    await this.#context.addInitScript(walkTools);
    const attribute = `storage="${this.#storage}"`;
    const twin = `
      const twin = document.querySelector('agent-chat').cloneNode();
      twin.id = 'b';
      document.body.append(twin);
      twin.tokenProvider = () => window.token;`;
    const places = `
      for (const id of ['one', 'two']) document.body.append(Object.assign(document.createElement('div'), { id }));`;
    const url = await this.#chat.pageUrl(`id="a" ${attribute}`, {
      path: `/walk-${this.#seed}.html`,
      script: (this.#ids.length > 1 ? twin : '') + places,
    });
    for (let tab = 0; tab < this.#tabs; tab += 1) {
      const page = await this.#context.newPage();
      page.on('console', (line) => {
        if (line.type() === 'error' && !/Failed to load resource|ERR_|CORS/.test(line.text()))
          this.problems.push(`console: ${line.text()}`);
      });
      page.on('crash', () => this.problems.push('the page crashed'));
      this.#pages.push(page);
      await page.goto(url);
      await page.locator('agent-chat#a agent-chat-composer textarea').waitFor();
    }
  }

  async step(): Promise<void> {
    const { pick, next, between } = this.#chance;
    const step = pick(steps as [Step, ...Step[]]);
    const id = pick(this.#ids);
    const page = pick(this.#pages as [Page, ...Page[]]);
    this.trace.push(`${step} ${id}${this.#tabs > 1 ? this.#pages.indexOf(page) : ''}`);
    const { proxy } = this.#chat;
    switch (step) {
      case 'send': {
        const text = this.#newWords('x y z '.repeat(between(0, 60)));
        this.#said.set(text, id);
        return this.#call(page, id, 'send', text);
      }
      case 'type': {
        const text = this.#newWords('typed');
        const isTaken = await this.#in(page, ([at, words]) => walker.type(at, words), [id, text] as const);
        if (isTaken) this.#said.set(text, id);
        return this.#note(`${isTaken}`);
      }
      case 'ask':
        return this.#call(page, id, 'send', `${pick(['Choose', 'Fill'])} ${(this.#words += 1)}`);
      case 'click': {
        const name = await this.#in(page, ([at, chance]) => walker.press(at, chance), [id, next()] as const);
        this.#note(name);
        if (/New chat|Remove|Edit|Answer again|Retry|again/i.test(name)) this.#left.add(id);
        if (/again|Retry|Edit|Send/i.test(name)) this.#isAskedAgain = true;
        return;
      }
      case 'attribute': {
        const name = pick(Object.keys(attributes) as [string, ...string[]]);
        const value = next() < 0.2 ? undefined : pick(attributes[name] as [string, ...string[]]);
        this.#note(`${name}=${value}`);
        if (name === 'visitor' || name === 'storage') {
          this.#left.add(id);
          this.#isKept = false;
        }
        if (name === 'is-live' || name === 'preview') this.#left.add(id);
        await this.#in(
          page,
          ([at, key, to]) => {
            if (to === undefined) walker.at(at).removeAttribute(key);
            else walker.at(at).setAttribute(key, to);
          },
          [id, name, value] as const,
        );
        return;
      }
      case 'property':
        return this.#note(
          await this.#in(page, ([at, name, chance]) => walker.setProperty(at, name, chance), [
            id,
            pick(properties),
            next(),
          ] as const),
        );
      case 'wait':
        return page.waitForTimeout(between(1, 400));
      case 'fault':
        proxy.faults = faultPlan(between(0, 500)).faults.filter(({ kind }) => kind !== 'gzip');
        return this.#note(proxy.faults.map(({ kind }) => kind).join());
      case 'newThread':
        this.#left.add(id);
        return this.#call(page, id, 'newThread');
      case 'noteThread':
        await this.#in(
          page,
          (at) => {
            const { conversation } = walker.at(at);
            // of this widget alone: two widgets of a page do not follow one thread together
            if (conversation?.threadId) Object.assign(window, { [`noted-${at}`]: conversation.threadId });
          },
          id,
        );
        return;
      case 'turnBack': {
        const noted = await this.#in(
          page,
          (at) => Reflect.get(window, `noted-${at}`) as string | undefined,
          id,
        );
        if (noted === undefined) return;
        this.#left.add(id);
        return this.#call(page, id, 'setThread', noted);
      }
      case 'retry':
        this.#isAskedAgain = true;
        return this.#call(page, id, 'retry');
      case 'stop':
      case 'hide':
      case 'show':
      case 'toggle':
        return this.#call(page, id, step);
      case 'draft':
        return this.#call(page, id, 'setDraft', 'draft');
      case 'focus':
        return this.#call(page, id, 'focusComposer');
      case 'transcript':
        return this.#call(page, id, 'exportTranscript', pick(['markdown', 'json', 'jsonl']));
      case 'move':
      case 'remove':
      case 'putBack':
      case 'swap':
        await this.#in(
          page,
          ([at, how, where]) => {
            const element = walker.at(at);
            if (how === 'remove') walker.take(at);
            if (how === 'putBack') walker.putBack(at);
            if (!element.isConnected || how === 'remove') return;
            if (how === 'move') (document.getElementById(where) ?? document.body).append(element);
            if (how === 'swap') {
              const around = document.createElement('div');
              document.body.append(around);
              around.append(element);
              around.remove();
              document.body.append(element);
            }
          },
          [id, step, pick(['one', 'two', ''])] as const,
        );
        return;
      case 'scroll': {
        const [x, y] = [between(20, 600), between(20, 600)];
        await page.mouse.move(x, y);
        if (next() < 0.7) return page.mouse.wheel(0, between(-900, 900));
        return page.keyboard.press(pick(['PageUp', 'PageDown', 'Home', 'End', 'ArrowDown']));
      }
      case 'resize': {
        const size = { width: between(300, 1300), height: between(300, 900) };
        this.#note(`${size.width}x${size.height}`);
        return page.setViewportSize(size);
      }
      case 'cut':
        return proxy.cutAll();
      case 'down':
      case 'up':
        proxy.isDown = step === 'down';
        return;
      case 'offline':
      case 'online':
        return this.#context.setOffline(step === 'offline');
      case 'reload':
        await this.#reload(page);
        if (this.#storage === 'none' || !this.#isKept) for (const each of this.#ids) this.#left.add(each);
    }
  }

  /** Checks in every tab that only transcripts scroll and that header and composer are in view, once animations end. */
  async checkLayout(): Promise<void> {
    for (const page of this.#pages) {
      let faults = await wrongLayout(page);
      for (let look = 0; look < 40 && faults.length > 0; look += 1) {
        if (look === 2) await page.bringToFront(); // in a background tab, the panel's animation does not proceed
        await page.waitForTimeout(50);
        faults = await wrongLayout(page);
      }
      if (faults.length > 0) this.#problem(`layout after ${this.trace.at(-1)}`, faults);
    }
  }

  async end(): Promise<void> {
    const { proxy } = this.#chat;
    proxy.isDown = false;
    proxy.faults = [];
    await this.#context.setOffline(false);
    for (const page of this.#pages) {
      await page.bringToFront();
      for (const id of this.#ids) {
        await this.#in(page, setRight, id);
        await this.#call(page, id, 'show');
      }
    }
    await this.#untilQuiet();
    const page = this.#pages[0] as Page;
    await page.bringToFront();
    for (const id of this.#ids) {
      const told = await this.#tell(page, id);
      const texts = told.said.map(({ text }) => text);
      if (!this.#left.has(id)) {
        for (const [text, to] of this.#said) {
          const times = texts.filter((one) => one === text).length;
          if (to === id && times > 1) this.#problem('said twice', { id, text, told });
          if (to === id && times === 0 && this.#tabs === 1) this.#problem('lost', { id, text, told });
        }
      }
      if (told.wrong.length > 0) this.#problem('other words than the agent said', { id, wrong: told.wrong });
    }
    for (const text of this.#said.keys()) {
      if (!this.#isAskedAgain && this.#chat.asked(text) > 1) this.#problem('ran twice', { text });
    }
    await this.#isUsable(page);
    if (this.#isKept && this.#storage !== 'none' && this.#tabs === 1) await this.#isKeptOver(page);
    await this.#leavesNothing(page);
    const rejections = await this.#in(page, () => walker.rejections, '');
    for (const rejection of rejections) {
      if (!/dynamically imported module|takes a UUID/.test(rejection))
        this.#problem('rejected', { rejection });
    }
  }

  async #isUsable(page: Page): Promise<void> {
    for (const id of this.#ids) {
      const text = this.#newWords(`last ${id}`);
      await this.#call(page, id, 'send', text);
      await this.#untilQuiet();
      const told = await this.#tell(page, id);
      const last = told.said.at(-1);
      if (last?.text !== text || last.run !== 'completed') this.#problem('not usable', { id, told });
      if (told.composer !== 'usable') this.#problem('composer', { id, composer: told.composer });
    }
  }

  async #isKeptOver(page: Page): Promise<void> {
    const before: Record<string, Told> = {};
    for (const id of this.#ids) before[id] = await this.#tell(page, id);
    await this.#reload(page);
    for (const id of this.#ids) await this.#call(page, id, 'show');
    for (const id of this.#ids) {
      let after = await this.#tell(page, id);
      for (let look = 0; look < 40 && after.whole !== before[id]?.whole; look += 1) {
        await page.waitForTimeout(100);
        after = await this.#tell(page, id);
      }
      if (after.whole !== before[id]?.whole)
        this.#problem('another after a reload', { id, before: before[id]?.whole, after: after.whole });
    }
    // late events must not change anything either
    await page.waitForTimeout(500);
    for (const id of this.#ids) {
      const after = await this.#tell(page, id);
      if (after.whole !== before[id]?.whole)
        this.#problem('another a while after a reload', {
          id,
          before: before[id]?.whole,
          after: after.whole,
        });
    }
  }

  async #leavesNothing(page: Page): Promise<void> {
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('agent-chat')) element.remove();
    });
    let left = await leftovers(page);
    for (let look = 0; look < 100 && !isNothing(left); look += 1) {
      await page.waitForTimeout(100);
      left = await leftovers(page);
    }
    if (!isNothing(left)) this.#problem('left behind', { left });
  }

  async #reload(page: Page): Promise<void> {
    await this.#context.setOffline(false);
    await page.reload();
    await page.locator('agent-chat#a').waitFor({ state: 'attached' });
  }

  async #untilQuiet(): Promise<void> {
    let told: Told[] = [];
    let quiet = 0;
    // a stream that stalls counts as lost after 35 s
    for (let look = 0; look < 900 && quiet < 4; look += 1) {
      told = [];
      for (const page of this.#pages) for (const id of this.#ids) told.push(await this.#tell(page, id));
      quiet = told.some(({ isOn }) => isOn) ? 0 : quiet + 1;
      await this.#pages[0]?.waitForTimeout(50);
    }
    if (quiet < 4) this.#problem('never quiet', { told });
  }

  #tell(page: Page, id: string): Promise<Told> {
    return this.#in(page, (at) => walker.tell(at), id);
  }

  #in<Result, Argument>(
    page: Page,
    work: (argument: Argument) => Result,
    argument: Argument,
  ): Promise<Awaited<Result>> {
    return page.evaluate(work as never, argument as never) as Promise<Awaited<Result>>;
  }

  async #call(page: Page, id: string, method: string, argument?: string): Promise<void> {
    await this.#in(
      page,
      ([at, name, words]) => {
        const chat = walker.at(at);
        const call = Reflect.get(chat, name) as (words?: string) => Promise<unknown>;
        Promise.resolve()
          .then(() => call.call(chat, words))
          .catch((error: unknown) => walker.rejections.push(`${name}: ${String(error)}`));
      },
      [id, method, argument] as const,
    );
  }

  #newWords(text: string): string {
    return `Walk ${this.#seed} ${(this.#words += 1)} ${text}`.trim();
  }

  #note(text: string): void {
    this.trace.push(`${this.trace.pop()} ${text}`);
  }

  #problem(name: string, more: unknown): void {
    const told = JSON.stringify(more).replaceAll(/( x y z)+/g, '…');
    this.problems.push(`${name}: ${told.slice(0, 3_000)}`);
  }
}
