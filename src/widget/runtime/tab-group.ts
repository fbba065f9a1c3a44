import type { SessionState } from '../../session/index.ts';
import type { SessionCommand } from '../../session/session-command.ts';
import type { ChatHost } from '../chat-host.ts';
import { channelNameOf } from '../tabs/channel-name.ts';
import { loadModule } from '../platform/load-module.ts';
import { TabLink } from '../tabs/tab-link.ts';
import type { TabHost, TabSync } from '../tabs/tab-sync.ts';

/** The part of the session controller that the group uses. */
export interface TabMember extends TabHost {
  /** Whether the page was left. */
  readonly isAway: boolean;
  /** Resumes interrupted and queued work, unless another tab leads. */
  continueQueue(): Promise<void>;
  /** Loads the thread's stored messages. */
  readThread(): Promise<void>;
}

/** Delay before the search for other tabs, in ms: the end of an answer is painted first. */
const paintDelayMs = 60;
/** How long an interrupted run waits for the thread's history before it resumes, in ms. */
const historyTimeoutMs = 1_000;
/** How long a message waits for the search for other tabs, in ms. */
const searchTimeoutMs = 1_000;

/**
 * The tabs that show the same conversation, as this tab sees them. Searches for them when there is something to share,
 * and leaves them with the page or the thread. What keeps tabs in step is loaded when there is another tab.
 */
export class TabGroup {
  readonly #host: ChatHost;
  readonly #member: TabMember;
  #link: TabLink | undefined;
  /** Undefined while this tab is alone. */
  #sync: TabSync | undefined;
  /** The search for other tabs; resolves when it is known whether one of them leads. */
  #search: Promise<void> | undefined;
  /** Whether this tab has heard another one, which it cannot read yet. */
  #hasCompany = false;
  #meeting: Promise<void> | undefined;
  /** True when queued work waits for the result of the search. */
  #isQueueWaiting = false;
  /** Channel name of the last search; includes the thread id where tabs share only a thread. */
  #channelName = '';

  constructor(host: ChatHost, member: TabMember) {
    this.#host = host;
    this.#member = member;
  }

  /** Session state of another tab that leads, if there is one. */
  get remote(): SessionState | undefined {
    return this.#sync?.remote;
  }

  /** Whether the conversation is visible in another tab. */
  get isViewedElsewhere(): boolean {
    return this.#sync?.isViewedElsewhere === true;
  }

  /** Searches for other tabs if there can be any. Then resumes work, unless another tab leads. */
  async start(): Promise<void> {
    this.leave(); // a draw may have joined them meanwhile
    if (!this.#isAlone) return this.join({ resume: true });
    this.#member.session.startFollowing();
    await this.#member.continueQueue();
  }

  /** Joins the other tabs that may show this conversation. */
  async join({ resume = false } = {}): Promise<void> {
    if (this.#link || this.#member.isAway) return;
    this.#isQueueWaiting = resume;
    this.#channelName = this.#currentChannelName;
    this.#hasCompany = false;
    const link = (this.#link = new TabLink(this.#channelName, () => {
      this.#hasCompany = true;
      this.#meet(link);
    }));
    await this.#searchWith(async () => {
      if (await link.join()) await this.#loadSync(link);
      if (link === this.#link && resume && !this.remote)
        await Promise.race([this.#member.readThread(), pause(historyTimeoutMs)]);
    });
  }

  /** Loads what reads the messages of other tabs, once one is heard. */
  #meet(link: TabLink): void {
    const meet = async (): Promise<void> => {
      await this.#search;
      if (link === this.#link && !this.#sync) await this.#searchWith(() => this.#loadSync(link));
    };
    this.#meeting ??= meet().finally(() => (this.#meeting = undefined));
  }

  /** Follows the thread once the search is over, and continues the queue if that has waited. */
  async #searchWith(work: () => Promise<void>): Promise<void> {
    const search = (this.#search = work());
    await search;
    if (search !== this.#search) return; // this tab has left meanwhile
    this.#search = undefined;
    const { session } = this.#member;
    if (!this.#sync) session.startFollowing();
    else {
      if (document.hidden) session.stopFollowing(); // another tab may follow the thread
      this.#sync.follow(!document.hidden);
    }
    if (!this.#isQueueWaiting) return;
    this.#isQueueWaiting = false;
    await this.#member.continueQueue();
  }

  /** If the code cannot be loaded, this tab stays alone until it hears another one again or becomes visible. */
  async #loadSync(link: TabLink): Promise<void> {
    const module = await loadModule(this.#host, 'other tabs', () => import('../tabs/tab-sync.ts'));
    if (!module || link !== this.#link) return;
    this.#sync = new module.TabSync(this.#member, link);
    await this.#sync.ready();
  }

  leave(): void {
    (this.#sync ?? this.#link)?.stop();
    this.#sync = this.#link = this.#search = this.#meeting = undefined;
  }

  /**
   * Performs a command in the tab that leads. Resolves when it is done or handed over.
   * @param options.begins Whether the command starts a run.
   */
  async perform(command: SessionCommand, options: { readonly begins: boolean }): Promise<void> {
    // where each tab has its own thread, changing it here must not change it in other tabs
    const changesThread = command.kind === 'thread';
    const isOwn = changesThread && !this.#member.isShared;
    // another tab may be sending as well
    if (options.begins && this.#search) await Promise.race([this.#search, pause(searchTimeoutMs)]);
    if (this.#sync) return isOwn ? this.#member.performHere(command) : this.#sync.perform(command, options);
    const done = this.#member.performHere(command);
    if (changesThread && this.#link) this.#link.generation += 1;
    this.publish();
    await done;
    this.publish();
  }

  /**
   * Resolves with whether this tab may resume work. After a search that has not ended yet, `continueQueue` is called.
   */
  async mayResume(): Promise<boolean> {
    const link = this.#link;
    if (this.#search) this.#isQueueWaiting = true;
    if (this.#search || this.remote) return false;
    const leader = this.#sync ?? link?.locks;
    if (leader && !this.#member.session.busy && !(await leader.claim())) return false;
    return link === this.#link;
  }

  /** Follows the thread in this tab: if it is visible, at once, otherwise when no other tab does. */
  follow(isVisible: boolean): void {
    if (this.#sync) this.#sync.follow(isVisible);
    else if (this.#link && this.#hasCompany) this.#meet(this.#link);
  }

  /** Sends changes to the other tabs. Cheap without other tabs or changes. */
  publish(): void {
    if (this.#sync) this.#sync.publish();
    else this.#link?.locks.lead(this.#member.session.busy);
  }

  /** Called after a draw: sends changes, and joins the tabs of a new thread. */
  drawn(): void {
    const { session } = this.#member;
    if (this.#link && this.#channelName !== this.#currentChannelName) {
      this.leave(); // they show another thread
      session.startFollowing();
    }
    this.publish();
    if (!this.#link && !session.busy && !this.#isAlone) setTimeout(() => void this.join(), paintDelayMs);
  }

  /** True when no other tab can show this conversation: tabs do not share it, and it has no thread yet. */
  get #isAlone(): boolean {
    return !this.#member.isShared && this.#member.session.conversation.threadId === undefined;
  }

  get #currentChannelName(): string {
    return channelNameOf(this.#host, this.#member.session.conversation.threadId);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
