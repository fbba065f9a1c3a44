import type { AgentClient, WireDiagnostic } from '../../client/agent-client.ts';
import type { RunEvent } from '../../protocol/index.ts';
import { ChatSession, type SessionSettings, type SessionState } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { UnreadChangeEvent } from '../events/chat-events.ts';
import { retryDelayMs, paintDelayMs } from '../platform/lazy-element.ts';
import { PageLifecycle } from './page-lifecycle.ts';
import { RunEventDispatcher } from './run-event-dispatcher.ts';
import { createTabHost } from './tab-host.ts';
import type { TabSync } from '../tabs/tab-sync.ts';
import { TokenWatch } from './token-watch.ts';
import type { SessionCommand } from '../../session/session-command.ts';
import { sharesAcrossTabs, channelNameOf, storageScopeOf } from '../tabs/channel-name.ts';
import { unsentTexts } from './unsent-texts.ts';
import { ChatStorage } from '../persistence/chat-storage.ts';

/** What a visit needs of the runtime. */
export interface SessionControllerOptions {
  readonly client: () => AgentClient;
  readonly settings: () => SessionSettings;
  readonly onRunEvent: (event: RunEvent, runKey: string) => void;
  readonly diagnose: (diagnostic: WireDiagnostic) => void;
  /** Something that is shown changed. */
  readonly changed: () => void;
  /** The thread is about to be left; `unsent` are the visitor's texts that wait in its queue. */
  readonly leaving: (unsent: readonly string[]) => void;
}

/** How long an element may be out of the page, on its way to another place, before reading stops, in milliseconds. */
const leaveAfter = 2_000;
/** How long a run that broke waits for the thread's history before it goes on, in milliseconds. */
const historyFirst = 1_000;
/** How long what is sent waits until it is known whether there are other tabs, in milliseconds. */
const meetFirst = 1_000;

/** Commands that send something; the others only end, take back or leave. */
const sending: ReadonlySet<SessionCommand['kind']> = new Set(['send', 'retry', 'edit', 'answer']);

/**
 * One visitor's time with the chat on one page: the session, what is kept of it for the next page, its other tabs,
 * whether anybody looks, and what the page goes through (offline, hidden, left, come back).
 */
export class SessionController {
  readonly session: ChatSession;
  /** Whether the panel stood open when the visitor left the last page. */
  readonly wasOpen: boolean;
  readonly #host: ChatHost;
  readonly #options: SessionControllerOptions;
  readonly #storage: ChatStorage;
  /** @internal */
  readonly dispatcher: RunEventDispatcher;
  readonly #page = new PageLifecycle({
    onLeave: () => this.#pause(),
    onReturn: () => {
      if (this.#isAway) this.#begin();
    },
    onHidden: () => {
      this.#updateViewed();
      this.#hidden();
    },
    onVisible: () => {
      this.#updateViewed();
      this.#tabs?.follow(true);
      if (this.session.needsToken) void this.#continueQueue();
    },
    onConnectivityChange: (isOnline) => {
      this.#options.changed();
      if (isOnline) void this.#continueQueue();
    },
  });
  #tabs: TabSync | undefined;
  /** Other tabs are being looked for; resolves when it is known whether one reads a run. */
  #meeting: Promise<TabSync | undefined> | undefined;
  /** Something was to go on while it was not known whether another tab does it. */
  #hasWaited = false;
  #name = '';
  /** What the tabs were last looked for under: the name, and the thread where only its own tabs count. */
  #tabsName = '';
  #isAway = true;
  /** What was kept when the page was left; another page may keep more. */
  #kept = '';
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #threadId: string | undefined;
  readonly #tokens: TokenWatch;

  constructor(host: ChatHost, options: SessionControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#storage = new ChatStorage(host, options.diagnose);
    this.dispatcher = new RunEventDispatcher(host);
    this.#tokens = new TokenWatch(host);
    const { mark } = this.#storage;
    this.wasOpen = mark?.open === true && host.config.open;
    this.session = new ChatSession({
      client: options.client,
      settings: options.settings,
      storage: this.#storage,
      onDiagnostic: options.diagnose,
      onRunEvent: options.onRunEvent,
      onNews: () => this.#onNews(),
      onHistory: () => void this.#continueQueue(),
      onCallback: () => this.dispatcher.dispatchLatest(this.session.conversation),
      online: () => navigator.onLine,
    });
    this.dispatcher.markSeen(this.session.conversation);
    this.#threadId = host.config.threadId;
    if (this.#threadId !== undefined) this.session.setThread(this.#threadId);
    if (mark && mark.unread > 0) {
      this.session.recallNotification();
      host.unread = mark.unread;
    }
    this.#updateViewed();
    this.session.subscribe(() => {
      if (!this.#isAway) options.changed();
    });
    if (host.isConnected) this.#begin();
  }

  /** What is going on, here or in the tab in which it goes on. */
  get view(): SessionState {
    if (this.#isAway) return { connection: 'idle', canStop: false, busy: false, history: 'none' };
    const { connection, canStop, busy, history } = this.session;
    const remote = this.#tabs?.remote;
    if (remote) return { ...remote, history };
    return { connection: navigator.onLine ? connection : 'offline', canStop, busy, history };
  }

  get draft(): string {
    return this.#storage.draft;
  }

  set draft(text: string) {
    this.#storage.draft = text;
  }

  /** Does what the visitor wants, in the tab where it has to be done. Resolves when it is done, or handed over. */
  async perform(command: SessionCommand): Promise<void> {
    const sends = sending.has(command.kind);
    const { isLive, preview } = this.#host.config;
    if (!isLive && !preview && sends) {
      this.#options.diagnose({ code: 'not-live', message: 'is-live is false: nothing is sent.' });
      return;
    }
    const { conversation } = this.session;
    const isLeaving =
      command.kind === 'thread' && (!command.threadId || command.threadId !== conversation.threadId);
    if (isLeaving) this.#options.leaving(unsentTexts(conversation));
    // where each tab has a thread of its own, none turns to another because of this one
    const isOwn = command.kind === 'thread' && !sharesAcrossTabs(this.#host);
    // another tab may be sending, too
    if (sends && this.#meeting) await Promise.race([this.#meeting, pause(meetFirst)]);
    const tabs = isOwn ? undefined : this.#tabs;
    return tabs ? tabs.perform(command, { begins: sends }) : this.performHere(command);
  }

  /** What changed was drawn: the page and the other tabs are told. */
  drawn(): void {
    if (this.#isAway) return;
    if (this.view.connection === 'streaming') this.#tokens.worked();
    this.dispatchRunEvents();
    if (this.#tabs && this.#tabsName !== this.#nameOfTabs) {
      this.#leaveTabs(); // they show another thread
      this.session.startFollowing();
    }
    this.#tabs?.publish();
    if (!this.#tabs && !this.session.busy && !this.#isAlone)
      setTimeout(() => void this.#meetTabs(), paintDelayMs);
  }

  /** The page is told of the runs that began or ended. */
  dispatchRunEvents(): void {
    if (!this.#isAway) this.dispatcher.dispatchChanges(this.session.conversation);
  }

  /** The element was drawn: its settings, or whether it is open, may have changed. */
  hostUpdated(): void {
    const { config } = this.#host;
    if (this.#storage.move(this.session.conversation)) {
      this.session.setThread(undefined);
      this.#threadId = undefined; // the page's thread is this visitor's, too
      this.setUnread(0);
      this.#host.setDraft(this.#storage.draft).catch(ignore);
      if (this.#storage.mark) void this.#restore();
    }
    if (!this.#isAway && this.#name !== storageScopeOf(this.#host)) void this.#begun();
    if (config.threadId !== this.#threadId) {
      this.#threadId = config.threadId;
      if (config.threadId !== undefined) void this.perform({ kind: 'thread', threadId: config.threadId });
    }
    if (this.#tokens.isWorthATry(this.session.needsToken)) void this.#continueQueue();
    this.#updateViewed();
    this.#storage.note(config.open, this.#host.unread);
  }

  /** The element is in the page, perhaps in another place of it. */
  hostConnected(): void {
    clearTimeout(this.#leaving);
    this.#leaving = undefined;
    if (this.#isAway) this.#begin();
  }

  /** The element was taken out of the page. If it does not come back soon, nothing is read any more; runs go on. */
  hostDisconnected(): void {
    clearTimeout(this.#leaving);
    this.session.save(); // another element may come in its place
    this.#leaving = setTimeout(() => this.#end(), leaveAfter);
  }

  /**
   * Does it in this tab.
   * @internal
   */
  async performHere(command: SessionCommand): Promise<void> {
    const { session } = this;
    switch (command.kind) {
      case 'send':
        return session.send(command.input);
      case 'stop':
        return session.stop();
      case 'retry':
        return session.retry(command.runKey);
      case 'edit':
        return session.edit(command.messageId, command.message);
      case 'feedback':
        return session.feedback(command.messageId, undefined, command.feedback);
      case 'remove-queued':
        return session.removeQueued(command.messageId);
      case 'answer':
        return session.answer(command.messageId, command.itemId, command.answer, command.message);
      case 'thread':
        session.setThread(command.threadId);
        this.setUnread(0);
        await this.readThread();
    }
  }

  #begin(): void {
    this.#isAway = false;
    this.#page.start();
    void this.#begun();
  }

  /** Goes on with what broke when the last page was left, unless another tab does. */
  async #begun(): Promise<void> {
    this.#leaveTabs();
    this.#name = storageScopeOf(this.#host);
    await undefined; // whoever made this visit has it by then
    const { text } = this.#storage;
    if (this.#kept && text && text !== this.#kept) await this.#restore();
    this.#kept = '';
    if (this.#isAway) return;
    if (!this.#isAlone) return this.#meetTabs({ goOn: true });
    this.session.startFollowing();
    await this.#continueQueue();
  }

  #end(): void {
    this.#leaving = undefined;
    this.#pause();
    this.#page.stop();
  }

  #pause(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.session.suspend();
    this.#kept = this.#storage.text ?? '';
    this.#leaveTabs();
  }

  /** What is kept takes the place of what is shown. */
  async #restore(): Promise<void> {
    const part = await import('./recall-visit.ts').catch(ignore);
    part?.restoreSession(this, this.#host, this.#storage);
  }

  #leaveTabs(): void {
    this.#tabs?.stop();
    this.#tabs = undefined;
    this.#meeting = undefined;
  }

  /** No other tab can show this conversation: it is of this tab only, and the service has given it no thread yet. */
  get #isAlone(): boolean {
    return !sharesAcrossTabs(this.#host) && this.session.conversation.threadId === undefined;
  }

  get #nameOfTabs(): string {
    return channelNameOf(this.#host, this.session.conversation.threadId);
  }

  /**
   * Finds the other tabs. What that takes is fetched with the first conversation that another tab could show: one read
   * back, one shared by all tabs, or one that has had its first answer.
   */
  async #meetTabs({ goOn = false } = {}): Promise<void> {
    if (this.#tabs || this.#meeting || this.#isAway) return;
    this.#hasWaited = goOn;
    this.#tabsName = this.#nameOfTabs;
    const isCurrent = (): boolean => this.#meeting === meeting;
    const meeting = (this.#meeting = this.#joinTabs(isCurrent));
    const tabs = await meeting;
    if (isCurrent() && goOn && !tabs?.remote) await Promise.race([this.readThread(), pause(historyFirst)]);
    if (!isCurrent()) return;
    this.#meeting = undefined;
    if (tabs) {
      if (document.hidden) this.session.stopFollowing(); // perhaps another tab does
      tabs.follow(!document.hidden);
    } else {
      this.session.startFollowing();
      setTimeout(() => void this.#meetTabs(), retryDelayMs);
    }
    if (this.#hasWaited) await this.#continueQueue();
  }

  async #joinTabs(isCurrent: () => boolean): Promise<TabSync | undefined> {
    const part = await import('../tabs/tab-sync.ts').catch(() => undefined);
    if (!part || !isCurrent()) return undefined;
    const tabs = (this.#tabs = new part.TabSync(createTabHost(this, this.#host), this.#tabsName));
    await tabs.ready();
    return tabs;
  }

  /**
   * What other tabs do is another thing now.
   * @internal
   */
  tabsChanged(): void {
    this.#updateViewed();
    this.#options.changed();
  }

  /** @internal Loads the thread's stored messages, and goes on with what they tell. */
  async readThread(): Promise<void> {
    if (await this.session.loadHistory()) await this.#continueQueue();
    if (!this.#isAway) this.#options.changed();
  }

  /** Goes on with what broke or waits, unless another tab does. */
  async #continueQueue(): Promise<void> {
    const tabs = this.#tabs;
    if (this.#meeting) this.#hasWaited = true;
    if (this.#meeting || this.#isAway || tabs?.remote) return;
    if (tabs && !this.session.busy && !(await tabs.claim())) return;
    if (tabs !== this.#tabs) return;
    void this.session.resume();
    tabs?.publish();
  }

  /**
   * Somebody can see the conversation in this tab.
   * @internal
   */
  get isViewed(): boolean {
    const { config, formKind } = this.#host;
    return !this.#isAway && (config.open || formKind === 'custom') && !document.hidden;
  }

  /** Perhaps for another tab, which may be a copy of this one. */
  #hidden(): void {
    this.session.save();
    if (this.session.conversation.threadId !== undefined) void this.#meetTabs();
  }

  #updateViewed(): void {
    const isSeen = this.isViewed;
    this.session.attended = isSeen || this.#tabs?.isAttendedElsewhere === true;
    if (isSeen) this.setUnread(0);
    this.#tabs?.publish();
  }

  #onNews(): void {
    this.setUnread(this.#host.unread + 1);
    // what cannot be fetched makes no sound
    if (this.#host.config.sound === 'on')
      import('../platform/notification-sound.ts').then((part) => part.playNotificationSound(), ignore);
  }

  /** @internal */
  setUnread(count: number): void {
    if (count === this.#host.unread) return;
    this.#host.unread = count;
    this.#storage.note(this.#host.config.open, count);
    this.#host.dispatchEvent(new UnreadChangeEvent(count));
    this.#tabs?.publish();
  }
}

function ignore(): void {}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
