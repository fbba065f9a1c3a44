import { expect, test } from '@playwright/test';
import type { ListedMessage } from '../../../src/client/agent-client.ts';
import { platformClock } from '../../../src/session/clock.ts';
import { performCommand } from '../../../src/session/session-command.ts';
import { TabLink } from '../../../src/widget/tabs/tab-link.ts';
import { TabSync, type TabHost } from '../../../src/widget/tabs/tab-sync.ts';
import { clientError, type FakeStream } from '../../session/fake-client.ts';
import { delta, Harness } from '../../session/harness.ts';
import { FakeBrowser } from './fake-browser.ts';

let browser: FakeBrowser;
const tabs: Tab[] = [];
test.afterEach(() => {
  for (const { sync, harness } of tabs.splice(0)) {
    sync.stop();
    harness.session.dispose();
  }
  browser.restore();
  serviceAhead = 0;
});

/** How far the service's clock is ahead of that of the tabs, in milliseconds. */
let serviceAhead = 0;

/** What the service keeps of each thread; all tabs ask the same one. */
const kept: { readonly threadId: string; readonly message: ListedMessage }[] = [];
const asked: string[] = [];

/** A tab with a session of its own, and a service that answers every word with itself and replays no run. */
class Tab {
  readonly harness = new Harness({ clock: { ...platformClock } });
  sync: TabSync;
  readonly link: TabLink;
  readonly #host: TabHost;
  /** How long a command takes until its run has begun, in milliseconds. */
  preparation = 0;

  constructor() {
    const { session, client } = this.harness;
    const { runStream } = client;
    client.runStream = (request, options) => {
      const stream = runStream.call(client, request, options);
      void answer(stream as FakeStream, this.pace);
      return stream;
    };
    client.extensions.listMessages = async (threadId) =>
      kept.filter((entry) => entry.threadId === threadId).map(({ message }) => message);
    const { runEvents } = client.extensions;
    client.extensions.runEvents = (runId, options) => {
      const stream = runEvents(runId, options);
      (stream as FakeStream).fail(clientError('HttpError', { status: 404 }));
      return stream;
    };
    this.link = new TabLink('visit', () => undefined);
    this.#host = {
      session,
      isViewed: true,
      unread: 0,
      isShared: true,
      adopt: (change) => session.adopt(change),
      performHere: async (command) => {
        if (this.preparation > 0) await pause(this.preparation);
        await performCommand(session, command);
      },
      setUnread: () => undefined,
      tabsChanged: () => undefined,
    };
    this.sync = new TabSync(this.#host, this.link);
    // as drawing does
    session.subscribe(() => setTimeout(() => this.sync.publish(), 5));
    tabs.push(this);
  }

  async join(): Promise<void> {
    if (await this.link.join()) await this.sync.ready();
  }

  /** Hears the other tabs only from now on, as when what keeps tabs in step has loaded. */
  async meet(): Promise<void> {
    this.sync = new TabSync(this.#host, this.link);
    await this.sync.ready();
  }

  /** Milliseconds between two events of an answer. */
  pace = 10;

  async say(words: string): Promise<void> {
    await this.sync.perform({ kind: 'send', input: { content: words } }, { begins: true });
  }

  async startNewChat(): Promise<void> {
    await this.sync.perform({ kind: 'thread', threadId: undefined }, { begins: false });
  }

  get shown(): readonly string[] {
    return this.harness.transcript.map((line) => line.replace(/ \(.*/, ''));
  }
}

let runs = 0;

async function answer(stream: FakeStream, pace: number): Promise<void> {
  runs += 1;
  const run_id = `R${runs}`;
  const thread_id = String(stream.request?.thread_id ?? `T${runs}`);
  const { content, additional_properties } = stream.request!.message;
  const words = String((content as { text?: string }[])[0]?.text);
  const about = { run_id, thread_id };
  asked.push(words);
  const now = (): string => new Date(Date.now() + serviceAhead).toISOString();
  const prompt = { id: `P${run_id}`, role: 'user', run_id, content: words, created_on: now() };
  kept.push({ threadId: thread_id, message: { ...prompt, ...{ additional_properties } } });
  await pause(pace);
  stream.open().emit('run.started', about).emit('message.started', about);
  for (const part of words.split(/(?<= )/)) {
    await pause(pace);
    delta(stream, part);
  }
  const message = { id: `A${run_id}`, role: 'assistant', parent_message_id: `P${run_id}`, content: words };
  kept.push({ threadId: thread_id, message: { ...message, run_id, created_on: now() } });
  await pause(pace);
  stream.emit('message.created', {
    ...about,
    message_id: message.id,
    message: { ...message, content: [{ response_type: 'text', id: '1', text: words }] },
  });
  stream.emit('run.completed', about).emit('done', about).close();
}

async function open(count: number, options?: { readonly locks: boolean }): Promise<readonly Tab[]> {
  browser = new FakeBrowser(options);
  kept.length = asked.length = 0;
  const opened = Array.from({ length: count }, () => new Tab());
  await Promise.all(opened.map((tab) => tab.join()));
  return opened;
}

/** All words and their answers stand there once in every tab; each was asked once. */
async function expectWhole(words: readonly string[]): Promise<void> {
  const whole = words.flatMap((said) => [`user: ${said}`, `assistant: ${said}`]).sort();
  for (const tab of tabs) await expect.poll(() => [...tab.shown].sort(), { timeout: 4_000 }).toEqual(whole);
  await pause(50);
  for (const tab of tabs) expect([...tab.shown].sort()).toEqual(whole);
  expect([...asked].sort()).toEqual([...words].sort());
}

test('of two tabs that send in the same instant, one runs both turns', async () => {
  const [one, other] = await open(2);
  void one!.say('said on the left');
  void other!.say('said on the right');
  await expectWhole(['said on the left', 'said on the right']);
  expect(tabs.map(({ harness }) => harness.client.posts.length).sort()).toEqual([0, 2]);
});

test('while a tab runs several turns, no other one takes over', async () => {
  const [one, other] = await open(3);
  one!.harness.session.subscribe(() => one!.sync.publish()); // as a draw that does not wait for a frame
  one!.pace = 100; // a turn takes longer than a tab waits for the last message of a closed one
  const words = ['the first', 'the second'];
  for (const text of words) void one!.say(text);
  await expect.poll(() => other!.sync.remote?.busy).toBe(true);
  const seen: (boolean | undefined)[] = [];
  other!.harness.session.subscribe(() => seen.push(other!.sync.remote?.busy));
  await expectWhole(words);
  for (const { harness } of tabs.slice(1)) {
    expect(harness.client.posts).toEqual([]);
    expect(harness.client.replays).toEqual([]);
  }
  expect(seen.slice(0, -2)).not.toContain(undefined); // it leads in between, too
});

test('a tab waits once for the end of another, however many turns that one runs', async () => {
  const [one] = await open(2);
  const { locks } = navigator;
  const requested: string[] = [];
  const request = locks.request.bind(locks) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(locks, {
    request: (name: string, ...rest: unknown[]) => {
      requested.push(name);
      return request(name, ...rest);
    },
  });
  const words = ['the first', 'the second', 'the third'];
  for (const [count, text] of words.entries()) {
    void one!.say(text);
    await expectWhole(words.slice(0, count + 1));
  }
  expect(requested.filter((name) => name.includes(' tab '))).toHaveLength(1);
});

test('a tab keeps the run while what it sends is prepared', async () => {
  const [one, other] = await open(2);
  one!.preparation = 60;
  void one!.say('prepared for long');
  await pause(20);
  void other!.say('said meanwhile');
  await expectWhole(['prepared for long', 'said meanwhile']);
  expect(tabs.map(({ harness }) => harness.client.posts.length).sort()).toEqual([0, 2]);
});

test('a tab that is closed while it waits to lead keeps what was said in it', async () => {
  const [one] = await open(2);
  // another tab is about to start a run
  void navigator.locks.request('visit run', {}, () => new Promise(() => undefined));
  await pause(20);
  void one!.say('said before it was closed');
  await pause(50);
  expect(one!.shown).toEqual([]);
  one!.sync.stop();
  await undefined; // a page that is left runs microtasks, no timers
  await undefined;
  await undefined;
  expect(one!.shown).toEqual(['user: said before it was closed']);
});

for (const isBegun of [true, false]) {
  const name = isBegun ? 'begun' : 'new';
  test(`without locks both tabs run a turn, and both show both: a conversation that is ${name}`, async () => {
    const [one, other] = await open(2, { locks: false });
    const before = isBegun ? ['said before'] : [];
    if (isBegun) {
      void one!.say('said before');
      await expectWhole(before);
    }
    other!.pace = 25;
    void one!.say('said on the left');
    void other!.say('said on the right');
    await expectWhole([...before, 'said on the left', 'said on the right']);
    expect(tabs.map(({ harness }) => harness.client.posts.length).sort()).toEqual(isBegun ? [1, 2] : [1, 1]);
  });
}

for (const which of [0, 1])
  test(`a new chat in tab ${which} empties both, after both tabs ran a turn`, async () => {
    const both = await open(2, { locks: false });
    both[1]!.pace = 25;
    void both[0]!.say('said on the left');
    void both[1]!.say('said on the right');
    await expectWhole(['said on the left', 'said on the right']);
    void both[which]!.startNewChat();
    kept.length = asked.length = 0;
    await expectWhole([]);
    void both[1 - which]!.say('said in the new chat');
    await expectWhole(['said in the new chat']);
  });

test('a new chat and a message at the same moment leave both tabs with the same conversation', async () => {
  const both = await open(2);
  for (let round = 0; round < 10; round += 1) {
    const [chats, says] = round % 2 === 0 ? both : [both[1], both[0]];
    const [first, second] = round % 4 < 2 ? [0, round % 7] : [round % 5, 0];
    await Promise.all([
      pause(first).then(() => chats!.startNewChat()),
      pause(second).then(() => says!.say(`said in round ${round}`)),
    ]);
    await expect
      .poll(() => {
        const views = both.map(({ shown }) => JSON.stringify(shown));
        return both.every(({ harness }) => !harness.session.busy) && new Set(views).size === 1
          ? 'the same'
          : views;
      })
      .toBe('the same');
  }
});

test('what a sleeping tab did not take, another tab does: the sleeper does not do it again', async () => {
  const [one, other] = await open(2);
  one!.pace = 400;
  void one!.say('a long answer');
  await expect.poll(() => other!.sync.remote?.busy).toBe(true);
  browser.asleep.add(0);
  void other!.say('said while it sleeps');
  await expect.poll(() => other!.harness.client.posts.length, { timeout: 3_000 }).toBe(1);
  browser.wake(0);
  await expectWhole(['a long answer', 'said while it sleeps']);
});

/** Three tabs, of which the first meets the others only after it has done something. */
async function meetLate(act: (tab: Tab) => Promise<void>): Promise<void> {
  const [one] = await open(1);
  one!.link.onMessage = () => undefined;
  for (const other of [new Tab(), new Tab()]) await other.join();
  await act(one!);
  await one!.meet();
}

test('what a tab has asked before it met the others stays', async () => {
  await meetLate(async (tab) => {
    await tab.say('said early');
    await tab.say('said soon after');
  });
  await expectWhole(['said early', 'said soon after']);
});

test('a new chat that began before a tab met the others stays', async () => {
  const lengths = new Set<number>();
  await meetLate(async (tab) => {
    await tabs[1]!.say('said before the new chat');
    const { session } = tab.harness;
    await performCommand(session, { kind: 'thread', threadId: undefined });
    tab.link.generation += 1; // as `TabGroup` does
    session.subscribe(() => lengths.add(tab.shown.length));
  });
  await expect.poll(() => tabs.map(({ shown }) => shown.length)).toEqual([0, 0, 0]);
  expect([...lengths].filter(Boolean)).toEqual([]);
});

test('a tab that has heard nothing of a conversation does not empty it', async () => {
  const [one] = await open(2);
  await one!.say('said before');
  await expectWhole(['said before']);
  const late = new Tab();
  // a fourth tab asks it before those have told it
  late.sync.receive({ kind: 'hello', from: 'the fourth', threadId: undefined });
  await expectWhole(['said before']);
});

test('a run that was cut off in a tab is shown as another one has read it to its end', async () => {
  const [one] = await open(1);
  one!.pace = 200;
  void one!.say('a long answer of many words');
  await expect.poll(() => one!.shown.at(-1)).toMatch(/^assistant: a /);
  one!.harness.session.suspend();
  expect(one!.harness.run.status).toBe('interrupted');
  const other = new Tab();
  await other.join();
  await expect.poll(() => other.shown.length).toBe(2);
  other.harness.session.adopt(({ messages, runs, ...others }) => ({
    ...others,
    messages: messages.map((message) =>
      message.role === 'user'
        ? message
        : {
            ...message,
            status: 'complete',
            items: message.items.map((item) => ({ ...item, text: 'the end' })),
          },
    ),
    runs: runs.map((run) => ({ ...run, status: 'completed', done: true, endedAt: run.startedAt + 1 })),
  }));
  await expect.poll(() => one!.shown).toEqual(['user: a long answer of many words', 'assistant: the end']);
  expect(one!.harness.run.status).toBe('completed');
});

for (const ahead of [-3_600_000, 0])
  test(`what was said in turn in two tabs has one order in both, with a service whose clock is ${ahead} ms ahead`, async () => {
    serviceAhead = ahead;
    const [one] = await open(1);
    void one!.say('said while alone');
    await expectWhole(['said while alone']);
    browser.asleep.add(0);
    const other = new Tab();
    await other.join();
    const readThread = async (): Promise<void> => {
      other.harness.session.setThread(one!.harness.session.conversation.threadId);
      await other.harness.session.loadHistory();
    };
    await readThread();
    await other.say('said in the second tab');
    await readThread(); // from now on, it has the service's times
    await one!.say('said in the first tab');
    browser.wake(0);
    const words = ['said while alone', 'said in the second tab', 'said in the first tab'];
    await expectWhole(words);
    for (const { shown } of tabs)
      expect(shown).toEqual(words.flatMap((said) => [`user: ${said}`, `assistant: ${said}`]));
  });

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
