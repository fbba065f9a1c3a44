import { expect } from '@open-wc/testing';
import type { PageTool } from '../../../../src/widget/index.ts';
import { ChatFixture, type RunService, until } from '../../chat-fixture.ts';
import { deepAll, textOf } from '../../content/item-fixture.ts';
import { demoService } from '../../demo-service.ts';

// What needs a reload, several tabs or a service that keeps threads is in page-tools.e2e.ts.
describe('tools of a page', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  let runs: number;
  beforeEach(() => {
    service = demoService();
    runs = 0;
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  function highlight(change: Partial<PageTool> = {}): PageTool {
    return {
      name: 'highlight',
      title: 'Highlight a berth',
      inputSchema: { type: 'object', properties: { berth: { type: 'string', title: 'Berth' } } },
      execute: ({ berth }) => {
        runs += 1;
        return `Berth ${String(berth)} is lit`;
      },
      ...change,
    };
  }

  async function open(
    tools: readonly PageTool[],
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    chat = ChatFixture.begin(attributes);
    for (const tool of tools) chat.host.registerTool(tool);
    await chat.open();
  }

  /** Waits until the agent's last request to use the page shows this. */
  function cardShows(words: string | RegExp): Promise<void> {
    return until(() => {
      const shown = chat.texts('agent-chat-page-tool').at(-1) ?? '';
      return typeof words === 'string' ? shown.includes(words) : words.test(shown);
    });
  }
  const answerHas = (words: string): Promise<void> => until(() => chat.lastAnswer.includes(words));

  async function decide(name: string): Promise<void> {
    await until(() => chat.button(name));
    chat.button(name).click();
  }

  /** Gathers what is announced. */
  function listen(): string[] {
    const spoken: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records)
        spoken.push(...[...addedNodes].map((node) => node.textContent ?? ''));
    });
    for (const live of chat.all('[aria-live=polite]')) observer.observe(live, { childList: true });
    return spoken;
  }

  it('a chat with tools that was removed no longer listens to the page', async () => {
    const listening = new Set<unknown>();
    const { addEventListener: add, removeEventListener: remove } = document;
    document.addEventListener = (type: string, ...rest: [never]) => {
      if (type === 'visibilitychange') listening.add(rest[0]);
      add.call(document, type, ...rest);
    };
    document.removeEventListener = (type: string, ...rest: [never]) => {
      listening.delete(rest[0]);
      remove.call(document, type, ...rest);
    };
    try {
      await open([highlight()]);
      chat.say('Hello');
      await chat.answered(1);
      expect(listening.size).to.be.greaterThan(0);
      chat.remove();
      await until(() => listening.size === 0);
    } finally {
      Object.assign(document, { addEventListener: add, removeEventListener: remove });
    }
  });

  it('a tool that cannot be offered, and one whose policy does not hold, are reported before a message', async () => {
    const told: string[] = [];
    const note = ({ code, message }: { readonly code: string; readonly message: string }): unknown =>
      told.push(`${code}: ${message}`);
    document.addEventListener('agent-chat-diagnostic', note);
    await open([
      { name: 'light a berth', execute: () => '' },
      { name: 'pay', policy: 'never', execute: () => '' },
    ]);
    await until(() => told.length > 0);
    document.removeEventListener('agent-chat-diagnostic', note);
    expect(told).to.have.length(1);
    expect(told[0]).to.match(
      /^page-tool: Not offered to the agent: light a berth\. .*before pay: the policy/,
    );
  });

  it('a page that cancels a result keeps its words back, and the agent hears that', async () => {
    let cancelled = 0;
    await open([highlight()]);
    chat.host.addEventListener('agent-chat-message-submit', (event) => {
      if (!JSON.stringify(event.message).includes('page_tool_result')) return;
      cancelled += 1;
      event.preventDefault();
    });
    chat.say('/page-tool');
    await decide('Allow');
    await cardShows(/Failed on this page\s*The page kept the result back; the tool has run/);
    await answerHas('kept the result back');
    expect(textOf(chat.host)).not.to.contain('C 14 is lit');
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // its lock ends
    expect([cancelled, runs]).to.deep.equal([1, 1]);
    expect(JSON.stringify(service.posted)).not.to.contain('C 14 is lit');
  });

  it('what the visitor does not allow never runs, and what is announced says so', async () => {
    await open([highlight()]);
    const spoken = listen();
    chat.say('/page-tool');
    await decide('Don’t allow');
    await cardShows('Not allowed');
    await answerHas('declined');
    expect(runs).to.equal(0);
    await until(() => {
      expect([...new Set(spoken)].filter((text) => text.includes('Highlight a berth'))).to.deep.equal([
        'May the assistant do this on this page? Highlight a berth',
        'Highlight a berth: Not allowed',
      ]);
      return true;
    });
  });

  it('a tool that only reads runs unasked if the page says so, and no other', async () => {
    await open([highlight({ policy: 'never', readOnly: true })]);
    chat.say('/page-tool');
    await answerHas('Berth C 14 is lit');
    chat.remove();
    await open([highlight({ policy: 'never' })]);
    chat.say('/page-tool');
    await cardShows('May the assistant do this on this page?');
    expect(runs).to.equal(1);
  });

  it('while the page works on what was asked, no reply is asked for', async () => {
    let finish = (_result: string): void => undefined;
    const execute = (): Promise<string> => new Promise((resolve) => (finish = resolve));
    await open([highlight({ policy: 'never', readOnly: true, execute })]);
    const spoken = listen();
    chat.say('/page-tool');
    await cardShows('In progress on this page');
    await until(() => !textOf(chat.host).includes('Your reply is needed'));
    expect(chat.buttons('Copy')).to.have.length(0);
    finish('Berth C 14 is lit');
    await answerHas('Berth C 14 is lit');
    await until(() => spoken.includes('Highlight a berth: Done on this page'));
    expect(spoken).not.to.include('Your reply is needed');
  });

  it('a page that no longer has the tool says so to the agent', async () => {
    await open([]);
    const takeBack = chat.host.registerTool(highlight());
    chat.say('/page-tool');
    await cardShows('May the assistant do this on this page?');
    takeBack();
    await cardShows('This page no longer offers this');
    await answerHas('gone');
  });

  it('runs once where locks are not permitted, as in a sandboxed frame', async () => {
    const request = (): Promise<never> => Promise.reject(new DOMException('denied', 'SecurityError'));
    const locks = { request, query: request };
    Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
    try {
      await open([highlight()]);
      chat.say('/page-tool');
      await decide('Allow');
      await answerHas('Berth C 14 is lit');
      expect(runs).to.equal(1);
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('without locks, a window that has no focus runs nothing unasked: another one may', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    document.hasFocus = () => false;
    try {
      await open([highlight({ policy: 'never', readOnly: true })]);
      chat.say('/page-tool');
      await cardShows('May the assistant do this on this page?');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(runs).to.equal(0);
      await decide('Allow');
      await answerHas('Berth C 14 is lit');
      expect(runs).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'hasFocus');
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('without locks, a window does not speak for a tool that another one still runs', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    const threadId = crypto.randomUUID();
    let finish = (_result: string): void => undefined;
    const execute = (): Promise<string> => new Promise((resolve) => (finish = resolve));
    const other = document.createElement('agent-chat');
    try {
      await open([highlight({ execute })], { 'thread-id': threadId });
      for (const [name, value] of Object.entries({ 'agent-id': 'a', token: 't', 'thread-id': threadId }))
        other.setAttribute(name, value);
      other.registerTool(highlight({ execute }));
      document.body.append(other);
      await other.show();
      chat.say('/page-tool');
      await until(() => deepAll(other, 'agent-chat-page-tool').length > 0);
      await decide('Allow');
      await until(() => deepAll(other, 'agent-chat-page-tool').map(textOf).join().includes('In progress'));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(service.posted).to.have.length(1);
      finish('Berth C 14 is lit');
      await answerHas('Berth C 14 is lit');
      expect(JSON.stringify(service.posted)).not.to.contain('interrupted');
    } finally {
      other.remove();
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('the tools that a page offers by WebMCP are offered where page-tools says so', async () => {
    const inputSchema = '{"type":"object","properties":{"berth":{"type":"string"}}}';
    const tools = [{ name: 'highlight', description: 'Lights a berth', window, inputSchema }];
    const modelContext = {
      getTools: () => Promise.resolve(tools),
      executeTool: (_tool: unknown, input: string) => {
        const { berth } = JSON.parse(input) as { readonly berth: string }; // as its schema says
        return Promise.resolve(JSON.stringify(`lit by WebMCP: ${berth}`));
      },
    };
    Object.defineProperty(document, 'modelContext', { value: modelContext, configurable: true });
    try {
      await open([], { 'page-tools': 'webmcp' });
      chat.say('/page-tool');
      await decide('Allow');
      await answerHas('lit by WebMCP: C 14');
      chat.remove();
      await open([]);
      chat.say('/page-tool');
      await answerHas('This page offers no tools');
    } finally {
      Reflect.deleteProperty(document, 'modelContext');
    }
  });

  it('a tool of WebMCP that throws a TypeError has run, and is not run again', async () => {
    const modelContext = {
      getTools: () => Promise.resolve([{ name: 'highlight', window, inputSchema: '{}' }]),
      executeTool: () => {
        runs += 1;
        return Promise.reject(new TypeError('berth is undefined'));
      },
    };
    Object.defineProperty(document, 'modelContext', { value: modelContext, configurable: true });
    try {
      await open([], { 'page-tools': 'webmcp' });
      chat.say('/page-tool');
      await decide('Allow');
      await answerHas('berth is undefined');
      expect(runs).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'modelContext');
    }
  });
});
