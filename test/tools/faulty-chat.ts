import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { asked, held } from '../fixtures/counting-agent.mjs';
import { startService, type RunningService } from '../service/running-service.ts';
import type { FaultPlan } from './fault-plan.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PageServer, type Hooks } from './page-server.ts';

const agentFile = fileURLToPath(new URL('../fixtures/counting-agent.mjs', import.meta.url));
const assets = process.env['ASSETS_DIR'] ?? fileURLToPath(new URL('../../dist/', import.meta.url));

/** State of the last turn, read from the page. */
export interface TurnState {
  readonly connection: string;
  readonly status: string | undefined;
  readonly failure: string | undefined;
  readonly retryable: boolean;
  /** Text of the last answer. */
  readonly text: string;
  readonly length: number;
}

/** A real service whose agents count their messages, a fault proxy in front of it, and a page with the widget. */
export class FaultyChat {
  // the first two are set by `start`
  service!: RunningService;
  proxy!: FaultProxy;
  readonly host = new PageServer();
  #folder = '';
  /** Errors that a visitor does not see: unhandled rejections, errors of the page. */
  readonly faults: string[] = [];
  /** Origins that the page sent requests to. */
  readonly origins = new Set<string>();

  /** Starts all of it. A worker may do so several times, after `close`. */
  async start(): Promise<void> {
    this.origins.clear();
    this.#folder = mkdtempSync(join(tmpdir(), 'agent-chat-faults-'));
    const agents = [
      { id: 'counted', name: 'Counted', kind: 'module', module: agentFile },
      { id: 'demo', name: 'Demo', kind: 'scripted' },
    ];
    const agentsFile = join(this.#folder, 'agents.json');
    writeFileSync(agentsFile, JSON.stringify({ agents }));
    this.service = await startService({ agentsFile, assetsDir: assets, dataDir: this.#folder });
    this.proxy = await FaultProxy.start(this.service.address);
    await this.host.listen();
    this.known = [this.service.address, this.proxy.origin, this.host.origin];
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.host.close();
    await this.service.close();
    rmSync(this.#folder, { recursive: true, force: true });
    const strangers = [...this.origins].filter((origin) => !this.known.includes(origin));
    if (strangers.length > 0) throw new Error(`a page asked ${strangers.join(', ')}`);
  }

  /** Origins that the widget may send requests to: the service, the proxy, and the page's own. */
  known: readonly string[] = [];

  /**
   * Watches a page, or all pages of a context, for errors and for requests to other origins.
   * @returns a function that stops watching new pages, because a context may outlive a test
   */
  watch(target: Page | BrowserContext): () => void {
    const page = (one: Page): void => {
      one.on('pageerror', (error) => this.faults.push(error.stack ?? error.message));
      one.on('request', (request) => {
        if (/^https?:/.test(request.url())) this.origins.add(new URL(request.url()).origin);
      });
    };
    if (!('pages' in target)) {
      page(target);
      return () => undefined;
    }
    target.on('page', page);
    return () => target.off('page', page);
  }

  /** URL of a page with one open chat; attributes as in HTML. */
  async pageUrl(
    attributes = '',
    options: { readonly agent?: string; readonly path?: string; readonly script?: string } = {},
  ): Promise<string> {
    const path = options.path ?? '/chat.html';
    const token = await this.service.token('visitor', { lifetime: 36_000 });
    const agent = options.agent ?? 'counted';
    this.host.pages.set(path, {
      html: `<!doctype html><html lang="en"><title>Host</title><body>
        <agent-chat base-url="${this.proxy.origin}" agent-id="${agent}" open ${attributes}></agent-chat>
        <script>
          window.token = ${JSON.stringify(token)};
          document.querySelector('agent-chat').tokenProvider = () => window.token;
          ${options.script ?? ''}
          addEventListener('unhandledrejection', (event) => setTimeout(() => { throw event.reason }));
        </script>
        <script async src="${this.service.address}/agent-chat.js"></script></body></html>`,
    });
    return this.host.origin + path;
  }

  /**
   * From now on the agent says only the first 16 letters of its answer to this text.
   * @returns a function that lets it say the rest
   */
  hold(text: string): () => void {
    let letGo = (): void => undefined;
    held.set(text, new Promise<void>((resolve) => (letGo = resolve)));
    return () => {
      held.delete(text);
      letGo();
    };
  }

  /** How often the agent received this text. */
  asked(text: string): number {
    return asked.get(text) ?? 0;
  }
}

/** Creates the chat of a file's tests. It runs while they do: use it in hooks and tests only. */
export function faultyChat(test: Hooks): FaultyChat {
  const chat = new FaultyChat();
  test.beforeAll(() => chat.start());
  test.afterAll(() => chat.close());
  return chat;
}

/** As `faultyChat`; and a test fails when one of its pages has an error that a visitor does not see. */
export function watchedChat(test: Hooks & EachHooks): FaultyChat {
  const chat = faultyChat(test);
  let unwatch: () => void;
  test.beforeEach(({ context }) => {
    unwatch = chat.watch(context);
    chat.proxy.requests.length = 0;
  });
  test.afterEach(() => {
    unwatch();
    expect(chat.faults.splice(0)).toEqual([]);
  });
  return chat;
}

interface EachHooks {
  beforeEach(hook: (given: { readonly context: BrowserContext }) => void): void;
  afterEach(hook: () => void): void;
}

/** Reads the state of the last turn. */
export function readTurn(page: Page): Promise<TurnState> {
  return page.evaluate(() => {
    const chat = document.querySelector('agent-chat');
    const conversation = chat?.conversation;
    const run = conversation?.runs.at(-1);
    const answers = conversation?.messages.filter(
      (message) => message.runKey === run?.id && message.role !== 'user' && run !== undefined,
    );
    return {
      connection: chat?.connection ?? 'none',
      status: run?.status,
      failure: run?.failure?.kind,
      retryable: run?.failure?.retryable ?? false,
      text: (answers ?? []).flatMap(({ items }) => items.map(({ text }) => text)).join(''),
      length: conversation?.messages.length ?? 0,
    };
  });
}

/** Whether the turn will not change without an action of the visitor. */
export function isSettled({ connection, status }: TurnState): boolean {
  const isOn = status === undefined || status === 'submitted' || status === 'streaming';
  return !isOn && (connection === 'idle' || connection === 'failed' || connection === 'auth-needed');
}

/**
 * Waits until a turn is settled. Whenever nothing changes, advances the page's clock, further each time.
 * @throws when the turn is not settled after hours of the page's time
 */
export async function settle(page: Page, chat: FaultyChat): Promise<TurnState> {
  let before = '';
  let quiet = 0;
  let leap = 1_000;
  for (let looks = 0; looks < 900; looks += 1) {
    const state = await readTurn(page);
    if (isSettled(state)) return state;
    const now = JSON.stringify([state, chat.proxy.traffic]);
    quiet = now === before ? quiet + 1 : 0;
    if (now !== before) leap = 1_000;
    before = now;
    if (quiet > 4) {
      await page.clock.fastForward(leap);
      leap = Math.min(leap * 2, 40_000);
      quiet = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  throw new Error(`a state that never ends: ${before}`);
}

/** Sends a message under a fault plan. Returns the resulting state, and the state after one action of the visitor. */
export async function playPlan(
  page: Page,
  chat: FaultyChat,
  plan: FaultPlan,
): Promise<{
  readonly first: TurnState;
  readonly last: TurnState;
  readonly words: string;
  /** Number of messages that the visitor sent. */
  readonly turns: number;
}> {
  const words = wordsOf(plan.seed);
  await page.evaluate(() => document.querySelector('agent-chat')?.newThread());
  chat.proxy.faults = [...plan.faults];
  await page.evaluate((text) => {
    void document.querySelector('agent-chat')?.send(text);
  }, words);
  const first = await settle(page, chat);
  if (first.status === 'completed' && first.text === words) return { first, last: first, words, turns: 1 };
  chat.proxy.faults = [];
  await act(page, first, words);
  return { first, last: await settle(page, chat), words, turns: first.retryable ? 1 : 2 };
}

/** Does what a visitor can do: presses the notice's button, or without one sends the message again. */
async function act(page: Page, state: TurnState, words: string): Promise<void> {
  if (state.retryable) {
    const button = page.locator('agent-chat agent-chat-notice button').last();
    await expect(button).toBeVisible();
    if (state.failure === 'rate-limit') {
      await page.clock.runFor(4_000);
      await expect(button).toHaveAttribute('aria-disabled', 'false');
    }
    await button.click();
  } else {
    await expect(page.locator('agent-chat agent-chat-notice .notice').last()).toBeVisible();
    await page.evaluate((text) => {
      void document.querySelector('agent-chat')?.send(text);
    }, words);
  }
  await page.waitForFunction((before) => {
    const chatNow = document.querySelector('agent-chat');
    const run = chatNow?.conversation?.runs.at(-1);
    return chatNow?.conversation?.messages.length !== before || run?.failure === undefined;
  }, state.length);
}

/** The text of a turn: unique, with characters of one to four bytes, and without Markdown. */
function wordsOf(seed: number): string {
  const pieces = [
    'Größe',
    'harbour',
    'café',
    '船が',
    'tide',
    '🚢',
    'naïve',
    'Ж',
    'pier',
    '日本',
    '👩‍🚀',
    'quay',
  ];
  const words = Array.from(
    { length: 18 + (seed % 13) },
    (_, at) => pieces[(seed * 5 + at * 7) % pieces.length],
  );
  return `Plan ${seed} ${words.join(' ')}`;
}
