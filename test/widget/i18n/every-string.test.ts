import { expect, html, waitUntil } from '@open-wc/testing';
import { LitElement } from 'lit';
import { createMessage, createRun } from '../../../src/conversation/factories.ts';
import {
  emptyConversation,
  type Conversation,
  type ConversationMessage,
  type Run,
  type RunStep,
} from '../../../src/conversation/conversation.ts';
import { readItems } from '../../../src/conversation/items.ts';
import type { ConnectionState, HistoryState, SessionState } from '../../../src/session/index.ts';
import { AgentChat } from '../../../src/widget/element/agent-chat.ts';
import { agentChatStyles } from '../../../src/widget/element/agent-chat.styles.ts';
import { defineComponents } from '../../../src/widget/panel/define-components.ts';
import type { PanelElement } from '../../../src/widget/panel/panel.ts';
import { PanelRequest } from '../../../src/widget/events/panel-request.ts';
import { initialConfig } from '../../../src/widget/config/config-resolver.ts';
import type { ConversationView, PanelConfig } from '../../../src/widget/contexts.ts';
import { maxMessageLength } from '../../../src/widget/config/max-message-length.ts';
import type { ComposerElement } from '../../../src/widget/panel/composer/composer.ts';
import { defineElement } from '../../../src/widget/platform/define-element.ts';
import { en as contentEn } from '../../../src/widget/i18n/locales/content/en.ts';
import { en } from '../../../src/widget/i18n/locales/en.ts';
import {
  type AnnouncedState,
  ConversationAnnouncer,
} from '../../../src/widget/announcements/conversation-announcer.ts';
import type { Announcement } from '../../../src/widget/announcements/live-announcer.ts';
import * as itemSpeech from '../../../src/widget/announcements/item-speech.ts';
import { turnsOf } from '../../../src/conversation/turns.ts';
import { en as extraEn } from '../../../src/widget/i18n/locales/extras/en.ts';
import { createStrings, type StringKey } from '../../../src/widget/i18n/strings.ts';
import { everyField } from '../../a11y/every-field.ts';
import { elsewhere, everyItem } from '../../a11y/every-item.ts';
import { keysIn, pseudoLocale, strayWords } from '../../a11y/pseudo-words.ts';
import { collectWords } from '../../a11y/word-collector.ts';
import { deep, deepAll, settled, show, type ItemHarness } from '../content/item-fixture.ts';

type Source = Readonly<Record<string, unknown>>;

const seen = collectWords();
defineComponents();
defineElement('agent-chat', AgentChat);

// Dates and numbers as in Japanese, which have no Latin letters; agents and visitors write Greek.
const words = createStrings('ja', pseudoLocale);
/** Host names and file types are the same in every language. */
const hosts = /\b[\w.:-]*(example|localhost)[\w.:/-]*|127\.0\.0\.1\S*|xn--[\w.-]+|image\/png|JavaScript/g;

function panelConfig(change: Partial<PanelConfig> = {}): PanelConfig {
  return {
    config: initialConfig,
    words,
    policy: { baseUrl: location.origin, images: [], media: [], frames: [] },
    header: {},
    starters: [{ title: 'Πότε;' }],
    mentionables: [{ id: '123e4567-e89b-12d3-a456-426614174001', name: 'Άννα' }],
    feedbackReasons: ['Λάθος'],
    hostRenderers: new Map(),
    slots: new Set(),
    uploadDocument: () => Promise.reject(new Error('no')),
    ...change,
  };
}

/** Provides a panel with what the runtime provides. */
class PanelHarness extends LitElement {
  static override styles = agentChatStyles;

  #config: PanelConfig | undefined;
  #view: ConversationView | undefined;
  #session: SessionState | undefined;

  get panel(): PanelElement {
    return deep<PanelElement>(this, 'agent-chat-panel');
  }

  setState(
    config: PanelConfig,
    conversation: Conversation,
    connection: ConnectionState,
    history: HistoryState = 'none',
  ): void {
    const before = this.#view?.turns ?? [];
    this.#view = { conversation, turns: turnsOf(conversation, before), run: conversation.runs.at(-1) };
    const busy = connection !== 'idle';
    this.#config = config;
    this.#session = { connection, canStop: busy, busy, history, keepsThreads: true };
    this.requestUpdate();
  }

  override render(): unknown {
    return html`<div class="layer">
      <agent-chat-panel
        open
        .panel=${this.#config}
        .view=${this.#view}
        .session=${this.#session}
      ></agent-chat-panel>
    </div>`;
  }
}
customElements.define('panel-harness', PanelHarness);

/** Renders a conversation in a panel. */
async function showPanel(
  conversation: Conversation = emptyConversation,
  connection: ConnectionState = 'idle',
  change: Partial<PanelConfig> = {},
): Promise<PanelHarness> {
  const harness = document.createElement('panel-harness') as PanelHarness; // defined above
  harness.setState(panelConfig(change), conversation, connection);
  document.body.append(harness);
  await settled(harness);
  return harness;
}

function said(
  id: string,
  content: unknown,
  change: Partial<ConversationMessage> & Pick<ConversationMessage, 'role'>,
): ConversationMessage {
  const status = change.role === 'user' ? 'sent' : 'complete';
  const blank = createMessage({ id, role: change.role, status, runKey: 'prompt', createdAt: Date.now() });
  return { ...blank, items: readItems(content), ...change };
}

function turn(
  run: Partial<Run>,
  answer: unknown = 'Ναι.',
  prompt: Partial<ConversationMessage> = {},
): Conversation {
  return {
    ...emptyConversation,
    runs: [{ ...createRun({ id: 'prompt', startedAt: Date.now() - 61_000 }), ...run }],
    messages: [
      said('prompt', 'Πότε;', { role: 'user', ...prompt }),
      ...(answer === null ? [] : [said('answer', answer, { role: 'assistant' })]),
    ],
  };
}

function step(id: string, status: RunStep['status'], change: Partial<RunStep> = {}): RunStep {
  const none = {
    agentName: undefined,
    input: undefined,
    output: undefined,
    error: undefined,
    parentId: undefined,
  };
  return { id, kind: 'tool', name: 'βήμα', status, ...none, ...change };
}

const showItems = (sources: readonly Source[], change = {}): Promise<ItemHarness> =>
  show(sources, { words, uploads: true, preview: true, ...change });

async function click(root: Element, selector: string): Promise<void> {
  for (const button of deepAll<HTMLElement>(root, selector)) button.click();
  await settled(root);
}

const saysWhat = (key: StringKey): boolean => [...seen].some((text) => keysIn(text).includes(key));

describe('every visible string', () => {
  after(() => {
    const stray = [...seen].map((text) => strayWords(text.replaceAll(hosts, ''))).filter(Boolean);
    expect(stray.join(' | '), 'words that are not in the table').to.equal('');
    const met = new Set<string>([...seen].flatMap(keysIn));
    const help = Object.keys(extraEn).filter((key) => /^(help|key)\./.test(key));
    const missing = [...Object.keys({ ...en, ...contentEn }), ...help].filter(
      (key) => !met.has(key) && !elsewhereShown.has(key),
    );
    const remedy = 'a test here, or an item of test/a11y/every-item.ts, must show each of these strings';
    expect(missing.join(' | '), remedy).to.equal('');
  });

  // strings may come later, but nothing is drawn or animated any more
  afterEach(() => {
    for (const child of document.body.children)
      if (child instanceof HTMLElement) child.style.display = 'none';
  });

  it('launcher: closed, unread, loading, open', async () => {
    const chat = document.createElement('agent-chat');
    Object.assign(chat, { words, strings: pseudoLocale, lang: 'ja', agentId: 'every-string', unread: 3 });
    document.body.append(chat);
    await chat.updateComplete;
    chat.unread = 0;
    await chat.updateComplete;
    await chat.show();
    await chat.focusComposer();
    expect(deep(chat, '.launcher').ariaLabel).to.equal('⟦launcher.close⟧');
    chat.remove();
  });

  it('the greeting of the welcome page, by the time of day', async () => {
    const { getHours } = Date.prototype;
    for (const hour of [8, 14, 22]) {
      Date.prototype.getHours = () => hour;
      await settled(await showPanel());
    }
    Date.prototype.getHours = getHours;
  });

  it('panel: welcome, help, mentions, documents, a text that is too long', async () => {
    const panel = await showPanel();
    await panel.panel.showHelp();
    await settled(panel);
    await click(panel, '.expand');
    const text = deep<HTMLTextAreaElement>(panel, 'textarea[part=input]');
    const type = async (value: string): Promise<void> => {
      text.value = value;
      text.dispatchEvent(new InputEvent('input'));
      await settled(panel);
    };
    // the mentions module may still be loading
    for (let tries = 0; tries < 50 && deepAll(panel, '[part=mentions]').length === 0; tries += 1) {
      await type('@Ά');
    }
    await type('ω'.repeat(maxMessageLength + 1));
    deep<ComposerElement>(panel, 'agent-chat-composer').restoreText('ω');
    await waitUntil(() => saysWhat('composer.returned'), 'it is announced', { timeout: 8000 });
  });

  for (const disclosure of ['mixed', 'human'] as const)
    it(`who answers: ${disclosure}`, async () => {
      const panel = await showPanel();
      const config = panelConfig();
      panel.setState(
        { ...config, config: { ...config.config, disclosure } },
        emptyConversation,
        'idle',
        'none',
      );
      await settled(panel);
    });

  it('a thread whose messages load, fail to load, or need a token; no welcome page', async () => {
    const panel = await showPanel();
    const shown = async (
      history: HistoryState,
      connection: ConnectionState = 'idle',
      conversation = emptyConversation,
    ): Promise<readonly boolean[]> => {
      panel.setState(panelConfig(), conversation, connection, history);
      await settled(panel);
      return ['agent-chat-welcome', 'agent-chat-history-status', 'agent-chat-turn'].map(
        (tag) => deepAll(panel, tag).length > 0,
      );
    };
    expect(await shown('loading')).to.deep.equal([false, true, false]);
    await customElements.whenDefined('agent-chat-history-status');
    expect(await shown('failed')).to.deep.equal([false, true, false]);
    expect(await shown('failed', 'offline')).to.deep.equal([false, true, false]);
    expect(await shown('auth-needed')).to.deep.equal([false, true, false]);
    expect(await shown('gone')).to.deep.equal([false, true, false]);
    expect(await shown('loading', 'idle', turn({ status: 'completed' }))).to.deep.equal([false, false, true]);
    expect(await shown('failed', 'idle', turn({ status: 'completed' }))).to.deep.equal([false, true, true]);
    let asked = 0;
    panel.addEventListener('agent-chat-request', () => (asked += 1));
    await click(panel, '.notice button');
    expect(asked).to.equal(1);
    const failure = { kind: 'auth', reason: '', retryable: true, retryAfter: undefined } as const;
    await shown('auth-needed', 'auth-needed', turn({ status: 'failed', failure }));
    expect(deepAll(panel, '.notice'), 'one notice asks to sign in').to.have.length(1);
    expect(await shown('none')).to.deep.equal([true, false, false]);
  });

  it('documents: uploading, uploaded, failed', async () => {
    const ends: ((id: string) => void)[] = [];
    const panel = await showPanel(emptyConversation, 'idle', {
      uploadDocument: ({ name }) =>
        name === 'β' ? Promise.reject(new Error('no')) : new Promise((resolve) => ends.push(resolve)),
    });
    const data = new DataTransfer();
    for (const name of ['α', 'β']) data.items.add(new File(['x'], name));
    const box = deep(panel, '[part=composer]');
    box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, composed: true }));
    await settled(panel);
    await click(panel, '[part=send]');
    for (const end of ends) end('00000000-0000-4000-8000-00000000000a');
    await settled(panel);
    expect(deepAll(panel, 'li.failed')).to.have.length(1);
    await click(panel, 'li.failed button:last-child');
    await waitUntil(() => saysWhat('attach.removed'));
    deep(panel, 'agent-chat-header').dispatchEvent(new PanelRequest({ kind: 'new-thread' }));
    await waitUntil(() => saysWhat('announce.new-thread'));
  });

  for (const connection of ['connecting', 'streaming', 'stalled', 'offline', 'resuming'] as const)
    it(`during a run: ${connection}`, async () => {
      await showPanel(turn({ status: 'streaming' }, null), connection);
    });

  it('a reply is needed; a session has ended; a message waits or was rejected', async () => {
    await showPanel(turn({ status: 'waiting', needsReply: true }));
    await showPanel(turn({ status: 'failed' }), 'auth-needed');
    await showPanel(turn({ status: 'failed' }), 'failed');
    await showPanel(turn({ status: 'streaming' }, null, { status: 'queued' }), 'streaming');
    await showPanel(turn({ status: 'failed' }, null, { status: 'rejected', documentIds: ['1', '2'] }));
  });

  const kinds = Object.keys(en).flatMap((key) => /^failure\.(.+)$/.exec(key)?.[1] ?? []);
  for (const kind of kinds)
    it(`a failure: ${kind}`, async () => {
      const known = { reason: 'γιατί', retryable: true, retryAfter: undefined, requestId: '20261123' };
      const failure = { ...known, kind: kind as 'run' }; // a key of the table
      await showPanel(turn({ runId: 'R', status: 'failed', endedAt: Date.now(), failure }));
    });

  it('a failure with a delay; stopped here only, and everywhere', async () => {
    const known = { kind: 'server' as const, reason: '', retryable: true, requestId: '20261123' };
    for (const retryAfter of [9, 300, 9999]) {
      const failure = { ...known, retryAfter };
      await showPanel(turn({ status: 'failed', endedAt: Date.now(), failure }));
    }
    await showPanel(turn({ status: 'cancelled', endedAt: Date.now() }));
    await showPanel(turn({ status: 'cancelled', endedAt: Date.now(), stopUnconfirmed: true }));
    await showPanel(turn({ status: 'completed', endedAt: Date.now() }, null));
  });

  it('steps, plan, reasoning, summary', async () => {
    const steps = [
      step('1', 'done', { input: { α: 1 }, output: 'έτοιμο' }),
      step('2', 'failed', { error: 'λάθος' }),
      step('3', 'active', { name: '' }),
      step('4', 'stopped'),
    ];
    const run = { status: 'completed', endedAt: Date.now(), summary: 'Εν ολίγοις.' } as const;
    const panel = await showPanel(turn({ ...run, steps, plan: [step('5', 'pending')], thinking: 'Σκέψη' }));
    await click(panel, '.toggle');
    await showPanel(turn({ ...run, plan: [step('5', 'pending')] }));
    await showPanel(turn({ ...run, thinking: 'Σκέψη', startedAt: Date.now() - 3000 }));
  });

  it('a message of a person', async () => {
    const additionalProperties = { author: { kind: 'person', name: 'Άννα' } };
    const message = said('person', 'Ναι.', { role: 'assistant', runKey: undefined, additionalProperties });
    await showPanel({ ...emptyConversation, messages: [message] });
  });

  it('a finished answer: edit, copy, feedback', async () => {
    const panel = await showPanel(turn({ status: 'completed', endedAt: Date.now() }));
    navigator.clipboard.write = () => Promise.resolve();
    await click(panel, '[aria-label="⟦actions.copy⟧"]');
    await waitUntil(() => saysWhat('actions.copied'), 'the answer is copied');
    await click(panel, '[aria-label="⟦feedback.bad⟧"]');
    await waitUntil(() => deepAll(panel, 'form').length > 0, 'the question what was wrong');
    await click(panel, 'form [type=submit]');
    await click(panel, '.edit');
    const bare = await showPanel(turn({ status: 'completed', endedAt: Date.now() }), 'idle', {
      feedbackReasons: [],
    });
    await click(bare, '[aria-label="⟦feedback.bad⟧"]');
    await waitUntil(() => deepAll(bare, 'form').length > 0, 'the question what was wrong');
    await settled(bare);
  });

  it('days, earlier messages, new messages below', async () => {
    const day = 86_400_000;
    const messages = Array.from({ length: 90 }, (_, index) =>
      said(`m${index}`, 'Καλημέρα σας.\n\nΝαι.', {
        role: 'assistant',
        runKey: undefined,
        createdAt: Date.now() - (index < 30 ? 2 : index < 89 ? 1 : 0) * day,
      }),
    );
    const panel = await showPanel({ ...emptyConversation, messages });
    const scroller = deep(panel, '.scroller');
    await waitUntil(() => scroller.scrollTop > 0);
    scroller.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const more = [...messages, said('new', 'Κάτι νέο', { role: 'assistant', runKey: undefined })];
    panel.setState(panelConfig(), { ...emptyConversation, messages: more }, 'idle');
    await waitUntil(() => deepAll(panel, '.pill').length > 0);
  });

  it('Markdown: code, table, tasks, an image from another host', async () => {
    const text = `- [x] α\n- [ ] β\n\n| α |\n|---|\n| 1 |\n\n\`\`\`js\nα()\n\`\`\`\n\n![Εικόνα](${elsewhere}/a.png)`;
    for (const works of [true, false]) {
      navigator.clipboard.writeText = () => (works ? Promise.resolve() : Promise.reject(new Error('no')));
      const panel = await showPanel(turn({ status: 'completed', endedAt: Date.now() }, text));
      await waitUntil(() => deepAll(panel, '.code-head button').length > 0);
      await click(panel, '.code-head button');
      await new Promise(requestAnimationFrame);
    }
  });

  it('content items', async () => {
    const harness = await showItems([
      ...everyItem,
      { response_type: 'pause', time: 60_000, typing: true },
      {
        response_type: 'card',
        get body(): never {
          throw new Error('broken');
        },
      },
    ]);
    await waitUntil(() => deepAll(harness, '.more').length > 0, 'the strings of items', { timeout: 8000 });
    await click(harness, 'form .button');
    await click(harness, '.more');
    await waitUntil(() => saysWhat('content.less'));
    await click(harness, '.actions .button, .mark, summary');
    harness.addEventListener('agent-chat-item-action', (event) => event.preventDefault());
    const again = await showItems([{ response_type: 'connect_to_agent' }]);
    again.addEventListener('agent-chat-item-action', (event) => event.preventDefault());
    await click(again, '.actions .button');
    await waitUntil(() => saysWhat('connect.unavailable'));
    const policy = {
      baseUrl: location.origin,
      images: [],
      media: [location.origin],
      frames: [location.origin],
    };
    const own = await showItems(
      ['image', 'video', 'audio', 'iframe'].map((type) => ({
        response_type: type,
        source: `${location.origin}/nothing`,
      })),
      { policy },
    );
    for (const player of deepAll(own, 'img, video, audio')) player.dispatchEvent(new Event('error'));
    await settled(own);
  });

  it('a day before, and one after, those that can be chosen', async () => {
    for (const day of ['2026-04-30', '2026-06-01']) {
      const harness = await showItems([{ response_type: 'date', min: '2026-05-01', max: '2026-05-10' }]);
      const input = deep<HTMLInputElement>(harness, 'input');
      input.value = day;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await click(harness, 'form .button');
    }
  });

  it('a skipped question', async () => {
    await showItems([{ response_type: 'date', title: 'Πότε;' }], { active: false, closed: true });
    const options = Array.from({ length: 60 }, (_, index) => ({ label: `Α${String(index)}` }));
    await showItems([{ response_type: 'option', options }]);
  });

  it('files: limits, errors, uploading, uploaded, failed, and where uploads are not available', async () => {
    const limits = { allowedFileMimeTypes: ['image/png'], maxSingleFileSizeMB: 1, maxFilesPerUpload: 2 };
    const harness = await showItems([{ response_type: 'file_upload', uploadSettings: limits }]);
    let outcome: Promise<string> = Promise.reject(new Error('no'));
    outcome.catch(() => undefined);
    harness.addEventListener('agent-chat-item-upload', (event) => event.respondWith(outcome));
    const give = async (name: string, type = 'image/png', size = 1): Promise<void> => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(size)], name, { type }));
      deep(harness, '.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
      await settled(harness);
    };
    await give('α', 'text/plain');
    await give('β', 'image/png', 2_000_000);
    await give('γ');
    outcome = Promise.resolve('00000000-0000-4000-8000-00000000000a');
    await give('δ');
    await give('ε');
    await settled(harness);
    await showItems([{ response_type: 'file_upload' }], { uploads: false });
  });

  it('forms: every kind of field, every error, sent and cancelled', async () => {
    const harness = await showItems([everyField]);
    await click(harness, '[part~=form-submit]');
    await click(harness, '.add, [aria-label*="form.add-to"]');
    const file = deep<HTMLInputElement>(harness, 'input[type=file]');
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(6_000_000)], 'α'));
    file.files = data.files;
    file.dispatchEvent(new Event('change'));
    await settled(harness);
    const simple = {
      response_type: 'form',
      json_schema: { type: 'object', properties: { α: { type: 'boolean' }, β: { type: 'string' } } },
    };
    await showItems([
      simple,
      {
        ...simple,
        ui_schema: {
          'ui:submitButtonOptions': { norender: true },
          'ui:cancelButtonOptions': { showCancel: true },
        },
      },
    ]);
    for (const action of ['submit', 'cancel'] as const)
      for (const value of [true, false])
        await showItems([simple], { answer: { action, data: { α: value } } });
    await showItems([{ response_type: 'form', json_schema: { type: 'array', items: { type: 'string' } } }]);
    const nested = (depth: number): Source => (depth === 0 ? {} : { α: nested(depth - 1) });
    await showItems([{ response_type: 'form', json_schema: nested(70) }]);
    const κόμβος = { type: 'object', properties: { α: { $ref: '#/$defs/κόμβος' } } };
    const endless = { $ref: '#/$defs/κόμβος', $defs: { κόμβος } };
    await showItems([{ response_type: 'form', json_schema: endless, form_data: nested(35) }]);
  });

  it('a formula that scrolls', async () => {
    const item = await showItems([{ response_type: 'text', text: `$$${'1+'.repeat(200)}1$$` }]);
    await waitUntil(() => deepAll(item, '.formula[tabindex]').length > 0);
    await settled(item);
  });

  it('announcements', () => {
    const say = (text: Announcement): unknown => seen.add(typeof text === 'string' ? text : text());
    const long = `${'Πολλά λόγια. '.repeat(300)}`;
    const items = [
      { response_type: 'text', text: '```\nα\n```\n\n| α |\n|---|\n| 1 |' },
      { response_type: 'option', options: [{ label: 'Α', value: '1' }] },
      { response_type: 'form', json_schema: {} },
    ];
    const asked = [{ response_type: 'forms', sub_type: 'tool_approval', id: 'α', name: 'Αίτηση' }];
    for (const mode of ['answer', 'sentence', 'quiet'] as const) {
      for (const shown of [true, false]) {
        const narrator = new ConversationAnnouncer({ announce: say, cancel: () => false }, 0);
        const scene = (conversation: Conversation, connection: ConnectionState = 'idle'): AnnouncedState => ({
          ...{ conversation, connection, words, name: 'Λιμάνι', mode, shown, itemSpeech },
        });
        narrator.update(scene(emptyConversation));
        narrator.update(scene(turn({ status: 'streaming' }, null), 'resuming'));
        narrator.update(scene(turn({ status: 'streaming' }, items), 'streaming'));
        narrator.update(scene(turn({ status: 'streaming' }, items), 'offline'));
        narrator.update(scene(turn({ status: 'streaming' }, items), 'streaming'));
        narrator.update(scene(turn({ status: 'completed', endedAt: 1 }, items)));
        narrator.update(
          scene({ ...turn({}), runs: [], messages: [said('asked', asked, { role: 'assistant' })] }),
        );
        narrator.update(
          scene({ ...turn({}), runs: [], messages: [said('long', long, { role: 'assistant' })] }),
        );
      }
    }
  });
});

/** Strings that need a failing network or module; `loader.e2e.ts` and the launcher's own test cover them. */
const elsewhereShown: ReadonlySet<string> = new Set<StringKey>(['launcher.failed']);
