import { expect } from '@open-wc/testing';
import { ChatFixture, freshTurn, serve, streamOf, until, type Answer } from '../chat-fixture.ts';
import { deep, deepAll, textOf } from '../content/item-fixture.ts';

const wrong = [
  { attribute: 'theme', value: 'purple', property: 'theme', kept: 'dark', allowed: 'light, dark, auto' },
  { attribute: 'width', value: '-5', property: 'width', kept: '500px', allowed: 'positive length' },
  {
    attribute: 'primary-color',
    value: 'url(x)',
    property: 'primaryColor',
    kept: '#123456',
    allowed: 'CSS colour',
  },
  { attribute: 'version', value: '1.5', property: 'version', kept: 3, allowed: 'whole number' },
  {
    attribute: 'enable-text-streaming',
    value: 'maybe',
    property: 'enableTextStreaming',
    kept: false,
    allowed: 'true or false',
  },
  {
    attribute: 'thread-id',
    value: 'abc',
    property: 'threadId',
    kept: '123e4567-e89b-12d3-a456-426614174000',
    allowed: 'UUID',
  },
  {
    attribute: 'base-url',
    value: 'javascript:alert(1)',
    property: 'baseUrl',
    kept: 'https://chat.example/',
    allowed: 'http',
  },
] as const;

describe('input that is not as documented', function () {
  this.timeout(30_000);
  const { warn } = console;
  let chat: ChatFixture;
  let diagnostics: string[];
  const faults: string[] = [];
  const note = ({ message }: ErrorEvent): unknown => faults.push(message);
  let answer: Answer;
  let stopServing: () => void;

  before(() => addEventListener('error', note));
  after(() => removeEventListener('error', note));
  beforeEach(() => {
    faults.length = 0;
    diagnostics = [];
    console.warn = (text: unknown) => void diagnostics.push(String(text));
    answer = () => undefined;
    stopServing = serve((request) => answer(request));
  });
  afterEach(() => {
    chat.remove();
    stopServing();
    console.warn = warn;
    expect(faults).to.deep.equal([]);
  });

  const texts = (selector: string): string[] => deepAll(chat.host, selector).map(textOf);
  const runs =
    (stream: (posted: { message: { content: unknown[]; context?: unknown } }) => Response): Answer =>
    ({ url, body }) =>
      url.pathname.endsWith('/runs/stream') ? stream(JSON.parse(body)) : undefined;
  const press = (root: string, name: string): void =>
    deepAll(deep(chat.host, root), 'button')
      .find((button) => textOf(button) === name)
      ?.click();

  for (const { attribute, value, property, kept, allowed } of wrong) {
    it(`${attribute}="${value}" leaves the former value and says what is allowed`, async () => {
      chat = ChatFixture.begin();
      chat.host.setAttribute(attribute, String(kept));
      chat.host.setAttribute(attribute, value);
      expect(chat.host[property]).to.equal(kept);
      const diagnosed = (): string[] => diagnostics.filter((text) => text.includes(attribute));
      await until(() => diagnosed().length > 0); // its words load
      const told = diagnosed();
      expect(told).to.have.length(1);
      expect(told[0]).to.contain(value);
      expect(told[0]).to.contain(allowed);
    });
  }

  it('dir="right" is told what is allowed, without the empty value', async () => {
    chat = ChatFixture.begin({ dir: 'right' });
    await until(() => diagnostics.length > 0);
    expect(diagnostics.join()).to.contain('allowed: ltr, rtl, auto. The');
  });

  it('a page that gives no token is told how to give one, once', async () => {
    chat = ChatFixture.begin();
    chat.host.removeAttribute('token');
    await chat.open();
    chat.say('Hello');
    await until(() => texts('.notice').some((text) => /sign in/i.test(text)));
    const said = (): readonly string[] =>
      diagnostics.filter((text) => text.includes('token-url or tokenProvider'));
    await until(() => said().length > 0); // its words load
    expect(said()).to.have.length(1);
  });

  it('entries and fields of another shape in the JSON are left out, told once, and the rest stands', async () => {
    chat = ChatFixture.begin(
      {},
      {
        starters: [null, { title: 'Tides', description: {} }, { prompt: 'no title' }],
        strings: {
          'composer.placeholder': 5,
          'composer.send': null,
          'launcher.open': null,
          'launcher.close': 3,
        },
        mentionables: [
          null,
          { id: '2', name: 'Al' },
          { id: '123e4567-e89b-12d3-a456-426614174001', name: 'Ann', rank: 3 },
        ],
        header: { subtitle: {}, disclaimer: 'Fine print' },
        feedback_reasons: 'x',
        allowed_origins: { images: [null, 'https://pictures.example'] },
        context: 'x',
      },
    );
    await chat.open();
    await until(() => texts('[part~=starter]').length > 0);
    expect(texts('[part~=starter]')).to.deep.equal(['Tides']);
    expect(chat.composer.placeholder).to.match(/[a-z]/i);
    expect(texts('[part~=header-status]').join()).not.to.contain('object');
    expect(texts('[part~=disclaimer]')).to.deep.equal(['Fine print']);
    chat.composer.focus();
    chat.write('@A');
    await until(() => texts('[part~=mentions] [role=option]').length > 0);
    expect(texts('[part~=mentions] [role=option]')).to.deep.equal(['Ann']);
    const told = diagnostics.filter((text) => text.includes('Ignored because'));
    expect(told.filter((text) => text.includes('starters'))).to.have.length(1);
    expect(told.join()).to.contain('starters[0], starters[1].description, starters[2]');
    for (const path of [
      'strings.composer.placeholder',
      'mentionables[1].id, mentionables[1]',
      'header.subtitle',
      'feedbackReasons',
    ])
      expect(told.join()).to.contain(path);
  });

  it('an option of another shape altogether leaves the former one in force', async () => {
    chat = ChatFixture.begin({}, { starters: [{ title: 'Tides' }] });
    await chat.open();
    Reflect.set(chat.host, 'starters', 'x');
    await until(() => diagnostics.join().includes('starters'));
    await until(() => texts('[part~=starter]').join() === 'Tides');
    Reflect.set(chat.host, 'starters', []);
    await until(() => texts('[part~=starter]').length === 0);
  });

  it('a new layout replaces the former one, and taking it back leaves what the attributes say', () => {
    chat = ChatFixture.begin();
    const { host } = chat;
    host.setAttribute('accent-color', '#00ff00');
    host.layout = { primary_color: '#ff0000', theme: 'dark' };
    expect([host.primaryColor, host.theme]).to.deep.equal(['#ff0000', 'dark']);
    host.layout = { theme: 'light' };
    expect([host.primaryColor, host.theme]).to.deep.equal(['#1f3a5f', 'light']);
    host.layout = undefined;
    expect([host.theme, host.accentColor]).to.deep.equal(['auto', '#00ff00']);
  });

  it('an upload that gives no id has failed, and a message put in place of another goes out', async () => {
    chat = ChatFixture.begin();
    const contexts: unknown[] = [];
    answer = runs(({ message }) => {
      contexts.push(message.context);
      return streamOf(freshTurn(['x']));
    });
    Reflect.set(chat.host, 'uploadDocument', () => Promise.resolve(7));
    chat.host.addEventListener('agent-chat-message-submit', (event) => {
      event.message = { ...event.message, context: { stamp: 1 } };
    });
    await chat.open();
    await until(() => deepAll(chat.host, 'input[type=file]').length > 0);
    const input = deep<HTMLInputElement>(chat.host, 'input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['x'], 'a.txt', { type: 'text/plain' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => diagnostics.join().includes('must resolve to the id of the document, a UUID'));
    void chat.host.send('Hello').catch(() => undefined);
    await until(() => contexts.length > 0);
    expect(contexts[0]).to.deep.include({ stamp: 1 });
  });

  it('a renderer is called again only for what it draws, and cleans up before', async () => {
    chat = ChatFixture.begin();
    const content = [{ response_type: 'user_defined', id: 'u', user_defined: {} }];
    answer = runs(() =>
      streamOf(
        freshTurn(['x']).map(({ data, ...event }) => {
          const message = data['message'];
          return { ...event, data: message ? { ...data, message: { ...message, content } } : data };
        }),
      ),
    );
    const counts = { calls: 0, cleaned: 0 };
    void chat.host.registerRenderer('user_defined', (_item, container) => {
      counts.calls += 1;
      container.replaceChildren(document.createElement('input'));
      return () => (counts.cleaned += 1);
    });
    await chat.open();
    await chat.host.send('Hello');
    const inputs = (): NodeListOf<HTMLInputElement> => document.querySelectorAll('agent-chat > div > input');
    await until(() => inputs().length === 1);
    const [input] = inputs();
    if (input) input.value = 'typed';
    Object.assign(chat.host, { theme: 'dark', heading: 'Harbour' });
    await until(() => texts('[part~=header-name]').join() === 'Harbour');
    expect(inputs()[0]?.value).to.equal('typed');
    await chat.host.newThread();
    await until(() => inputs().length === 0);
    expect(counts.cleaned).to.equal(counts.calls);
  });

  it('a panel that cannot be made is told and said by the launcher, and comes once it can', async () => {
    chat = ChatFixture.begin();
    chat.host.removeAttribute('lang');
    await until(() => deepAll(chat.host, '.launcher').length > 0);
    const launcher = deep(chat.host, '.launcher');
    Object.defineProperty(navigator, 'languages', {
      configurable: true,
      get: () => {
        throw new Error('not today');
      },
    });
    launcher.click();
    await until(() => /could not be loaded/.test(launcher.ariaLabel ?? textOf(launcher)));
    expect(diagnostics.join()).to.contain('not today');
    Reflect.deleteProperty(navigator, 'languages');
    await until(() => deepAll(chat.host, '.panel').some((panel) => panel.checkVisibility()));
  });

  it('a stream that ends early keeps the partial text, says so and offers Retry', async () => {
    chat = ChatFixture.begin();
    let posts = 0;
    answer = runs(({ message }) => {
      posts += 1;
      expect(message.content).to.have.length(1);
      const events = freshTurn(['Only the ', 'first half', ' and the rest.']);
      return streamOf(posts === 1 ? events.slice(0, 4) : events, { pauseMs: 10 });
    });
    await chat.open();
    chat.say('Tell me');
    await until(() => texts('.notice').some((text) => text.includes('Connection lost')));
    expect(texts('.answer')).to.deep.equal(['Only the first half']);
    press('agent-chat-notice', 'Retry');
    await until(() => texts('.answer').join() === 'Only the first half and the rest.');
    await until(() => texts('.notice').length === 0);
  });

  it('HTML with status 200 is named for the developer, with the fix', async () => {
    chat = ChatFixture.begin();
    const headers = { 'content-type': 'text/html' };
    answer = runs(() => new Response('<!doctype html><h1>Welcome to our proxy</h1>', { headers }));
    await chat.open();
    const reasons: string[] = [];
    chat.host.addEventListener('agent-chat-error', ({ reason }) => reasons.push(reason));
    chat.say('Hello');
    await until(() => reasons.length > 0);
    expect(reasons[0]).to.match(/HTML/);
    await until(() => deepAll(chat.host, '.notice').some((notice) => notice.checkVisibility()));
  });

  it('words pasted with a picture of them are words, a picture alone is a document', async () => {
    chat = ChatFixture.begin();
    chat.host.uploadDocument = () => Promise.resolve(crypto.randomUUID());
    await chat.open();
    const paste = (types: readonly string[]): boolean => {
      const clipboardData = new DataTransfer();
      for (const type of types) clipboardData.setData(type, 'Berth');
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      return chat.composer.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    };
    expect(paste(['text/plain', 'text/html'])).to.equal(true);
    await chat.host.updateComplete;
    expect(deepAll(chat.host, '[part~=attachment]')).to.have.length(0);
    expect(paste(['text/html'])).to.equal(false);
    await until(() => deepAll(chat.host, '[part~=attachment]').length === 1);
  });
});
