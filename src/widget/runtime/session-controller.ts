import type { AgentClient, WireDiagnostic } from '../../client/agent-client.ts';
import type { ConversationMessage } from '../../conversation/conversation.ts';
import type { RunEvent } from '../../protocol/index.ts';
import { ChatSession, type SessionSettings, type SessionState } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { UnreadChangeEvent } from '../events/chat-events.ts';
import { PageLifecycle } from './page-lifecycle.ts';
import { RunEventDispatcher } from './run-event-dispatcher.ts';
import { TabGroup } from './tab-group.ts';
import { TokenWatch } from './token-watch.ts';
import { performCommand, type SessionCommand } from '../../session/session-command.ts';
import { sharesAcrossTabs, storageScopeOf } from '../tabs/channel-name.ts';
import { unsentMessages } from './unsent-messages.ts';
import { ChatStorage } from '../persistence/chat-storage.ts';

/** What the runtime provides to the session controller. */
export interface SessionControllerOptions {
  readonly client: () => AgentClient;
  readonly settings: () => SessionSettings;
  readonly onRunEvent: (event: RunEvent, runKey: string) => void;
  readonly diagnose: (diagnostic: WireDiagnostic) => void;
  /** Called when anything visible has changed. */
  readonly onChange: () => void;
  /** Called before the thread is left. */
  readonly onThreadLeave: (unsent: readonly ConversationMessage[]) => void;
  /** Called when the page sets another visitor: discard what the former one has not sent. */
  readonly onVisitorLeave: () => void;
}

/** How long reading continues after the element is disconnected, in ms; it may only be moving. */
const disconnectDelayMs = 2_000;

/** Commands that send a message; the others only stop, cancel or switch threads. */
const sendingCommands: ReadonlySet<SessionCommand['kind']> = new Set(['send', 'retry', 'edit', 'answer']);

/**
 * Owns the session on one page: restores and stores it, shares it with other tabs, and reacts to the page's life
 * cycle (offline, hidden, left, shown again).
 */
export class SessionController {
  readonly session: ChatSession;
  /** Whether the panel was open when the visitor left the previous page. */
  readonly wasOpen: boolean;
  readonly #host: ChatHost;
  readonly #options: SessionControllerOptions;
  readonly #storage: ChatStorage;
  /** @internal */
  readonly dispatcher: RunEventDispatcher;
  readonly #page = new PageLifecycle({
    // the page is unloaded, or enters the back/forward cache
    pagehide: () => {
      this.#isPageLeft = true;
      this.#pause();
    },
    pageshow: () => {
      this.#isPageLeft = false;
      if (this.#isAway) this.#start();
    },
    visibilitychange: () => {
      this.#updateViewed();
      if (document.hidden) return this.#hidden();
      this.#tabs.follow(true);
      if (this.session.needsToken || this.session.busy) void this.continueQueue();
    },
    online: () => {
      this.#options.onChange();
      void this.continueQueue();
    },
    offline: () => this.#options.onChange(),
  });
  readonly #tabs: TabGroup;
  #storageScope = '';
  #isAway = true;
  /** True until interrupted work is resumed, or it is known that another tab does that. */
  #isResuming = false;
  /** Whether the page is unloaded or in the back/forward cache: a request that starts now may not be sent. */
  #isPageLeft = false;
  /** Stored text when the page was left; another page may have stored more since. */
  #storedText = '';
  #disconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #threadId: string | undefined;
  /** Whether the service lists threads, as a request for the list has shown; undefined before the first. */
  #keepsThreads: boolean | undefined;
  readonly #tokens: TokenWatch;

  constructor(host: ChatHost, options: SessionControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#storage = new ChatStorage(host, options.diagnose);
    this.dispatcher = new RunEventDispatcher(host);
    this.#tabs = new TabGroup(host, this);
    this.#tokens = new TokenWatch(host);
    const { panelState: mark } = this.#storage;
    this.wasOpen = mark?.open === true && host.config.open;
    this.session = new ChatSession({
      client: options.client,
      settings: options.settings,
      storage: this.#storage,
      onDiagnostic: options.diagnose,
      onRunEvent: options.onRunEvent,
      onNews: () => this.#onUnread(),
      onHistory: () => void this.continueQueue(),
      onThreadGone: () => this.perform({ kind: 'thread', threadId: undefined }),
      onCallback: () => this.dispatcher.dispatchLatest(this.session.conversation),
      online: () => navigator.onLine,
      mayStart: () => !this.#isPageLeft,
    });
    this.dispatcher.markSeen(this.session.conversation);
    this.#threadId = host.config.threadId;
    if (this.#threadId !== undefined) this.session.setThread(this.#threadId);
    if (mark && mark.unread > 0) {
      this.session.resumeNotification();
      host.unread = mark.unread;
    }
    this.#updateViewed();
    this.session.subscribe(() => {
      if (!this.#isAway) options.onChange();
    });
    if (host.isConnected) this.#start();
  }

  /** Session state, from this tab or from the tab that leads. */
  get view(): SessionState {
    if (this.#isAway) return { connection: 'idle', canStop: false, busy: false, history: 'none' };
    const { session, keepsThreads } = this;
    const { state, history } = session;
    const { remote } = this.#tabs;
    if (remote) return { ...remote, history, keepsThreads };
    const connection = this.#mayGoOn && state.connection === 'failed' ? 'resuming' : state.connection;
    return { ...state, connection: navigator.onLine ? connection : 'offline', keepsThreads };
  }

  /** Whether the service lists threads, as far as is known. */
  get keepsThreads(): boolean {
    return this.#keepsThreads ?? this.session.keepsThreads;
  }

  set keepsThreads(doesKeep: boolean) {
    this.#keepsThreads = doesKeep;
    this.#options.onChange();
  }

  get draft(): string {
    return this.#storage.draft;
  }

  set draft(text: string) {
    this.#storage.draft = text;
  }

  /** Runs a command in the tab that leads. Resolves when it is done or handed over. */
  async perform(command: SessionCommand): Promise<void> {
    const sends = sendingCommands.has(command.kind);
    if (sends && !this.#isLive) {
      this.#options.diagnose({ code: 'not-live', message: 'is-live is false: nothing is sent.' });
      return;
    }
    const { conversation } = this.session;
    const isLeaving =
      command.kind === 'thread' && (!command.threadId || command.threadId !== conversation.threadId);
    if (isLeaving) this.#options.onThreadLeave(unsentMessages(conversation));
    return this.#tabs.perform(command, { begins: sends });
  }

  /** Called after a draw: notifies the page and the other tabs. */
  drawn(): void {
    if (this.#isAway) return;
    if (this.view.connection === 'streaming') this.#tokens.reset();
    this.dispatchRunEvents();
    this.#tabs.drawn();
  }

  /** Dispatches the events for runs that started or ended. */
  dispatchRunEvents(): void {
    if (!this.#isAway && !this.#mayGoOn) this.dispatcher.dispatchChanges(this.session.conversation);
  }

  /** Called after the element has rendered: its settings or its open state may have changed. */
  hostUpdated(): void {
    if (this.#storage.isTakenOver) return;
    const { config } = this.#host;
    // an answer that is on its way is read to its end
    if (!this.#isLive && !this.session.busy) this.#stop();
    else if (this.#isAway && this.#host.isConnected && !this.#isPageLeft) this.#start();
    if (this.#storage.applySettings(this.session, this.#options.onVisitorLeave)) {
      this.#threadId = undefined; // the page's thread belongs to the new visitor, too
      this.setUnread(0);
      this.#host.setDraft(this.#storage.draft).catch(ignore);
      if (config.threadId === undefined && this.#storage.panelState) void this.#restore();
    }
    if (!this.#isAway && this.#storageScope !== storageScopeOf(this.#host)) void this.#resume();
    if (config.threadId !== this.#threadId) {
      this.#threadId = config.threadId;
      if (config.threadId !== undefined) void this.perform({ kind: 'thread', threadId: config.threadId });
    }
    if (this.#tokens.shouldRetry(this.session.needsToken)) void this.continueQueue();
    this.#updateViewed();
    this.#storage.savePanelState(config.open, this.#host.unread);
  }

  /** Called when the element is connected, perhaps after a move. */
  hostConnected(): void {
    clearTimeout(this.#disconnectTimer);
    this.#disconnectTimer = undefined;
    if (this.#isAway) this.#start();
  }

  /**
   * Called when the element is disconnected. If it does not return soon, reading stops; the runs continue at the
   * service.
   */
  hostDisconnected(): void {
    clearTimeout(this.#disconnectTimer);
    this.session.save(); // another element may replace this one
    this.#disconnectTimer = setTimeout(() => this.#stop(), disconnectDelayMs);
  }

  /**
   * Runs a command in this tab.
   * @internal
   */
  async performHere(command: SessionCommand): Promise<void> {
    const { threadId } = this.session.conversation;
    const done = performCommand(this.session, command);
    this.#noteLeave(threadId);
    if (this.#isAway) this.session.save(); // the page was left while the command waited for other tabs
    await done;
    if (command.kind !== 'thread') return;
    this.setUnread(0);
    await this.readThread();
  }

  #start(): void {
    if (!this.#isLive) return;
    this.#isAway = false;
    this.#page.start();
    void this.#resume();
    if (document.hidden) this.#pauseWhileHidden();
  }

  /** False for a chat that is neither live nor a preview: it sends nothing. */
  get #isLive(): boolean {
    return this.#host.config.isLive || this.#host.config.preview;
  }

  /** Resumes interrupted and queued work, unless another tab leads. */
  async #resume(): Promise<void> {
    this.#storageScope = storageScopeOf(this.#host);
    this.#isResuming = true;
    await undefined; // let the constructor's caller finish first
    const { text } = this.#storage;
    if (this.#storedText && text && text !== this.#storedText) await this.#restore();
    this.#storedText = '';
    if (!this.#isAway) await this.#tabs.start();
    this.#isResuming = false;
    if (!this.#isAway) this.#options.onChange();
  }

  #stop(): void {
    this.#disconnectTimer = undefined;
    this.#pause();
    this.#page.stop();
  }

  #pause(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.session.suspend();
    this.#storedText = this.#storage.text ?? '';
    this.#tabs.leave();
  }

  /** Whether the last run was interrupted, and it is not yet known if it can be resumed. */
  get #mayGoOn(): boolean {
    return this.#isResuming && this.session.conversation.runs.at(-1)?.status === 'interrupted';
  }

  /** Replaces the current conversation with the stored one. */
  async #restore(): Promise<void> {
    this.dispatcher.markSeen(this.session.conversation); // leaving the page has cut its answer
    const module = await import('./restore-session.ts').catch(ignore);
    await module?.restoreSession(this, this.#host, this.#storage);
  }

  /**
   * Whether all tabs show one conversation, whatever its thread.
   * @internal
   */
  get isShared(): boolean {
    return sharesAcrossTabs(this.#host);
  }

  /**
   * Applies a change that was made elsewhere, where the events of its runs were dispatched.
   * @internal
   */
  adopt(change: Parameters<ChatSession['adopt']>[0]): void {
    const { threadId } = this.session.conversation;
    this.dispatcher.dispatchChanges(this.session.conversation);
    this.session.adopt(change);
    this.dispatcher.markSeen(this.session.conversation);
    this.#noteLeave(threadId);
  }

  /** What waits to be sent waits no longer when another tab has left its thread. */
  #noteLeave(threadId: string | undefined): void {
    if (threadId && threadId !== this.session.conversation.threadId) this.#options.onThreadLeave([]);
  }

  /** @internal */
  get unread(): number {
    return this.#host.unread;
  }

  /**
   * Called when the state of other tabs has changed.
   * @internal
   */
  tabsChanged(): void {
    // the page listens to the element that has replaced this one
    if (this.#storage.isTakenOver) return this.#stop();
    this.#updateViewed();
    this.#options.onChange();
  }

  /**
   * Loads the thread's stored messages and resumes what they leave open.
   * @internal
   */
  async readThread(): Promise<void> {
    if (this.#isLive && (await this.session.loadHistory())) await this.continueQueue();
    if (!this.#isAway) this.#options.onChange();
  }

  /**
   * Resumes interrupted and queued work, unless another tab leads.
   * @internal
   */
  async continueQueue(): Promise<void> {
    if (this.#isAway || !(await this.#tabs.mayResume()) || this.#isAway) return;
    void this.session.resume();
    this.#tabs.publish();
  }

  /**
   * Whether the page was left.
   * @internal
   */
  get isAway(): boolean {
    return this.#isAway;
  }

  /**
   * True when the conversation is visible in this tab.
   * @internal
   */
  get isViewed(): boolean {
    const { config, formKind } = this.#host;
    return !this.#isAway && (config.open || formKind === 'custom') && !document.hidden;
  }

  /** Called when the tab is hidden: another tab may open, perhaps as a copy of this one. */
  #hidden(): void {
    this.session.save();
    if (this.session.conversation.threadId !== undefined) void this.#tabs.join();
    this.#pauseWhileHidden();
  }

  #pauseWhileHidden(): void {
    if (this.session.conversation.threadId !== undefined)
      import('../tabs/hidden-tab.ts').then((module) => module.pauseWhileHidden(this), ignore);
  }

  #updateViewed(): void {
    const isViewed = this.isViewed;
    this.session.attended = isViewed || this.#tabs.isViewedElsewhere;
    if (isViewed) this.setUnread(0);
    this.#tabs.publish();
  }

  #onUnread(): void {
    this.setUnread(this.#host.unread + 1);
    // if the sound cannot be loaded, stay silent
    if (this.#host.config.sound === 'on')
      import('../platform/notification-sound.ts').then((module) => module.playNotificationSound(), ignore);
  }

  /** @internal */
  setUnread(count: number): void {
    if (count === this.#host.unread) return;
    this.#host.unread = count;
    this.#storage.savePanelState(this.#host.config.open, count);
    this.#host.dispatchEvent(new UnreadChangeEvent(count));
    this.#tabs.publish();
  }
}

function ignore(): void {}
