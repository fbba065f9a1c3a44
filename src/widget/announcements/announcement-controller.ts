import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { SessionState } from '../../session/index.ts';
import { announceChoice } from './announce-preference.ts';
import { Announcer } from './live-announcer.ts';
import type { ConversationView, PanelConfig } from '../contexts.ts';
import { fetchPart } from '../platform/load-module.ts';
import { retryAfter, sightFirst } from '../platform/lazy-element.ts';
import type { Narrator } from './conversation-announcer.ts';
import { SayEvent } from '../events/announce-event.ts';
import { beginning, startWords, type AnnounceMode, type Scene } from './announced-state.ts';

/** A panel whose conversation is read aloud. */
export interface NarratedPanel extends ReactiveControllerHost, EventTarget {
  readonly panel: PanelConfig | undefined;
  readonly view: ConversationView | undefined;
  readonly session: SessionState | undefined;
  /** Whether the conversation can be seen. */
  readonly shown: boolean;
  readonly liveRegion: Element | null;
}

/**
 * Keeps a panel's one live region: what the narrator says of the conversation, and what components ask for. The narrator
 * is fetched when there is more to tell than that the first answer is being worked on.
 */
export class NarrationController implements ReactiveController {
  readonly #host: NarratedPanel;
  readonly #announcer: Announcer;
  readonly #since = Date.now();
  #narrator: Narrator | undefined;
  #isComing = false;
  /** The empty conversation, as it was last seen. */
  #before: Scene | undefined;
  #status = '';
  #choice: AnnounceMode | undefined;
  #choiceRead = false;

  constructor(host: NarratedPanel) {
    this.#host = host;
    this.#announcer = new Announcer(() => host.liveRegion);
    host.addController(this);
  }

  /** What is read aloud: the visitor's choice, else the host's. */
  get mode(): AnnounceMode {
    const { config } = this.#host.panel ?? {};
    if (config && !this.#choiceRead) {
      this.#choiceRead = true;
      this.#choice = announceChoice.read(config.storage);
    }
    return this.#choice ?? config?.announce ?? 'answer';
  }

  /** The visitor's choice, from now on and for the next visit. */
  choose(mode: AnnounceMode): void {
    this.#choice = mode;
    this.#choiceRead = true;
    announceChoice.write(this.#host.panel?.config.storage ?? 'none', mode);
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#host.addEventListener(SayEvent.type, this.#onSay);
    this.#host.addEventListener('focusin', this.#onFocus);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  hostDisconnected(): void {
    this.#host.removeEventListener(SayEvent.type, this.#onSay);
    this.#host.removeEventListener('focusin', this.#onFocus);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#announcer.dispose();
  }

  hostUpdated(): void {
    const { panel, view, session, shown } = this.#host;
    if (!panel || !view || !session) return;
    const { words, config } = panel;
    const scene: Scene = {
      conversation: view.conversation,
      connection: session.connection,
      words,
      name: config.heading || words.say('panel.name'),
      mode: !config.enableTextStreaming && this.mode === 'sentence' ? 'answer' : this.mode,
      shown: shown && !document.hidden,
    };
    if (this.#narrator) this.#narrator.update(scene);
    else this.#tellBeginning(scene);
  }

  #tellBeginning(scene: Scene): void {
    const run = beginning(scene);
    if (!run && scene.conversation.messages.length > 0) {
      this.#announcer.drop('status'); // what comes next says more
      this.#fetchNarrator();
      return;
    }
    if (!run) {
      this.#before = scene;
      return;
    }
    const status = startWords(run, scene);
    if (run.openMessageId !== undefined || status === this.#status) return;
    this.#status = status;
    this.#announcer.say(status, 'status');
  }

  #fetchNarrator(): void {
    if (this.#isComing) return;
    this.#isComing = true;
    setTimeout(() => void this.#bringNarrator(), sightFirst);
  }

  async #bringNarrator(): Promise<void> {
    const part = await fetchPart(
      this.#host,
      'What reads answers aloud',
      () => import('./conversation-announcer.ts'),
    );
    if (!part) {
      setTimeout(() => {
        this.#isComing = false;
        this.#host.requestUpdate();
      }, retryAfter);
      return;
    }
    this.#narrator = new part.Narrator(this.#announcer, { since: this.#since, told: this.#status });
    if (this.#before) this.#narrator.update(this.#before);
    this.hostUpdated();
  }

  readonly #onSay = (event: Event): void => {
    if (!(event instanceof SayEvent)) return;
    event.stopPropagation();
    this.#announcer.say(event.text);
  };

  readonly #onFocus = (): void => this.#announcer.hold();

  readonly #onVisibility = (): void => this.#host.requestUpdate();
}
