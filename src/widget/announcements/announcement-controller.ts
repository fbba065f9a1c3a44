import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionState } from '../../session/index.ts';
import { announcePreference } from './announce-preference.ts';
import { LiveAnnouncer } from './live-announcer.ts';
import { agentName, type ConversationView, type PanelConfig } from '../contexts.ts';
import {
  type AnnouncedState,
  type AnnounceMode,
  ConversationAnnouncer,
  needsItemSpeech,
} from './conversation-announcer.ts';
import { AnnounceEvent } from '../events/panel-events.ts';
import { loadModule } from '../platform/load-module.ts';

/** A panel whose conversation is announced. */
export interface AnnouncedPanel extends ReactiveControllerHost, EventTarget {
  readonly panel: PanelConfig;
  readonly view: ConversationView;
  readonly session: SessionState;
  /** Whether the conversation is visible. */
  readonly shown: boolean;
  readonly liveRegion: Element | null;
}

/** Owns the panel's only live region: announcements of the conversation, and those that components request. */
export class AnnouncementController implements ReactiveController {
  readonly #host: AnnouncedPanel;
  readonly #announcer: LiveAnnouncer;
  readonly #conversationAnnouncer: ConversationAnnouncer;
  #choice: AnnounceMode | undefined;
  #choiceRead = false;
  #itemSpeech: AnnouncedState['itemSpeech'];
  /** Number of messages when `itemSpeech` was last requested. */
  #requestedCount = 0;
  #isLoading = false;

  constructor(host: AnnouncedPanel) {
    this.#host = host;
    this.#announcer = new LiveAnnouncer(() => host.liveRegion);
    this.#conversationAnnouncer = new ConversationAnnouncer(this.#announcer, Date.now());
    host.addController(this);
  }

  /** What is announced: the visitor's choice, else the page's setting. */
  get mode(): AnnounceMode {
    const { config } = this.#host.panel;
    if (!this.#choiceRead) {
      this.#choiceRead = true;
      this.#choice = announcePreference.read(config.storage);
    }
    return this.#choice ?? config.announce;
  }

  /** Sets and stores the visitor's choice. */
  choose(mode: AnnounceMode): void {
    this.#choice = mode;
    this.#choiceRead = true;
    announcePreference.write(this.#host.panel.config.storage, mode);
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
    if (this.#isLoading) return;
    const { conversation } = view;
    const count = conversation.messages.length;
    if (!this.#itemSpeech && count !== this.#requestedCount && needsItemSpeech(conversation)) {
      this.#requestedCount = count;
      return void this.#loadItemSpeech();
    }
    const { words, config } = panel;
    const state: AnnouncedState = {
      conversation,
      connection: session.connection,
      words,
      name: agentName(panel),
      mode: !config.enableTextStreaming && this.mode === 'sentence' ? 'answer' : this.mode,
      shown: shown && !document.hidden,
      itemSpeech: this.#itemSpeech,
    };
    this.#conversationAnnouncer.update(state);
  }

  /**
   * Loads the texts of content items for announcements. Until then, nothing is announced, because announcements would
   * lack the items. After a failure they do, until the next message requests the module again.
   */
  async #loadItemSpeech(): Promise<void> {
    this.#isLoading = true;
    this.#itemSpeech = await loadModule(this.#host, 'announcements', () => import('./item-speech.ts'));
    this.#isLoading = false;
    this.#host.requestUpdate();
  }

  readonly #onAnnounce = (event: Event): void => {
    if (!(event instanceof AnnounceEvent)) return;
    event.stopPropagation();
    this.#announcer.announce(event.text, event.slot);
  };

  readonly #onFocus = (): void => this.#announcer.postpone();

  readonly #onVisibility = (): void => this.#host.requestUpdate();
}
