import type { PropertyValues } from '@lit/reactive-element';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ContentItem } from '../../protocol/index.ts';
import type { ConnectionState } from '../../session/index.ts';
import type { ChatHost, FormKind } from '../chat-host.ts';
import type { ChatRuntime } from '../runtime/chat-runtime.ts';
import type { RawConfig } from '../config/config-resolver.ts';
import type { HostRenderer } from '../config/host-options.ts';
import { agentChatStyles } from './agent-chat.styles.ts';
import { ChatLayer } from './chat-layer.ts';
import type { ContainerMount } from './container-mount.ts';
import { ConfiguredElement } from './configured-element.ts';
import { CornerController } from './corner-controller.ts';
import { PageOverlayController } from './page-overlay-controller.ts';
import type { PanelShell } from './shell.ts';
import { shellStyles } from './shell.styles.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { CloseEvent, OpenEvent, ReadyEvent } from '../events/element-events.ts';
import { createStrings, type Strings } from '../i18n/create-strings.ts';
import { launcherStrings } from '../i18n/launcher-strings.ts';
import { nextPaint, requestIdle } from '../platform/scheduling.ts';
import { readPanelState } from '../persistence/storage-key.ts';

/**
 * A chat with an agent: a launcher in the corner, or a panel in place. Panel, session and client load when the visitor
 * shows intent; methods that need them reject when they cannot be loaded. Attributes are listed in `configTable`, CSS
 * custom properties in `publicTokens`, events in `AgentChatEventMap`.
 *
 * @element agent-chat
 * @slot launcher-icon - Picture in the launcher
 * @slot header - Replaces avatar, name and status
 * @slot header-actions - Extra buttons in the header
 * @slot empty - Replaces the welcome page
 * @slot before-composer - Content above the composer
 * @slot composer-actions - Extra buttons in the composer
 * @slot footer - Replaces the disclaimer under the composer
 * @csspart layer - The layer in the page's top layer
 * @csspart launcher - The round button
 * @csspart badge - Number of unread answers
 */
export class AgentChat extends ConfiguredElement implements ChatHost {
  static override styles = [agentChatStyles, shellStyles];
  /** The elements on the page, also in shadow roots. */
  static readonly connected = new Set<AgentChat>();

  /** Settings of the script tag that created this element, if one did. */
  fromScript: RawConfig | undefined;
  /** @internal The stand-in for the panel while it loads. */
  shell: PanelShell | undefined;
  /** @internal 1 once the panel was opened because it was open on the previous page; that happens only once. */
  restores = 0;

  #layer: ChatLayer | undefined;
  #container: ContainerMount | undefined;
  #containerLoading: Promise<unknown> | undefined;
  #runtime: ChatRuntime | undefined;
  #loading: Promise<ChatRuntime> | undefined;
  #loadFailed = false;
  #unread = 0;
  readonly #english: Strings = createStrings('en', launcherStrings);
  #words = this.#english;
  #stateInternals: CustomStateSet | undefined;

  constructor() {
    super();
    new PageOverlayController(this);
    new CornerController(this);
    try {
      this.#stateInternals = this.attachInternals().states;
    } catch {
      // custom states are not supported: `:state()` does not match; everything else works
    }
  }

  /**
   * Opens the panel; resolves when it is rendered, or when `agent-chat-open` was cancelled. Does not take focus
   * from a field of the page.
   */
  async show(): Promise<void> {
    if (this.config.open || !this.dispatchEvent(new OpenEvent())) return;
    this.open = true;
    await this.#loadSoon();
    await (await this.#load()).drawnPanel();
  }

  /**
   * Closes the panel; resolves when it is closed, or when `agent-chat-close` was cancelled. A running answer
   * continues.
   */
  async hide(): Promise<void> {
    if (!this.config.open || !this.dispatchEvent(new CloseEvent())) return;
    this.removeAttribute('open'); // so that setting the attribute again reopens the panel
    this.open = false;
    await (this.isConnected && this.updateComplete);
  }

  /** Opens the panel if it is closed, closes it if it is open. */
  async toggle(): Promise<void> {
    await (this.config.open ? this.hide() : this.show());
  }

  /**
   * Sends text or content items as the visitor; resolves when the run has ended. `{ silent: true }` sends without
   * showing the message.
   * @param content Text in Markdown, or content items of the interface.
   * @throws TypeError when `content` is neither. A failed run does not throw: it fires `agent-chat-error`.
   */
  async send(
    content: string | readonly ContentItem[],
    options: { readonly silent?: boolean } = {},
  ): Promise<void> {
    await (await this.#load()).send(content, options);
  }

  /**
   * Stops the current answer; the text received so far stays. Resolves when the service has answered the request, or
   * after 6 s.
   */
  async stop(): Promise<void> {
    await (await this.#load()).stop();
  }

  /** Retries the last run that failed. Resolves when it has ended; does nothing if there is none. */
  async retry(): Promise<void> {
    await (await this.#load()).retry();
  }

  /**
   * Leaves the thread; the next message starts a new one. Stops a running answer and puts queued messages back into
   * the composer.
   */
  async newThread(): Promise<void> {
    (await this.#load()).newThread();
  }

  /**
   * Shows another thread and puts queued messages back into the composer; a running answer continues at the service.
   * Without an id: like `newThread()`. Resolves when the thread is shown.
   * @throws TypeError when the id is not a UUID.
   */
  async setThread(threadId: string | undefined): Promise<void> {
    await (await this.#load()).setThread(threadId);
  }

  /** Replaces the text in the composer without sending it. */
  async setDraft(text: string): Promise<void> {
    (await this.#load()).setDraft(text);
  }

  /** Focuses the composer, if the panel is open. */
  async focusComposer(): Promise<void> {
    await (await this.#load()).focusComposer();
  }

  /**
   * Returns the conversation: as text (`markdown`), as one object `{ thread_id, messages }` (`json`), or with one
   * message per line (`jsonl`). Includes the answers to forms; passwords are masked.
   * @throws TypeError for any other format.
   */
  async exportTranscript(format: 'markdown' | 'json' | 'jsonl' = 'markdown'): Promise<string> {
    return (await this.#load()).exportTranscript(format);
  }

  /** Renders all items of a response type, such as `card`, with a function of the page. Resolves when it is set. */
  async registerRenderer(responseType: string, renderer: HostRenderer): Promise<void> {
    this.renderers = { ...this.renderers, [responseType]: renderer };
  }

  /** The conversation as data; a new object after each change, `undefined` before the panel has loaded. */
  get conversation(): Conversation | undefined {
    return this.#runtime?.session.conversation;
  }

  /** State of the connection to the service; `idle` before the panel has loaded. */
  get connection(): ConnectionState {
    return this.#runtime?.connection ?? 'idle';
  }

  /** Number of unread answers; shown on the launcher. */
  get unread(): number {
    return this.#unread;
  }

  set unread(count: number) {
    this.#unread = count;
    this.requestUpdate();
  }

  /**
   * The current strings; the runtime loads other languages.
   * @internal
   */
  get words(): Strings {
    return this.#words;
  }

  set words(words: Strings) {
    this.#words = words;
    this.requestUpdate();
  }

  /** @internal Turns a custom state on or off, for `:state(…)`. */
  setState(name: string, on: boolean): void {
    this.#stateInternals?.[on ? 'add' : 'delete'](name);
  }

  /**
   * The layout in force; `float` when the container of `custom` never appeared.
   * @internal
   */
  get formKind(): FormKind {
    return this.#container?.missing && this.config.formType === 'custom' ? 'float' : this.config.formType;
  }

  /** @internal Applies the settings of a script tag that ran after this element was created. */
  adoptScriptConfig(): void {
    this.readSettings();
    this.#restore();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    AgentChat.connected.add(this);
    if (this.hasUpdated) this.requestUpdate(); // shows the layer again: detaching removed it from the top layer
    this.#runtime?.hostConnected();
    this.#restore();
    if (this.config.preload === 'eager' && !this.#isOpen) this.#onIntent();
    else if (this.config.preload === 'idle') requestIdle(this.#onIntent);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    AgentChat.connected.delete(this);
    this.#container?.hostDisconnected();
    this.#runtime?.hostDisconnected();
    this.#loadFailed = false; // `show` or a return tries again
  }

  /** @internal Libraries that keep an element take it through the next page's document, which costs it its styles. */
  adoptedCallback(): void {
    import('./restyle.ts').then((module) => module.restyle(this.renderRoot), ignore);
  }

  protected override get defaults(): RawConfig {
    return this.fromScript ?? super.defaults;
  }

  protected override willUpdate(): void {
    this.#updateContainer();
    this.setState('open', this.#isOpen);
    if (this.#isOpen && this.#isLive) void this.#loadSoon();
    else if (this.config.liveConfig) requestIdle(this.#onIntent);
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new ReadyEvent());
  }

  protected override updated(): void {
    if (this.#runtime) this.#runtime.hostUpdated();
    else this.#localize();
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed);
    if (!this.#isLive) {
      this.#layer?.element.remove();
      this.#layer = undefined;
    }
    const waits = this.config.containerId && (this.#container?.waiting ?? true);
    if (!this.#isLive || (waits && !this.#layer)) return;
    this.#layer ??= new ChatLayer(this, { onClick: this.#onLauncherClick, onIntent: this.#onIntent });
    this.#layer.update({
      isOpen: this.#isOpen,
      isTranslated: this.#words !== this.#english || !this.#isForeign,
      failed: this.#loadFailed,
      unread: this.#unread,
      words: this.#words,
      renderPanel: (layer) => this.#runtime?.renderPanel(layer) ?? false,
    });
  }

  /** Restores the state from the previous page: reopens an open panel, shows the unread count. */
  #restore(): void {
    Promise.resolve()
      .then(() => {
        // in a microtask, so that the page can set properties and add listeners first
        if (this.#runtime || !this.#isLive) return;
        const [, open, unread, visitor] = readPanelState(this);
        if (!open) return;
        if (visitor === this.config.visitor) {
          this.unread = Number(unread);
          if (open === '1' && !this.restores++ && !this.#isOpen) this.show().catch(ignore);
        }
        requestIdle(this.#onIntent);
      })
      .catch(ignore); // storage is blocked; start without it
  }

  /** Whether the page needs other strings than the English ones in the script. */
  get #isForeign(): boolean {
    const scope = this.closest<HTMLElement>('[lang]') ?? document.documentElement;
    return (
      !/^en/i.test(this.config.lang || scope.lang || navigator.language) || Boolean(this.option('strings'))
    );
  }

  /** Translates launcher and shell, if the page is not in English or has its own strings. */
  #localize(): void {
    if (this.#words === this.#english && !this.#isForeign) return;
    const schedule = this.#isOpen ? (work: () => void): void => work() : requestIdle;
    schedule(() => {
      import('./launcher-locale.ts')
        .then((module) => (this.#runtime ? undefined : module.localizeLauncher(this)))
        .catch(ignore); // they stay English
    });
  }

  /** Loads the code that moves the element into its container, if one is set. */
  #updateContainer(): void {
    const { containerId } = this.config;
    this.#container?.update(containerId);
    if (!containerId || this.#containerLoading) return;
    this.#containerLoading = import('./container-mount.ts').then(
      (module) => {
        this.#container = new module.ContainerMount(this);
        this.requestUpdate();
      },
      () => {
        this.#containerLoading = undefined;
        setTimeout(() => this.requestUpdate(), 3000);
      },
    );
  }

  get #isLive(): boolean {
    return this.config.isLive || this.config.preview;
  }

  get #isOpen(): boolean {
    return this.config.open || this.formKind === 'custom';
  }

  /** Loads the panel after the shell is painted: loading would delay that. */
  async #loadSoon(): Promise<void> {
    if (this.#loading || this.#loadFailed) return;
    await (this.isConnected && this.updateComplete);
    await nextPaint();
    this.#onIntent();
  }

  readonly #onIntent = (): void => {
    this.#load().catch(ignore); // the launcher shows the failure
  };

  readonly #onLauncherClick = ({ detail }: MouseEvent): void => {
    if (this.#loadFailed) {
      if (!this.#isOpen) this.open = true;
      this.#loadFailed = false;
      this.requestUpdate();
      return;
    }
    if (detail > 1) return; // the second click of two is not meant to undo the first
    this.toggle().catch(ignore);
  };

  /** Loads the runtime once; concurrent calls share the promise. */
  #load(): Promise<ChatRuntime> {
    this.#loading ??= Promise.resolve()
      .then(() => import('../runtime/chat-runtime.ts')) // which throws in some bundles under a strict CSP
      .then(({ ChatRuntime: Runtime }) => {
        this.#runtime = new Runtime(this);
        this.#loadFailed = false;
        this.requestUpdate();
        return this.#runtime;
      })
      .catch((cause: unknown) => {
        this.#loading = undefined;
        if (!this.#loadFailed) this.requestUpdate(); // announced once, however often it is tried
        this.#loadFailed = true;
        setTimeout(() => this.isConnected && this.#isOpen && this.#onIntent(), 3000);
        addEventListener('online', this.#onIntent, { once: true });
        diagnose(this, 'load-failed', `The chat could not be loaded (${cause}). Check the CSP.`);
        throw cause;
      });
    return this.#loading;
  }
}

function ignore(): void {}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
