import { ContextProvider } from '@lit/context';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { asksToDecide } from '../../conversation/turns.ts';
import type { SessionState } from '../../session/index.ts';
import {
  agentName,
  configContext,
  conversationContext,
  type ConversationView,
  listsThreads,
  type PanelConfig,
  sessionContext,
} from '../contexts.ts';
import { deepestFocus } from '../platform/focus.ts';
import { LazyElement } from '../platform/lazy-element.ts';
import { loadModule } from '../platform/load-module.ts';
import { AnnounceEvent } from '../events/panel-events.ts';
import { PanelRequest } from '../events/panel-request.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { nextPaint } from '../platform/scheduling.ts';
import { stopTypedKeys } from '../platform/typed-keys.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { tokenStyles } from '../theme/tokens.styles.ts';
import type { Strings } from '../i18n/strings.ts';
import type { ComposerElement } from './composer/composer.ts';
import type { AnnouncePreferenceEvent } from './help.ts';
import { scrollByKey } from './scroll-keys.ts';
import type { TranscriptElement } from './transcript/transcript.ts';
import { AnnouncementController } from '../announcements/announcement-controller.ts';
import { panelStyles } from './panel.styles.ts';
import { RegionsController } from './regions-controller.ts';
import { ThemeController } from './theme-controller.ts';
import { ViewportController } from './viewport-controller.ts';
import { disclosureText, headerStatusText } from '../i18n/status-strings.ts';
import { composerParts, headerParts, transcriptParts } from '../theme/css-parts.ts';

const arrivalElement = new LazyElement('agent-chat-arrival', () =>
  import('./arrival.ts').then((module) => module.ArrivalElement),
);

/**
 * The panel: header, transcript and composer. Carries the theme for everything inside.
 *
 * @element agent-chat-panel
 * @attr low - Set while an on-screen keyboard leaves no room for the header
 * @fires agent-chat-request - Escape: close
 * @slot header - Replaces avatar, name and status
 * @slot header-actions - Extra buttons in the header
 * @slot empty - Replaces the welcome page
 * @slot before-composer - Content above the composer
 * @slot composer-actions - Extra buttons beside Send
 * @slot footer - Replaces the disclaimer
 * @csspart panel
 * @csspart header
 * @csspart footer
 * @csspart disclaimer
 */
export class PanelElement extends LitElement {
  static override styles = [sharedStyles, tokenStyles, panelStyles];

  @property({ type: Boolean }) open = false;
  /** The text that the composer starts with, or that the page has put there last. */
  @property() draft = '';
  /** Number of unread answers. */
  @property({ type: Number }) unread = 0;
  @property({ attribute: false }) panel!: PanelConfig;
  @property({ attribute: false }) view!: ConversationView;
  @property({ attribute: false }) session!: SessionState;
  @state() private expanded = false;
  /** Whether an answer arrived while the panel was closed, and its bubble was not dismissed. */
  @state() private arrived = false;
  /** The dialog that covers the panel. */
  @state() private dialog: 'help' | 'threads' | undefined;
  @query('agent-chat-composer') readonly composer!: ComposerElement;
  @query('agent-chat-transcript') readonly transcript!: TranscriptElement | null;
  @query('.panel') readonly frame!: HTMLElement | null;
  @query('[aria-live]') readonly liveRegion!: HTMLElement | null;
  readonly #config = new ContextProvider(this, { context: configContext });
  readonly #conversation = new ContextProvider(this, { context: conversationContext });
  readonly #session = new ContextProvider(this, { context: sessionContext });
  readonly #announcements = new AnnouncementController(this);
  readonly #theme = new ThemeController(this);
  readonly #viewport = new ViewportController(this);
  /** The element that had focus when the dialog was opened. */
  #opener: HTMLElement | undefined;

  constructor() {
    super();
    new RegionsController(this);
    this.addEventListener(PanelRequest.type, this.#onRequest);
    this.addEventListener('keydown', this.#onKey);
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.addEventListener(type, onTypedKey);
    for (const type of ['dragover', 'drop'] as const)
      this.addEventListener(type, (event) => this.composer.takeFiles(event));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('panel')) this.#applyConfig();
    this.#config.setValue(this.panel);
    this.#conversation.setValue(this.view);
    this.#session.setValue(this.session);
    // messages that were unread on the previous page have not just arrived
    const before = changed.get('unread') as number | undefined;
    if (before !== undefined) this.arrived = this.unread > before;
    if (this.open) this.arrived = false;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('open')) return;
    if (this.open) this.#viewport.update();
    else this.dialog = undefined;
  }

  override render(): unknown {
    const { panel, view, session, open, draft, expanded, dialog } = this;
    const { config, words, slots } = panel;
    const started = view.turns.length > 0 || session.history !== 'none';
    const idle = view.turns.some((turn) => asksToDecide(turn))
      ? words.t('status.waiting')
      : (panel.header.subtitle ?? words.t('status.ready'));
    const status = headerStatusText(session, view.run, words, idle);
    const inline = config.formType === 'custom';
    const disclosure = disclosureText(config.disclosure, words);
    const shown = open || inline;
    const kind = `panel ${config.formType} ${shown ? '' : 'closed'} ${expanded ? 'expanded' : ''} ${started ? '' : 'home'}`;
    return html`<section
        class=${kind}
        part="panel"
        role=${inline ? 'region' : 'dialog'}
        aria-label=${words.t('panel.label', { name: agentName(panel) })}
        aria-describedby=${disclosure ? 'disclosure' : nothing}
        lang=${words.locale}
        dir=${config.dir || words.direction}
        ?inert=${!shown}
      >
        <button
          class="button help visually-hidden"
          type="button"
          ?inert=${dialog}
          @click=${() => this.showHelp()}
        >
          ${words.t('help.title')}
        </button>
        <agent-chat-header
          part="header"
          data-region
          ?inert=${dialog}
          exportparts=${headerParts}
          @wheel=${inline ? nothing : preventWheel}
          ?plain=${!started && !slots.has('empty')}
          .panel=${panel}
          .status=${status}
          .expanded=${expanded}
          .started=${started}
          .lists=${listsThreads(panel, session)}
          >${slots.has('header') ? html`<slot name="header"></slot>` : nothing}<slot
            name="header-actions"
            slot="actions"
          ></slot
        ></agent-chat-header>
        <agent-chat-transcript data-region ?inert=${dialog} exportparts=${transcriptParts}
          >${slots.has('empty') ? html`<slot name="empty" slot="empty"></slot>` : nothing}</agent-chat-transcript
        >
        <footer part="footer" role="none" data-region ?inert=${dialog}>
          <slot name="before-composer"></slot>
          <agent-chat-composer exportparts=${composerParts} .draft=${draft}
            ><slot name="composer-actions" slot="actions"></slot
          ></agent-chat-composer>
          <slot name="footer"
            >${
              panel.header.disclaimer
                ? html`<p class="fine" part="disclaimer" dir="auto">${panel.header.disclaimer}</p>`
                : nothing
            }</slot
          >
        </footer>
        <p id="disclosure" hidden>${disclosure}</p>
        ${dialog ? this.renderDialog(words) : nothing}
      </section>
      ${this.arrived && !inline ? this.renderArrival() : nothing}
      <div class="visually-hidden" aria-live="polite" lang=${words.locale}></div>`;
  }

  private renderArrival(): unknown {
    arrivalElement.request(this);
    return html`<agent-chat-arrival
      exportparts="arrival"
      .panel=${this.panel}
      .view=${this.view}
      @close=${this.#dismissArrival}
    ></agent-chat-arrival>`;
  }

  readonly #dismissArrival = ({ target }: Event): void => {
    this.arrived = false;
    const root = this.getRootNode();
    if (target instanceof HTMLElement && target.matches(':focus') && root instanceof ShadowRoot)
      root.querySelector<HTMLElement>('.launcher')?.focus();
  };

  private renderDialog(words: Strings): unknown {
    if (this.dialog === 'threads')
      return html`<agent-chat-thread-list
        .words=${words}
        .visitor=${this.panel.config.visitor}
        @close=${this.#closeDialog}
      ></agent-chat-thread-list>`;
    return html`<agent-chat-help
      .words=${words}
      .mode=${this.#announcements.mode}
      @close=${this.#closeDialog}
      @agent-chat-announce-choice=${({ mode }: AnnouncePreferenceEvent) => this.#announcements.choose(mode)}
    ></agent-chat-help>`;
  }

  /** Opens the help with shortcuts and announcement settings; its code is loaded on first use. */
  showHelp(): Promise<void> {
    return this.#show('help');
  }

  async #show(dialog: 'help' | 'threads'): Promise<void> {
    if (this.dialog) return;
    const opener = deepestFocus(this.shadowRoot?.activeElement ?? null);
    this.#opener = opener instanceof HTMLElement ? opener : undefined;
    const module = await loadModule<{ define(): void }>(this, 'dialogs', () =>
      dialog === 'help' ? import('./help.ts') : import('./threads/thread-list.ts'),
    );
    module?.define();
    if (this.shown) this.dialog = module && dialog;
  }

  readonly #closeDialog = async (): Promise<void> => {
    this.dialog = undefined;
    await this.updateComplete;
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.focusFallback();
  };

  get regions(): readonly HTMLElement[] {
    return this.dialog ? [] : [...this.renderRoot.querySelectorAll<HTMLElement>('[data-region]')];
  }

  /** Focuses the composer; on touch screens the transcript, because the composer would open the keyboard. */
  focusFallback(): void {
    // without the ring: nobody has pressed a key
    const quietly = { preventScroll: true, focusVisible: false };
    if (matchMediaSafe('(pointer: coarse)').matches) this.transcript?.focus(quietly);
    else this.composer.focus({ preventScroll: true });
  }

  /** Before the children render; otherwise they would be styled twice. */
  #applyConfig(): void {
    this.#theme.apply();
    // percentages refer to the container, or to the window
    const { width, height } = this.panel.config;
    this.style.setProperty('--_panel-width', width);
    this.style.setProperty('--_panel-height', height);
  }

  readonly #onRequest = (event: Event): void => {
    if (!(event instanceof PanelRequest)) return;
    if (event.request.kind === 'expand') this.expanded = !this.expanded;
    if (event.request.kind === 'threads') void this.#show('threads');
    if (event.request.kind !== 'new-thread') return;
    const announced = new AnnounceEvent(this.panel.words.t('announce.new-thread'));
    // the end of the run that it stops is announced first
    void nextPaint().then(() => this.dispatchEvent(announced));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    scrollByKey(event, this);
    // 229: the key belongs to an input method; when it ends a word, Safari has `isComposing` false already
    if (event.key !== 'Escape' || event.defaultPrevented || event.keyCode === 229) return;
    if (this.panel.config.formType === 'custom') return;
    event.stopPropagation();
    event.preventDefault(); // keeps a modal dialog of the page around the chat open
    this.dispatchEvent(new PanelRequest({ kind: 'close' }));
  };

  /** Whether the panel covers the page of a phone. */
  get covers(): boolean {
    return this.open && this.#viewport.isCompact && this.panel.config.formType !== 'custom';
  }

  /** Whether the panel is open and rendered. */
  get shown(): boolean {
    return (this.open || this.panel.config.formType === 'custom') && this.isConnected && Boolean(this.frame);
  }
}

/** Keys typed into what the page has slotted stay the page's. */
function onTypedKey(event: KeyboardEvent): void {
  if (event.target === event.currentTarget) stopTypedKeys(event);
}

/** Keeps the wheel over the header from scrolling the page; zooming with Ctrl still works. */
const preventWheel = {
  passive: false,
  handleEvent(event: WheelEvent): void {
    if (!event.ctrlKey) event.preventDefault();
  },
};
