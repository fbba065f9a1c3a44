import { expect } from '@open-wc/testing';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { ChatFixture, freshTurn, RunService, streamOf, until } from '../chat-fixture.ts';

describe('a page that the browser shows again', () => {
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(() => {
    service = new RunService(() => freshTurn(['An answer.']));
    chat = ChatFixture.begin({ storage: 'session' });
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  it('shows the conversation that the page after it saves while it is left', async () => {
    await chat.open();
    chat.say('Said on this page');
    await chat.answered(1);
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    const key = Object.keys(sessionStorage).find((name) => name.endsWith(' conversation')) ?? '';
    const saved = sessionStorage.getItem(key) ?? '';
    sessionStorage.removeItem(key); // a new chat on the other page
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    setTimeout(() => sessionStorage.setItem(key, saved.replaceAll('this page', 'the other')), 40);
    await until(() => chat.texts('agent-chat-visitor-message').join().includes('Said on the other'));
  });
});

describe('a page that is left', () => {
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(() => {
    service = new RunService(() => freshTurn(['An answer.']));
    chat = ChatFixture.begin({ storage: 'local' });
  });
  afterEach(() => {
    chat.remove();
    service.stop();
    localStorage.clear();
  });

  /** Leaves the page; then it runs microtasks, but no timers. */
  async function leave(): Promise<string> {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
    for (let microtask = 0; microtask < 20; microtask += 1) await undefined;
    const key = Object.keys(localStorage).find((name) => name.endsWith(' conversation')) ?? '';
    return localStorage.getItem(key) ?? '';
  }

  it('saves a message that waits until it is known whether other tabs exist', async () => {
    const { locks } = navigator;
    const query = locks.query.bind(locks);
    locks.query = () => new Promise(() => undefined);
    try {
      await chat.open();
      chat.say('Said just before');
      expect(await leave()).to.contain('Said just before');
    } finally {
      locks.query = query;
    }
  });

  it('saves a message that waits because another tab is about to start a run', async () => {
    await chat.open();
    chat.say('Said first');
    await chat.answered(1);
    const tab = / tab [^ ]+$/;
    const names = async (): Promise<(string | undefined)[]> =>
      (await navigator.locks.query()).held?.map(({ name }) => name) ?? [];
    await until(async () => (await names()).some((name) => name && tab.test(name)));
    const name = (await names()).find((held) => held && tab.test(held))!.replace(tab, '');
    const otherTab = new BroadcastChannel(name);
    otherTab.postMessage({ kind: 'hello', from: 'other tab' });
    let release = (): void => undefined;
    const isLeading = new Promise<void>((begin) => {
      void navigator.locks.request(`${name} run`, async () => {
        begin();
        await new Promise<void>((resolve) => (release = resolve));
      });
    });
    try {
      await isLeading;
      await new Promise((resolve) => setTimeout(resolve, 50));
      chat.say('Said just before');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(service.posted.length).to.equal(1);
      const saved = JSON.parse(await leave()) as { readonly conversation: Conversation };
      const { items, status } = saved.conversation.messages.at(-1)!;
      // in the queue: the next page sends it
      expect([items[0]?.text, status]).to.deep.equal(['Said just before', 'queued']);
      expect(service.posted.length).to.equal(1);
    } finally {
      release();
      otherTab.close();
    }
  });
});

describe('an answer that is cut off because the page is left', () => {
  let service: RunService;
  let chat: ChatFixture;
  const pieces = Array.from({ length: 600 }, (_, index) => `word ${index} `);
  /** Replays the answer to its end. */
  let goOn: () => void;
  const status = (): string => chat.texts('agent-chat-header .status').join();
  beforeEach(async () => {
    const turn = freshTurn(pieces);
    // words still arrive as the page is left
    service = new RunService(() => streamOf(turn.slice(0, 500), { pauseMs: 5 }));
    const replay = new Promise<Response>((resolve) => (goOn = () => resolve(streamOf(turn))));
    service.other = ({ url }) => {
      if (/\/runs\/.*\/events$/.test(url.pathname)) return replay;
      // a slow network: the history comes too late
      return url.pathname.endsWith('/messages') ? new Promise(() => undefined) : undefined;
    };
    chat = ChatFixture.begin({ storage: 'session' });
    await chat.open();
    chat.say('A question');
    await until(() => chat.lastAnswer.includes('word 9'));
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  /** In each frame until the answer goes on, nothing says that it failed. */
  async function expectResumed(): Promise<void> {
    const heard: string[] = [];
    const region = chat.find('agent-chat-panel [aria-live]');
    new MutationObserver(() => heard.push(region.lastElementChild?.textContent ?? '')).observe(region, {
      childList: true,
    });
    for (let frame = 0; frame < 120; frame += 1) {
      expect(chat.texts('agent-chat-notice'), `frame ${frame}`).to.deep.equal([]);
      expect(status()).to.be.oneOf(['Online', 'Reconnecting…']);
      await new Promise(requestAnimationFrame);
    }
    expect(status()).to.equal('Reconnecting…');
    expect(heard.filter((text) => text && text !== 'Working on it…')).to.deep.equal(['Reconnecting…']);
    goOn();
    await chat.answered(1);
    expect(chat.lastAnswer).to.equal(pieces.join('').trim());
  }

  it('is resumed on the next page without an alarm', async () => {
    const saved = (): string | undefined =>
      Object.values<string>({ ...sessionStorage }).find((text) => text.includes('word 9'));
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
    await until(saved);
    const stored = { ...sessionStorage };
    chat.remove();
    chat = ChatFixture.begin({ storage: 'session' });
    Object.assign(sessionStorage, stored);
    await chat.open();
    await expectResumed();
  });

  it('is resumed without an alarm when the browser shows the page again', async () => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    await new Promise(requestAnimationFrame);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await expectResumed();
  });
});

describe('a tab that is hidden', () => {
  let service: RunService;
  let chat: ChatFixture;
  /** Whether each request for the thread's events is still open, in their order. */
  let following: boolean[];
  let histories: number;
  let releases: (() => void)[];

  beforeEach(() => {
    following = [];
    histories = 0;
    releases = [];
    service = new RunService(() => freshTurn(['An answer.']));
    service.other = ({ url }) => {
      // chats of former tests are left by and by
      const [, ofThread] = url.pathname.split(`/threads/${service.threadId}/`);
      if (ofThread === 'messages') histories += 1;
      if (ofThread !== 'events') return undefined;
      const at = following.push(true) - 1;
      const body = new ReadableStream({ cancel: () => void (following[at] = false) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    chat = ChatFixture.begin({ storage: 'session' });
  });
  afterEach(() => {
    setHidden(false);
    for (const release of releases) release();
    chat.remove();
    service.stop();
  });

  function setHidden(isHidden: boolean): void {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }

  /** What as many other hidden tabs do. */
  async function hideOthers(count: number): Promise<void> {
    for (let place = 1; place <= count; place += 1)
      await new Promise<void>((held) => {
        void navigator.locks.request(`agent-chat hidden ${place}`, () => {
          held();
          return new Promise<void>((release) => releases.push(release));
        });
      });
  }

  async function ask(): Promise<void> {
    await chat.open();
    chat.say('Hello');
    await chat.answered(1);
    await until(() => following.length === 1);
  }

  it('follows its thread while one other hidden tab does', async () => {
    await hideOthers(1);
    await ask();
    setHidden(true);
    await until(async () =>
      (await navigator.locks.query()).held?.some(({ name }) => name === 'agent-chat hidden 2'),
    );
    expect(following).to.deep.equal([true]);
    setHidden(false);
    await until(async () =>
      (await navigator.locks.query()).held?.every(({ name }) => name !== 'agent-chat hidden 2'),
    );
  });

  it('pauses when two others do, so that the browser has connections left, and returns with what it missed', async () => {
    await hideOthers(2);
    await ask();
    setHidden(true);
    await until(() => following.join() === 'false');
    const before = histories;
    setHidden(false);
    await until(() => following.join() === 'false,true');
    await until(() => histories > before);
  });
});
