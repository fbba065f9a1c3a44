import { html, nothing, type PropertyValues } from 'lit';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ContentItem } from '../../protocol/index.ts';
import type { ConnectionState } from '../../session/index.ts';
import type { ChatHost, FormKind } from '../chat-host.ts';
import type { ChatRuntime } from '../runtime/chat-runtime.ts';
import type { RawConfig } from '../config/config-resolver.ts';
import type { HostRenderer } from '../config/host-renderer.ts';
import { agentChatStyles } from './agent-chat.styles.ts';
import type { ContainerMount } from './container-mount.ts';
import { ConfiguredElement } from './configured-element.ts';
import { CornerController } from './corner-controller.ts';
import { DialogController } from './dialog-controller.ts';
import { renderLauncher } from './launcher.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { CloseEvent, OpenEvent, ReadyEvent } from '../events/element-events.ts';
import { applyLauncherColours } from '../theme/launcher-colours.ts';
import { createStrings, type Strings } from '../i18n/create-strings.ts';
import { launcherStrings } from '../i18n/launcher-strings.ts';
import { readPanelState } from '../persistence/storage-key.ts';

/**
 * A chat with an agent: a launcher in the corner, or a panel in place. Small: panel, session and client are imported
 * when the visitor shows intent.
 *
 * @element agent-chat
 * @slot launcher-icon - Picture in the launcher
 * @slot header - In place of name and status
 * @slot header-actions - More buttons in the header
 * @slot empty - In place of the welcome page
 * @slot before-composer - Between transcript and composer
 * @slot composer-actions - More buttons in the composer
 * @slot footer - Under the composer
 * @csspart layer - What lies in the page's top layer
 * @csspart launcher - The round button
 * @csspart badge - Number of unread answers
 */
export class AgentChat extends ConfiguredElement implements ChatHost {
  static override styles = agentChatStyles;

  /** Settings of the script tag that made this element, when one did. */
  fromScript: RawConfig | undefined;

  #container: ContainerMount | undefined;
  #placing: Promise<unknown> | undefined;
  #runtime: ChatRuntime | undefined;
  #loading: Promise<ChatRuntime> | undefined;
  #loadFailed = false;
  #recalls = 0;
  #unread = 0;
  #ready = false;
  #words: Strings = createStrings('en', launcherStrings);
  #stateInternals: CustomStateSet | undefined;

  constructor() {
    super();
    new DialogController(this);
    new CornerController(this);
    try {
      this.#stateInternals = this.attachInternals().states;
    } catch {
      // an engine without custom states: `:state()` does not match, all else works
    }
  }

  /** Opens the panel; resolves when it is drawn. Who writes in the page keeps the focus. */
  async show(): Promise<void> {
    if (this.config.open || !this.dispatchEvent(new OpenEvent())) return;
    this.open = true;
    await this.#load();
    await (this.isConnected && this.updateComplete);
  }

  /** Closes the panel; a run that is under way goes on. */
  async hide(): Promise<void> {
    if (!this.config.open || !this.dispatchEvent(new CloseEvent())) return;
    this.removeAttribute('open'); // set anew, it opens again
    this.open = false;
    await (this.isConnected && this.updateComplete);
  }

  /** Opens the panel if it is closed, closes it if it is open. */
  async toggle(): Promise<void> {
    await (this.config.open ? this.hide() : this.show());
  }

  /**
   * Sends text or content items for the visitor; resolves when the turn has ended. `{ silent: true }`: not shown.
   * @param content Text, or content items of the interface.
   */
  async send(
    content: string | readonly ContentItem[],
    options: { readonly silent?: boolean } = {},
  ): Promise<void> {
    await (await this.#load()).send(content, options);
  }

  /** Stops the answer that is coming in; what has arrived stays. */
  async stop(): Promise<void> {
    await (await this.#load()).stop();
  }

  /** Repeats the last turn that failed. */
  async retry(): Promise<void> {
    await (await this.#load()).retry();
  }

  /**
   * Leaves the thread; the next message begins a new one. A running answer is stopped; messages that wait to be sent go
   * back into the composer.
   */
  async newThread(): Promise<void> {
    (await this.#load()).newThread();
  }

  /** Shows another thread, and leaves the current one as `newThread()` does; without an id, shows none. */
  async setThread(threadId: string | undefined): Promise<void> {
    await (await this.#load()).setThread(threadId);
  }

  /** Puts text into the composer without sending it. */
  async setDraft(text: string): Promise<void> {
    (await this.#load()).setDraft(text);
  }

  /** Puts the caret into the composer. */
  async focusComposer(): Promise<void> {
    await (await this.#load()).focusComposer();
  }

  /** The conversation as text: `markdown`, `json` or `jsonl`; answers to forms included, passwords masked. */
  async exportTranscript(format: 'markdown' | 'json' | 'jsonl' = 'markdown'): Promise<string> {
    return (await this.#load()).exportTranscript(format);
  }

  /** Has items of one response type drawn by the page. */
  async registerRenderer(responseType: string, renderer: HostRenderer): Promise<void> {
    this.renderers = { ...this.renderers, [responseType]: renderer };
  }

  /** The conversation as data, a new object after each change; `undefined` before the panel has loaded. */
  get conversation(): Conversation | undefined {
    return this.#runtime?.session.conversation;
  }

  /** State of the connection to the service; `idle` before the panel has loaded. */
  get connection(): ConnectionState {
    return this.#runtime?.connection ?? 'idle';
  }

  /** Number of answers that arrived unseen; shown on the launcher. */
  get unread(): number {
    return this.#unread;
  }

  set unread(count: number) {
    this.#unread = count;
    this.requestUpdate();
  }

  /** @internal the words in force; the runtime brings those of other languages */
  get words(): Strings {
    return this.#words;
  }

  set words(words: Strings) {
    this.#words = words;
    this.requestUpdate();
  }

  /**
   * State for `:state(…)` in the host's CSS.
   * @internal
   */
  setState(name: string, on: boolean): void {
    if (on) this.#stateInternals?.add(name);
    else this.#stateInternals?.delete(name);
  }

  /**
   * The form in force: `custom` floats when its container never came.
   * @internal
   */
  get formKind(): FormKind {
    return this.#container?.missing && this.config.formType === 'custom' ? 'float' : this.config.formType;
  }

  /**
   * Takes over the script tag's settings that came after this element.
   * @internal
   */
  adoptScriptConfig(): void {
    if (!this.isConnected) return;
    this.readSettings();
    this.#restore();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate(); // a layer that left the page is shown no more
    this.#runtime?.hostConnected();
    this.#restore();
    if (this.config.preload === 'eager') this.#onIntent();
    else if (this.config.preload === 'idle') requestIdle(this.#onIntent);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#container?.left();
    this.#runtime?.hostDisconnected();
  }

  protected override get defaults(): RawConfig {
    return this.fromScript ?? super.defaults;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#place();
    this.setState('open', this.#isOpen);
    if (this.#isOpen && this.#isLive) this.#onIntent();
    else if (this.config.liveConfig) requestIdle(this.#onIntent);
  }

  protected override updated(): void {
    const layer = this.renderRoot.querySelector<HTMLElement>('.layer');
    if (layer) {
      applyLauncherColours(layer, this.config.accentColor, this.config.theme);
      if (layer.popover && layer.isConnected && !layer.matches(':popover-open')) layer.showPopover();
    }
    if (this.#runtime) this.#runtime.hostUpdated();
    else this.#localizeLauncher();
    if (this.#ready) return;
    this.#ready = true;
    this.dispatchEvent(new ReadyEvent());
  }

  override render(): unknown {
    const waits = this.config.containerId && (this.#container?.waiting ?? true);
    // what is drawn already stays where it is until the container comes
    if (!this.#isLive || (waits && !this.renderRoot.querySelector('.layer'))) return nothing;
    const inline = this.formKind === 'custom';
    const panel = this.#runtime?.renderPanel() ?? nothing;
    return html`<div
      class="layer ${this.formKind}"
      part="layer"
      popover=${inline || !('showPopover' in this) ? nothing : 'manual'}
      dir=${this.config.dir || getComputedStyle(this).direction}
    >
      ${inline ? nothing : this.#renderLauncher(panel !== nothing)} ${panel}
    </div>`;
  }

  /** Where a visitor left off on another page: an open panel opens again, what came meanwhile is brought when idle. */
  #restore(): void {
    Promise.resolve()
      .then(() => {
        // the page has set its properties and listeners by now
        if (this.#runtime || !this.#isLive) return;
        const [, open, unread, visitor] = readPanelState(this);
        if (!open) return;
        if (visitor === this.config.visitor) {
          this.unread = Number(unread);
          if (open === '1' && !this.#recalls++) this.show().catch(ignore);
        }
        requestIdle(this.#onIntent);
      })
      .catch(ignore); // storage is forbidden: as if nothing were there
  }

  /** Translates the launcher, when idle, on a page that is not in English or has strings of its own. */
  #localizeLauncher(): void {
    const { lang } = this.closest<HTMLElement>('[lang]') ?? document.documentElement;
    const wanted = this.config.lang || lang || navigator.language;
    if (/^en\S* en/i.test(`${wanted} ${this.#words.locale}`) && !this.option('strings')) return;
    requestIdle(() => {
      import('./launcher-locale.ts')
        .then((part) => (this.#runtime ? undefined : part.localizeLauncher(this)))
        .catch(ignore); // English stays
    });
  }

  /** Brings what moves the element into a container, where one is asked for. */
  #place(): void {
    const { containerId } = this.config;
    this.#container?.update(containerId);
    if (!containerId || this.#placing) return;
    this.#placing = import('./container-mount.ts').then(
      (part) => {
        this.#container = new part.ContainerMount(this, {
          onChange: () => this.requestUpdate(),
          onFault: (message) => diagnose(this, 'container-missing', message),
        });
        this.requestUpdate();
      },
      () => {
        this.#placing = undefined;
        setTimeout(() => this.requestUpdate(), 3000);
      },
    );
  }

  #renderLauncher(hasPanel: boolean): unknown {
    const { open } = this.config;
    return renderLauncher({
      open,
      loading: open && !this.#runtime && !this.#loadFailed,
      failed: this.#loadFailed,
      hasPanel,
      hasRuntime: this.#runtime !== undefined,
      unread: this.#unread,
      words: this.#words,
      onClick: this.#onLauncherClick,
      onIntent: this.#onIntent,
    });
  }

  get #isLive(): boolean {
    return this.config.isLive || this.config.preview;
  }

  get #isOpen(): boolean {
    return this.config.open || this.formKind === 'custom';
  }

  readonly #onIntent = (): void => {
    if (!this.#loading && !this.#loadFailed) this.#load().catch(ignore); // the launcher says so
  };

  /** As long as somebody wants the panel, what failed to load is asked for again. */
  readonly #tryAgain = (): void => {
    if (!this.#loadFailed || !this.#isOpen) return;
    this.#loadFailed = false;
    this.requestUpdate();
  };

  readonly #onLauncherClick = (): void => {
    if (this.#loadFailed) {
      this.open = true;
      this.#tryAgain();
      return;
    }
    // Enter or a second click while the panel is on its way is not a wish to close it
    if (this.config.open && !this.renderRoot.querySelector('agent-chat-panel')) return;
    this.toggle().catch(ignore);
  };

  /** Brings the rest, once; a call made before simply waits. */
  #load(): Promise<ChatRuntime> {
    this.#loading ??= import('../runtime/chat-runtime.ts')
      .then(({ ChatRuntime: Runtime }) => {
        this.#runtime = new Runtime(this);
        this.requestUpdate();
        return this.#runtime;
      })
      .catch((cause: unknown) => {
        this.#loading = undefined;
        this.#loadFailed = true;
        setTimeout(this.#tryAgain, 3000);
        diagnose(this, 'load-failed', `The chat could not be loaded (${cause}). Check script-src.`);
        this.requestUpdate();
        throw cause;
      });
    return this.#loading;
  }
}

function ignore(): void {}

function requestIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 300);
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat': AgentChat;
  }
}
