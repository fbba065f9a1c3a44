import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { keyOfAttribute } from '../../../src/widget/config/config-table.ts';
import { ChatFixture, freshTurn, serve, streamOf, until } from '../chat-fixture.ts';
import { deepAll, textOf } from '../content/item-fixture.ts';

/** How often each setting changes during the answer; `CHANGES=50` is the long run. */
const count = Number(process.env['CHANGES']);

/** Values each attribute is changed to and fro while an answer streams. */
const changes: Record<string, readonly string[]> = {
  'agent-id': ['a', 'b'],
  'environment-id': ['draft', 'live'],
  version: ['1', '2'],
  token: ['t', 'u'],
  'token-url': ['/token-a', '/token-b'],
  'primary-color': ['#123456', '#fedcba', 'rebeccapurple'],
  'second-color': ['#eeffee', '#222'],
  'accent-color': ['#ff0000', 'hsl(120 60% 40%)'],
  theme: ['dark', 'light', 'auto'],
  'enable-text-streaming': ['false', 'true'],
  'form-type': ['fullscreen-overlay', 'custom', 'float'],
  'container-id': ['one', 'two', 'three'],
  width: ['420px', '380px'],
  height: ['560px', '600px'],
  heading: ['Harbour Help', 'Harbour'],
  placeholder: ['Ask away', 'Write'],
  welcome: ['Hello', 'Good day'],
  lang: ['de', 'ar', 'en'],
  dir: ['rtl', 'ltr'],
  storage: ['none', 'session', 'local'],
  'product-path': ['hub', 'hub2', 'hub'],
  'identifier-prefix': ['svc_', 'wx_', 'svc_'],
  'form-submit': ['callback', 'run'],
  announce: ['quiet', 'sentence', 'answer'],
  notifications: ['off', 'on'],
  conversations: ['on', 'off', 'auto'],
  speech: ['on', 'off'],
  sound: ['on', 'off'],
  preload: ['eager', 'none'],
  disclosure: ['human', 'mixed', 'off'],
  'page-tools': ['webmcp', 'off', 'registered'],
  'ask-tool': ['on', 'off', 'on'],
  preview: ['true', 'false'],
  'base-url': ['/', '/other/', '/'],
  'live-config': ['true', 'false'],
  open: ['', 'true'],
};
/** Values of the properties that are no attributes, as the page's own script sets them. */
const properties: Readonly<Record<string, readonly unknown[]>> = {
  tokenProvider: [() => 't', async () => 'u'],
  layout: [{ primary_color: '#123456', theme: 'dark' }, { accent_color: 'teal', theme: 'light' }, undefined],
  messageDefaults: [{ assistant_id: 'x' }, undefined],
  header: [{ subtitle: 'Answers in seconds' }, { disclaimer: '' }, undefined],
  strings: [{ 'composer.label': 'Message' }, { 'header.close': 'Shut' }, undefined],
  starters: [[{ title: 'Berths' }], [{ title: 'Tides' }, { title: 'Prices' }], []],
  mentionables: [[{ id: '123e4567-e89b-12d3-a456-426614174001', name: 'Ada' }], []],
  uploadDocument: [async () => 'a', undefined],
  feedbackReasons: [['Wrong'], ['Slow', 'Rude'], undefined],
  allowedOrigins: [{ images: ['https://example.com'] }, undefined],
  renderers: [{ map: () => document.createElement('b') }, undefined],
  fetch: [(...asked: Parameters<typeof fetch>) => fetch(...asked), undefined],
  llmParams: [{ temperature: 1 }, undefined],
  guardrails: [{}, undefined],
  context: [{ a: 1 }, undefined],
  contextVariables: [{ b: 1 }, undefined],
  additionalParameters: [{ c: 1 }, undefined],
};
/** Attributes that change in one chat, one after another: they neither begin a conversation nor reflow. */
const together = [
  ...[
    'primary-color',
    'second-color',
    'accent-color',
    'theme',
    'placeholder',
    'welcome',
    'announce',
    'sound',
  ],
  ...[
    'notifications',
    'conversations',
    'speech',
    'preload',
    'disclosure',
    'page-tools',
    'ask-tool',
    'version',
  ],
  ...['form-submit', 'preview', 'live-config'],
];
const pick = (names: readonly string[]) => names.map((name) => [name, changes[name] ?? []] as const);
/** What changes in the chat of one test: its name in the title, and its settings. */
const groups = [
  ...pick(Object.keys(changes).filter((name) => !together.includes(name))).map(
    (setting) => [setting[0], [setting]] as const,
  ),
  ['each of the other attributes', pick(together)] as const,
  ['each property that is no attribute', Object.entries(properties)] as const,
];
/** These change how lines break or where the panel stands: there the line being read must stay in view. */
const reflows = new Set(['form-type', 'container-id', 'width', 'height', 'dir', 'lang', 'heading']);

const paragraphs = Array.from(
  { length: 30 },
  (_none, index) => `Paragraph ${index + 1}: every berth at the inner pier can be reached at any tide.\n\n`,
);
describe('settings that change while the chat is in use', function () {
  this.timeout(30_000 + count * 1_000);
  let stopServing = (): void => undefined;
  /** Between the parts of the second answer. */
  let pauseMs = 1.5 * count;
  let chat: ChatFixture;
  const faults: string[] = [];
  const note = ({ message }: ErrorEvent): unknown => faults.push(message);

  before(async () => {
    await setViewport({ width: 1280, height: 720 });
    document.body.append(
      ...['one', 'two', 'three'].map((id) => Object.assign(document.createElement('div'), { id })),
    );
    addEventListener('error', note);
    stopServing = serve(({ url, method, body }) => {
      if (url.pathname.includes('/token-')) return Response.json({ token: 't' });
      if (method === 'GET' && url.pathname.includes('embed'))
        return Response.json({ layout: { primary_color: '#204060', theme: 'dark' }, is_live: true });
      if (!url.pathname.endsWith('/runs/stream')) return undefined;
      // the first answer comes at once; the second while the settings change
      return streamOf(freshTurn(paragraphs), { pauseMs: body.includes('Second') ? pauseMs : 0 });
    });
  });
  after(async () => {
    stopServing();
    removeEventListener('error', note);
    for (const id of ['one', 'two', 'three']) document.getElementById(id)?.remove();
    await setViewport({ width: 800, height: 600 });
  });
  beforeEach(() => {
    faults.length = 0;
    chat = ChatFixture.begin();
  });
  afterEach(() => chat.remove());

  it('the open attribute goes with hide(), so that setting it anew opens', async () => {
    await until(() => chat.host.shadowRoot?.querySelector('.launcher'));
    const { host } = chat;
    const states: unknown[] = [];
    const note = (): unknown => states.push([host.open, host.hasAttribute('open')]);
    host.toggleAttribute('open', true);
    note();
    await host.hide();
    note();
    host.toggleAttribute('open', true);
    note();
    expect(states).to.deep.equal([
      [true, true],
      [false, false],
      [true, true],
    ]);
  });

  it('disclosure="off" is diagnosed also when the page sets it later', async () => {
    const { host } = chat;
    const codes: string[] = [];
    host.addEventListener('agent-chat-diagnostic', (event) => {
      event.preventDefault();
      codes.push(event.code);
    });
    await host.show();
    expect(codes).not.to.include('disclosure');
    host.disclosure = 'off';
    await until(() => codes.includes('disclosure'));
  });

  for (const [names, settings] of groups) {
    it(`${names} changes at random moments during an answer and nothing of the visitor’s is lost`, async () => {
      const { host } = chat;
      await chat.open();
      chat.say('First');
      await chat.answered(1);
      const panel = host.shadowRoot?.querySelector('agent-chat-panel')?.shadowRoot;
      const composer = panel?.querySelector('agent-chat-composer')?.shadowRoot;
      const input = composer?.querySelector('textarea');
      const transcript = panel?.querySelector('agent-chat-transcript')?.shadowRoot;
      const scroller = transcript?.querySelector<HTMLElement>('.scroller');
      const turn = transcript?.querySelector('agent-chat-turn')?.shadowRoot;
      const markdown = turn?.querySelector('agent-chat-markdown');
      const read = (markdown?.shadowRoot ?? markdown)?.querySelectorAll('p')[10];
      if (!input || !scroller || !read) throw new Error('the panel is not as this test knows it');
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      let seed = 7;
      const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
      const focused = (): Element | null => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element;
      };
      pauseMs = 1.5 * count * settings.length;
      const answered = host.send('Second');
      // a new turn is gone to when it begins; only then does the reader go back
      const second = (): Element | undefined => transcript?.querySelectorAll('agent-chat-turn')[1];
      while (!second()?.shadowRoot?.querySelector('agent-chat-markdown')) await frame();
      input.focus();
      input.value = 'A draft that must stay';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.setSelectionRange(2, 7);
      await frame();
      read.scrollIntoView({ block: 'center' });
      await frame();
      await frame();
      const top = scroller.scrollTop;
      const words = read.textContent;
      const problems = new Set<string>();
      let last = '';
      const check = (what: string, holds: boolean): void => {
        if (!holds) problems.add(`${last}: ${what}`);
      };
      let selection: Selection | null = null;
      const moments = Array.from({ length: count }, (_none, changed) =>
        settings.map(([name, values]) => ({ name, value: values[changed % values.length] })),
      ).flat();
      const middle = Math.floor(moments.length / 2);
      for (const [changed, { name, value }] of moments.entries()) {
        if (changed === middle) {
          scroller.focus({ preventScroll: true });
          selection = getSelection();
          selection?.setBaseAndExtent(read.firstChild ?? read, 3, read.firstChild ?? read, 12);
        }
        last = name;
        if (name in changes) host.setAttribute(name, String(value));
        else Reflect.set(host, name, value);
        for (let wait = Math.floor(random() * 2); wait >= 0; wait -= 1) await frame();
        check('draft', input.value === 'A draft that must stay' && input.isConnected);
        check('words', read.isConnected && read.textContent === words);
        if (changed < middle) {
          check('focus', focused() === input);
          check('caret', input.selectionStart === 2 && input.selectionEnd === 7);
        } else {
          check('selection', selection?.anchorOffset === 3 && selection.focusOffset === 12);
          check('focus on the transcript', focused() === scroller);
        }
        const isInView = (): boolean => {
          const line = read.getBoundingClientRect();
          const view = scroller.getBoundingClientRect();
          return line.bottom > view.top && line.top < view.bottom;
        };
        // a callback of a frame runs before that frame is laid out, and a loaded machine takes a frame more
        for (let tries = 0; reflows.has(name) && tries < 8 && !isInView(); tries += 1) await frame();
        if (reflows.has(name)) check('line in view', isInView());
        else check('scroll', Math.abs(scroller.scrollTop - top) < 2);
      }
      await answered;
      await frame();
      const whole = JSON.parse(await host.exportTranscript('json')) as { messages: { text: string }[] };
      check('answer', whole.messages.at(-1)?.text === paragraphs.join(''));
      expect([...problems]).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
    });
  }

  it('switching is-live off closes politely, and on again brings the conversation back', async () => {
    await chat.open();
    chat.say('First');
    await until(() => lastAnswer(chat).includes('Paragraph 3'));
    chat.host.setAttribute('is-live', 'false');
    await until(() => deepAll(chat.host, '.launcher, agent-chat-panel').length === 0);
    chat.host.setAttribute('is-live', 'true');
    await until(() => deepAll(chat.host, '.panel').some((panel) => panel.checkVisibility()));
    await until(() => lastAnswer(chat).includes('Paragraph 30'));
  });

  for (const [attribute, value] of [
    ['thread-id', '0c9ac1c2-0000-4000-8000-00000000000a'],
    ['visitor', 'somebody-else'],
  ] as const) {
    it(`another ${attribute} during an answer takes its words away, never the panel, the caret or what is asked next`, async () => {
      await chat.open();
      chat.say('Second');
      await until(() => lastAnswer(chat).includes('Paragraph 3'));
      chat.composer.focus();
      chat.write('A draft');
      chat.host.setAttribute(attribute, value);
      await until(() => chat.host.conversation?.messages.length === 0 && chat.turns.length === 0);
      // what one visitor wrote is not shown to another; it is the same one in another thread
      await until(() => chat.composer.value === (attribute === 'visitor' ? '' : 'A draft'));
      expect(chat.composer.matches(':focus')).to.equal(true);
      chat.say('First');
      await until(() => lastAnswer(chat).includes('Paragraph 30'));
      expect(chat.turns).to.have.length(1);
    });
  }

  it('no attribute is left out here', () => {
    // `replay` is another service altogether: it has a test of its own
    const others = ['is-live', 'thread-id', 'visitor', 'replay'];
    expect([...Object.keys(changes), ...others].sort()).to.deep.equal([...keyOfAttribute.keys()].sort());
  });
});

function lastAnswer({ host }: ChatFixture): string {
  const answer = deepAll(host, '.answer').at(-1);
  return answer ? textOf(answer) : '';
}
