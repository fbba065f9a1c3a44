import { html, render } from 'lit';
import type { AgentClient, WireDiagnostic } from '../../client/agent-client.ts';
import type { ConversationMessage } from '../../conversation/conversation.ts';
import { findMessage } from '../../conversation/update.ts';
import { visitorText } from '../../conversation/visitor-text.ts';
import type { ContentItem, RunEvent } from '../../protocol/index.ts';
import type { ChatSession, SessionState } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { SessionController } from './session-controller.ts';
import { defineComponents } from '../panel/define-components.ts';
import type { PanelElement } from '../panel/panel.ts';
import { exportedPanelParts } from '../theme/css-parts.ts';
import { parseSetting } from '../config/config-table.ts';
import type { DecisionWatchEvent } from '../content/decision/decision-events.ts';
import type { PageToolWatchEvent } from '../content/decision/page-tool-events.ts';
import type { ItemActionEvent, ItemAnswerEvent, ItemUploadEvent } from '../content/item-events.ts';
import { mayTakeFocus } from '../platform/focus.ts';
import { ignoreHeldEnter } from '../platform/held-enter.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import type { ThreadsEvent } from '../events/threads-event.ts';
import * as publicEvents from '../events/chat-events.ts';
import { loadModule } from '../platform/load-module.ts';
import { isLoopbackPage } from '../platform/loopback-page.ts';
import { clientKeyOf, createHostClient } from './host-client.ts';
import { PageToolLoader } from './page-tool-loader.ts';
import {
  PanelRequest,
  type TurnReplacement,
  type Request,
  type RequestHandlers,
  type SendOptions,
} from '../events/panel-request.ts';
import { PanelModel } from './panel-model.ts';
import type { PublishedConfig } from './published-config.ts';
import { readOption } from '../config/read-option.ts';
import { createSessionSettings } from './session-settings.ts';
import { messageOf, SubmitGate } from './submit-gate.ts';
import { takeOver } from './take-over.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import { LocaleLoader } from './locale-loader.ts';

defineComponents();

/** Creates client, session and panel, and handles what the panel asks for. Loads on the visitor's intent. */
export class ChatRuntime {
  readonly #controller: SessionController;
  readonly #host: ChatHost;
  readonly #pageTools: PageToolLoader;
  readonly #model: PanelModel;
  readonly #gate: SubmitGate;
  readonly #localeLoader: LocaleLoader;
  #client: AgentClient | undefined;
  /** Where the panel is rendered; undefined before. */
  #layer: HTMLElement | undefined;
  /** Created when `live-config` is first turned on. */
  #publishedConfig: PublishedConfig | undefined;
  /** URL of the recording that was started. */
  #playedRecording = '';
  #clientKey: readonly unknown[] = [];
  /** The text that the composer starts with, or that the page has put there last. */
  #draft = '';
  #wasOpen: boolean;
  /** Key of the run that sent the latest event. */
  #lastRunKey: string | undefined;

  constructor(host: ChatHost) {
    this.#host = host;
    this.#pageTools = new PageToolLoader(host, () => this.#controller);
    this.#gate = new SubmitGate(host, () => this.#model.updatePending());
    this.#localeLoader = new LocaleLoader(host);
    this.#controller = new SessionController(host, {
      client: () => this.client,
      settings: () => createSessionSettings(host, this.#pageTools.loaded),
      onRunEvent: (event, runKey) => this.#onRunEvent(event, runKey),
      diagnose: (diagnostic) => this.#diagnose(diagnostic),
      onChange: () => this.#model.sessionChanged(),
      onVisitorLeave: () => {
        this.#gate.withdraw();
        this.#panelElement?.composer.discardAll();
      },
      onThreadLeave: (unsent) => this.#restore([...unsent, ...this.#gate.withdraw()]),
    });
    // A panel that was open on the previous page takes no focus on this one; one that follows the shell takes its
    // focus.
    this.#wasOpen = this.#controller.wasOpen || host.shell?.element.hidden === false;
    this.#model = new PanelModel(host, this.#controller, this.#gate, () => this.#draw());
    host.addEventListener('keydown', ignoreHeldEnter, true);
    if (isLoopbackPage())
      import('./check-settings.ts').then(
        (module) => module.checkSettings(host),
        () => undefined, // only a help
      );
  }

  get session(): ChatSession {
    return this.#controller.session;
  }

  /** Connection state, whichever tab runs the conversation. */
  get connection(): SessionState['connection'] {
    return this.#controller.view.connection;
  }

  /** The client for the current settings; recreated when they change. */
  get client(): AgentClient {
    const key = clientKeyOf(this.#host);
    const current = this.#client;
    if (current && shallowArrayEquals(key, this.#clientKey)) return current;
    this.#clientKey = key;
    return (this.#client = createHostClient(this.#host, (diagnostic) => this.#diagnose(diagnostic)));
  }

  /** Renders the panel into the layer beside the launcher; returns false while its language loads. */
  renderPanel(layer: HTMLElement): boolean {
    if (!this.#localeLoader.isReady) return false;
    if (layer !== this.#layer) this.#draft = this.#controller.draft;
    this.#layer = layer;
    this.#draw();
    return true;
  }

  /** Draws what has changed; in an element that was removed, once it returns. */
  #draw(): void {
    if (!this.#layer?.isConnected) return;
    const { config, view, session } = this.#model;
    const panel = html`<agent-chat-panel
      exportparts=${exportedPanelParts}
      .panel=${config}
      .view=${view}
      .session=${session}
      .open=${this.#host.config.open}
      .draft=${this.#draft}
      .unread=${this.#host.unread}
      @agent-chat-request=${this.#onRequest}
      @agent-chat-item-answer=${this.#onAnswer}
      @agent-chat-item-action=${this.#onAction}
      @agent-chat-item-upload=${this.#onUpload}
      @agent-chat-decision-watch=${this.#onWatch}
      @agent-chat-threads=${this.#onThreads}
      >${[...config.slots].map((name) => html`<slot name=${name} slot=${name}></slot>`)}</agent-chat-panel
    >`;
    render(panel, this.#layer);
  }

  /** Called after the host element has rendered; its settings may have changed. */
  hostUpdated(): void {
    this.#localeLoader.update();
    this.#model.updateConfig();
    const inline = this.#host.formKind === 'custom';
    const shown = this.#host.config.open || inline;
    if (this.#host.shell) void takeOver(this.#host, this.drawnPanel());
    if (shown && !this.#wasOpen && mayTakeFocus(this.#host.formKind)) void this.enterPanel();
    if (!shown && this.#wasOpen) this.#returnFocus();
    this.#wasOpen = shown;
    this.#controller.hostUpdated();
    this.#updatePublishedConfig();
    void this.#pageTools.offer();
    if (shown && this.#host.config.replay !== this.#playedRecording) void this.#startReplay();
  }

  /** Called when the host element is connected, also after a move. */
  hostConnected(): void {
    this.#controller.hostConnected();
  }

  /** Called when the host element is disconnected; it may only be moving to another place. */
  hostDisconnected(): void {
    this.#model.flush();
    this.#controller.hostDisconnected();
  }

  async send(content: string | readonly ContentItem[], options: SendOptions = {}): Promise<void> {
    const { silent = false, onRejected } = options;
    const tools = this.#pageTools.offer();
    if (tools) await (await tools)?.refresh();
    const items = typeof content === 'string' ? [{ response_type: 'text', text: content }] : [content].flat();
    if (items.some((item) => Object(item) !== item)) throw new TypeError('send takes text or items');
    const message = await this.#gate.pass(messageOf(items, options), { isShown: !silent, onRejected });
    if (!message) return;
    await this.#controller.perform({ kind: 'send', input: { content: items, message, silent } });
  }

  newThread(): void {
    void this.setThread(undefined);
    void this.enterPanel();
  }

  async setThread(threadId: string | null | undefined): Promise<void> {
    // untyped pages also pass `null` or an empty string for "no thread"
    if (threadId && !parseSetting('threadId', threadId)) throw new TypeError('setThread takes a UUID');
    await this.#controller.perform({ kind: 'thread', threadId: threadId || undefined });
  }

  async stop(): Promise<void> {
    await this.#controller.perform({ kind: 'stop' });
  }

  async retry(): Promise<void> {
    await this.#controller.perform({ kind: 'retry', runKey: undefined });
  }

  setDraft(text: string): void {
    this.#draft = this.#controller.draft = String(text ?? ''); // untyped pages may pass any value
    const composer = this.#panelElement?.composer;
    if (composer) composer.draft = this.#draft; // the visitor may have written since
    this.#draw();
  }

  /** Puts unsent messages back into the composer. */
  #restore(messages: readonly ConversationMessage[]): void {
    const text = messages
      .map((message) => visitorText(message).trim())
      .filter(Boolean)
      .join('\n\n');
    const composer = this.#panelElement?.composer;
    if (composer) void composer.restoreText(text, messages);
    else if (text) this.setDraft([text, this.#controller.draft].filter(Boolean).join('\n\n'));
  }

  async focusComposer(): Promise<void> {
    (await this.drawnPanel())?.composer.focus({ preventScroll: true });
  }

  async exportTranscript(format: 'markdown' | 'json' | 'jsonl'): Promise<string> {
    const module = await import('./export-conversation.ts');
    return module.exportConversation(this.session.conversation, format, this.#model.config);
  }

  #updatePublishedConfig(): void {
    if (!this.#publishedConfig && !this.#host.config.liveConfig) return;
    void loadModule(this.#host, 'published configs', () => import('./published-config.ts')).then(
      (module) =>
        module &&
        (this.#publishedConfig ??= new module.PublishedConfig(this.#host, () => this.client)).update(),
    );
  }

  /** Regenerates or edits a turn; fires `agent-chat-message-submit`. */
  async #replaceTurn(request: TurnReplacement): Promise<void> {
    const module = await loadModule(this.#host, 'edited messages', () => import('./replace-turn.ts'));
    if (module) await module.replaceTurn(request, this.session, this.#gate, this.#controller);
    else request.onRejected?.();
  }

  /** Plays a recording from its start. Later messages are answered from it, too. */
  async #startReplay(): Promise<void> {
    const { replay } = this.#host.config;
    this.#playedRecording = replay;
    if (!replay) return;
    const module = await loadModule(this.#host, 'replays', () => import('./replay.ts'));
    await module?.startRecording(this.#host, replay);
  }

  /** @internal Moves focus into the panel without opening the on-screen keyboard, which would hide starters. */
  async enterPanel(): Promise<void> {
    (await this.drawnPanel())?.focusFallback();
  }

  /** @internal Resolves when the panel is rendered in its language; with null while it cannot be. */
  async drawnPanel(): Promise<PanelElement | null> {
    await this.#localeLoader.ready;
    if (!this.#host.isConnected) return null;
    await this.#host.updateComplete;
    const panel = this.#panelElement;
    await panel?.updateComplete;
    // with a patched Promise (zone.js) the composer may render later than the panel
    await panel?.composer.updateComplete;
    return panel;
  }

  get #panelElement(): PanelElement | null {
    return this.#host.shadowRoot?.querySelector('agent-chat-panel') ?? null; // null until the panel is in the DOM
  }

  #onRunEvent(event: RunEvent, runKey: string): void {
    // dispatch `agent-chat-run-start` before the run's first event, which may arrive before the next frame
    if (runKey !== this.#lastRunKey) {
      this.#controller.dispatchRunEvents();
      this.#updatePublishedConfig();
    }
    this.#lastRunKey = runKey;
    this.#host.dispatchEvent(new publicEvents.RunStreamEvent(event, runKey));
  }

  #diagnose({ code, message, excerpt }: WireDiagnostic): void {
    diagnose(this.#host, code, excerpt ? `${message} (${excerpt})` : message);
  }

  #returnFocus(): void {
    const launcher = this.#host.renderRoot.querySelector<HTMLElement>('.launcher');
    if (this.#host.matches(':focus-within') || document.activeElement === this.#host) launcher?.focus();
  }

  readonly #onRequest = (event: Event): void => {
    if (!(event instanceof PanelRequest)) return;
    // the table's key is the request's own kind
    const handle = this.#handlers[event.request.kind] as (request: Request) => void;
    handle(event.request);
  };

  readonly #onAnswer = async (event: ItemAnswerEvent): Promise<void> => {
    const { messageId, itemId, answer, onRejected } = event;
    const message = event.message && (await this.#gate.pass(event.message, { isShown: true, onRejected }));
    if (event.message && !message) return;
    await this.#controller.perform({ kind: 'answer', messageId, itemId, answer, message });
  };

  readonly #onAction = (event: ItemActionEvent): void => {
    const message = findMessage(this.session.conversation, event.messageId);
    const { name, item } = event;
    const action = new publicEvents.ActionEvent(name, item, message?.messageId);
    if (!this.#host.dispatchEvent(action)) event.preventDefault();
  };

  readonly #onWatch = (event: DecisionWatchEvent | PageToolWatchEvent): void => {
    event.preventDefault();
    if (event.kind === 'page-tool') void this.#pageTools.load().then((tools) => tools?.watch(event));
    else
      void loadModule(this.#host, 'decisions', () => import('./watch-decision.ts')).then((module) =>
        module?.watchDecision(event, this.#controller),
      );
  };

  readonly #onThreads = async ({ respondWith }: ThreadsEvent): Promise<void> => {
    const module = await loadModule(this.#host, 'conversations', () => import('./thread-source.ts'));
    module?.provideThreads(respondWith, { host: this.#host, runtime: this, controller: this.#controller });
  };

  readonly #onUpload = (event: ItemUploadEvent): void => {
    const upload = readOption(this.#host, 'uploadDocument');
    if (upload) event.respondWith(upload(event.file, { signal: event.signal, onProgress: event.onProgress }));
  };

  readonly #handlers: RequestHandlers = {
    send: ({ text, ...options }) => void this.send(text, options),
    stop: () => void this.stop(),
    retry: (request) => void this.#controller.perform(request),
    regenerate: (request) => void this.#replaceTurn(request),
    edit: (request) => void this.#replaceTurn(request),
    'remove-queued': (request) => {
      this.#gate.cancel(request.messageId);
      void this.#controller.perform(request);
    },
    feedback: (request) => {
      const { messageId, feedback } = request;
      void this.#controller.perform(request);
      const message = findMessage(this.session.conversation, messageId);
      this.#host.dispatchEvent(new publicEvents.FeedbackEvent(message?.messageId, feedback));
    },
    draft: ({ text }) => void (this.#controller.draft = text),
    'new-thread': () => this.newThread(),
    'load-history': () => void this.#controller.readThread(),
    'sign-in': ({ runKey, onHandled }) => {
      if (!this.#host.dispatchEvent(new publicEvents.ActionEvent('sign_in', {}, undefined))) onHandled();
      else if (runKey === undefined) void this.#controller.readThread();
      else void this.#controller.perform({ kind: 'retry', runKey });
    },
    open: () => void this.#host.show(),
    close: () => void this.#host.hide(),
    expand: () => undefined,
    threads: () => undefined,
  };
}
