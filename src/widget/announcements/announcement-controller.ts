import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionState } from '../../session/index.ts';
import { announcePreference } from './announce-preference.ts';
import { LiveAnnouncer } from './live-announcer.ts';
import type { ConversationView, PanelConfig } from '../contexts.ts';
import { loadModule } from '../platform/load-module.ts';
import { retryDelayMs, paintDelayMs } from '../platform/lazy-element.ts';
import type { ConversationAnnouncer } from './conversation-announcer.ts';
import { AnnounceEvent } from '../events/announce-event.ts';
import { firstRun, runStartText, type AnnounceMode, type AnnouncedState } from './announced-state.ts';

/** A panel whose conversation is announced. */
export interface AnnouncedPanel extends ReactiveControllerHost, EventTarget {
  readonly panel: PanelConfig | undefined;
  readonly view: ConversationView | undefined;
  readonly session: SessionState | undefined;
  /** Whether the conversation is visible. */
  readonly shown: boolean;
  readonly liveRegion: Element | null;
}

/**
 * Owns the panel's only live region: announcements of the conversation, and those that components request.
 * `ConversationAnnouncer` loads when there is more to announce than the activity of the first run.
 */
export class AnnouncementController implements ReactiveController {
  readonly #host: AnnouncedPanel;
  readonly #announcer: LiveAnnouncer;
  readonly #since = Date.now();
  #conversationAnnouncer: ConversationAnnouncer | undefined;
  #isLoading = false;
  /** The last state seen while the conversation was empty. */
  #before: AnnouncedState | undefined;
  #status = '';
  /** True once a lost connection was announced, until its return was. */
  #isOffline = false;
  #choice: AnnounceMode | undefined;
  #choiceRead = false;

  constructor(host: AnnouncedPanel) {
    this.#host = host;
    this.#announcer = new LiveAnnouncer(() => host.liveRegion);
    host.addController(this);
  }

  /** What is announced: the visitor's choice, else the page's setting. */
  get mode(): AnnounceMode {
    const { config } = this.#host.panel ?? {};
    if (config && !this.#choiceRead) {
      this.#choiceRead = true;
      this.#choice = announcePreference.read(config.storage);
    }
    return this.#choice ?? config?.announce ?? 'answer';
  }

  /** Sets and stores the visitor's choice. */
  choose(mode: AnnounceMode): void {
    this.#choice = mode;
    this.#choiceRead = true;
    announcePreference.write(this.#host.panel?.config.storage ?? 'none', mode);
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#host.addEventListener(AnnounceEvent.type, this.#onAnnounce);
    this.#host.addEventListener('focusin', this.#onFocus);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  hostDisconnected(): void {
    this.#host.removeEventListener(AnnounceEvent.type, this.#onAnnounce);
    this.#host.removeEventListener('focusin', this.#onFocus);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#announcer.dispose();
  }

  hostUpdated(): void {
    const { panel, view, session, shown } = this.#host;
    if (!panel || !view || !session) return;
    const { words, config } = panel;
    const state: AnnouncedState = {
      conversation: view.conversation,
      connection: session.connection,
      words,
      name: config.heading || words.t('panel.name'),
      mode: !config.enableTextStreaming && this.mode === 'sentence' ? 'answer' : this.mode,
      shown: shown && !document.hidden,
    };
    if (this.#conversationAnnouncer) this.#conversationAnnouncer.update(state);
    else this.#announceStart(state);
  }

  #announceStart(state: AnnouncedState): void {
    this.#announceOffline(state);
    const run = firstRun(state);
    if (!run && state.conversation.messages.length > 0) {
      this.#announcer.cancel('status'); // the next announcement replaces it
      this.#fetchNarrator();
      return;
    }
    if (!run) {
      this.#before = state;
      return;
    }
    const status = runStartText(run, state);
    if (run.openMessageId !== undefined || status === this.#status) return;
    this.#status = status;
    this.#announcer.announce(status, 'status');
  }

  /** `ConversationAnnouncer` cannot load while the connection is lost. */
  #announceOffline({ connection, conversation, words }: AnnouncedState): void {
    const isOffline = connection === 'offline';
    if (!this.#before || conversation.messages.length === 0 || isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    this.#before = { ...this.#before, connection };
    this.#announcer.announce(words.t(isOffline ? 'announce.offline' : 'announce.reconnected'), 'connection');
  }

  #fetchNarrator(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    setTimeout(() => void this.#loadAnnouncer(), paintDelayMs);
  }

  async #loadAnnouncer(): Promise<void> {
    const part = await loadModule(
      this.#host,
      'The module that announces answers',
      () => import('./conversation-announcer.ts'),
    );
    if (!part) {
      setTimeout(() => {
        this.#isLoading = false;
        this.#host.requestUpdate();
      }, retryDelayMs);
      return;
    }
    this.#conversationAnnouncer = new part.ConversationAnnouncer(this.#announcer, {
      since: this.#since,
      announcedStatus: this.#status,
    });
    if (this.#before) this.#conversationAnnouncer.update(this.#before);
    this.hostUpdated();
  }

  readonly #onAnnounce = (event: Event): void => {
    if (!(event instanceof AnnounceEvent)) return;
    event.stopPropagation();
    this.#announcer.announce(event.text);
  };

  readonly #onFocus = (): void => this.#announcer.postpone();

  readonly #onVisibility = (): void => this.#host.requestUpdate();
}
