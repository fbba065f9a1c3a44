import { expect, type BrowserContext, type Page } from '@playwright/test';
import { watchedChat } from '../tools/faulty-chat.ts';
import { seeded } from '../tools/seeded.ts';
import { test } from '../tools/worker-context.ts';

test.describe.configure({ mode: 'parallel' });

const chat = watchedChat(test);

/** Seed of the first walk, and how many: `SEED=7 WALKS=1` repeats one. */
const firstSeed = Number(process.env['SEED'] ?? 4);
const walks = Number(process.env['WALKS'] ?? 1);
/** How many bursts of actions a walk has. */
const bursts = walks > 1 ? 8 : 4;

/** What a tab shows of the conversation. */
interface View {
  readonly threadId: string | undefined;
  readonly texts: readonly string[];
  readonly runs: readonly string[];
  readonly connection: string | undefined;
}

function view(page: Page): Promise<View> {
  return page.evaluate(() => {
    const host = document.querySelector('agent-chat');
    const { threadId, messages = [], runs = [] } = host?.conversation ?? {};
    const texts = messages
      .filter(({ hidden, superseded }) => !hidden && !superseded)
      .map(({ role, items, status }) => `${role}: ${items.map(({ text }) => text).join('')} (${status})`);
    return { threadId, texts, runs: runs.map(({ status }) => status), connection: host?.connection };
  });
}

/** Whether nothing will change any more. */
function isIdle({ connection, runs }: View): boolean {
  return connection === 'idle' && !runs.includes('submitted') && !runs.includes('streaming');
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await untilUsable(page);
  return page;
}

async function untilUsable(page: Page): Promise<void> {
  await page.locator('agent-chat').getByRole('textbox', { name: 'Message' }).waitFor();
}

/** Three tabs of one conversation, and what was done in them. */
class TabWalk {
  readonly tabs: Page[] = [];
  /** Every message sent. */
  readonly sent: string[] = [];
  readonly log: string[] = [];
  readonly #context: BrowserContext;
  readonly #url: string;
  readonly #seed: number;
  readonly #random: ReturnType<typeof seeded>;
  /** Messages since the last new chat. */
  #current: string[] = [];

  constructor(context: BrowserContext, url: string, seed: number) {
    this.#context = context;
    this.#url = url;
    this.#seed = seed;
    this.#random = seeded(seed);
  }

  async start(): Promise<void> {
    for (let count = 0; count < 3; count += 1) this.tabs.push(await openTab(this.#context, this.#url));
  }

  /** Does up to four things at about the same moment, and waits until all tabs show the same. */
  async burst(): Promise<void> {
    const { between, pick } = this.#random;
    const mayClear = between(0, 3) === 0;
    const pending: Promise<unknown>[] = [];
    for (let left = between(1, 4); left > 0; left -= 1) {
      const tab = between(0, 2);
      const kind = pick(['say', 'say', 'say', 'stop', 'reload', 'reopen', mayClear ? 'new chat' : 'say']);
      this.log.push(`${kind} in ${tab}`);
      if (kind === 'say') pending.push(this.#say(tab));
      else if (kind === 'new chat') pending.push(this.#startNewChat(tab));
      else if (kind === 'stop')
        pending.push(this.tabs[tab]!.evaluate(() => void document.querySelector('agent-chat')?.stop()));
      else {
        await Promise.all(pending.splice(0));
        if (!mayClear) await this.#untilShown();
        await this.#leave(tab, kind === 'reopen');
      }
      if (between(0, 1) === 0) await new Promise((resolve) => setTimeout(resolve, between(0, 120)));
    }
    await Promise.all(pending);
    await this.#untilTheSame(mayClear);
  }

  async #say(tab: number): Promise<void> {
    const words = `Message ${this.sent.length} of walk ${this.#seed}, said in a tab`;
    this.sent.push(words);
    this.#current.push(words);
    await this.tabs[tab]!.evaluate((text) => void document.querySelector('agent-chat')?.send(text), words);
  }

  async #startNewChat(tab: number): Promise<void> {
    this.#current = [];
    await this.tabs[tab]!.evaluate(() => void document.querySelector('agent-chat')?.newThread());
  }

  async #leave(tab: number, isClosed: boolean): Promise<void> {
    const page = this.tabs[tab]!;
    if (isClosed) {
      await page.close();
      this.tabs[tab] = await openTab(this.#context, this.#url);
    } else {
      await page.reload();
      await untilUsable(page);
    }
  }

  /** A message is shown once the tab knows which tab runs it; before, leaving the page would lose it. */
  async #untilShown(): Promise<void> {
    const views = async (): Promise<string> => JSON.stringify(await Promise.all(this.tabs.map(view)));
    for (const words of this.#current) await expect.poll(views).toContain(words);
  }

  /** @param mayMiss whether a new chat may have removed messages of this burst */
  async #untilTheSame(mayMiss: boolean): Promise<void> {
    let before = '';
    let still = 0;
    const look = async (): Promise<string> => {
      const views = await Promise.all(this.tabs.map(view));
      const now = JSON.stringify(views);
      still = now === before ? still + 1 : 0;
      before = now;
      const missing = mayMiss
        ? []
        : this.#current.filter((words) => !views[0]!.texts.some((text) => text.includes(`user: ${words}`)));
      const isSame = new Set(views.map((one) => JSON.stringify(one))).size === 1 && views.every(isIdle);
      return isSame && missing.length === 0 && still > 1
        ? 'the same'
        : `${this.log}, missing ${missing}: ${now}`;
    };
    await expect.poll(look, { timeout: 15_000 }).toBe('the same');
    if (mayMiss) this.#current = this.#current.filter((words) => before.includes(words));
    this.log.push('the same');
  }
}

for (let seed = firstSeed; seed < firstSeed + walks; seed += 1) {
  test(`three tabs show the same, whatever is done in them: seed ${seed}`, async ({ context }) => {
    test.setTimeout(120_000);
    const url = await chat.pageUrl('storage="local"', {
      path: `/walk-${seed}.html`,
      script: `document.querySelector('agent-chat').additionalParameters = { delay_ms: 8, chunk_length: 3 };`,
    });
    const walk = new TabWalk(context, url, seed);
    await walk.start();
    for (let burst = 0; burst < bursts; burst += 1) await walk.burst();
    for (const words of walk.sent) expect([walk.log, chat.asked(words) < 2]).toEqual([walk.log, true]);
  });
}
