import type { Conversation } from '../../conversation/conversation.ts';
import type { ChatSession, SessionState } from '../../session/index.ts';
import {
  applyPatch,
  canApply,
  diffConversations,
  hasMoreThan,
  type ConversationPatch,
} from './conversation-diff.ts';
import { hasEnded } from '../../conversation/run-status.ts';
import { FollowLock } from './follow-lock.ts';
import type { SharedState, TabLink, TabMessage } from './tab-link.ts';
import type { SessionCommand } from '../../session/session-command.ts';

/** What tab sync needs of its tab. */
export interface TabHost {
  readonly session: ChatSession;
  /** Whether the conversation is visible in this tab. */
  readonly isViewed: boolean;
  /** Number of unread answers; the same in all tabs. */
  readonly unread: number;
  /** Whether all tabs show one conversation, whatever its thread; otherwise only those of the same thread do. */
  readonly isShared: boolean;
  /** Performs a command in this tab, whichever leads. */
  performHere(command: SessionCommand): Promise<void>;
  /** Applies a change that another tab made. */
  adopt(change: (conversation: Conversation) => Conversation): void;
  setUnread(count: number): void;
  /** Called when the state of another tab has changed. */
  tabsChanged(): void;
}

/** How long a new tab waits for replies, and a command for its confirmation, in milliseconds. */
const replyTimeoutMs = 700;
/** Extra time for the confirmation of a command, in milliseconds. */
const replyGraceMs = 300;
/** Delay between attempts to lead while another tab starts a run, in milliseconds. */
const claimRetryMs = 20;
/** How long to wait for the last message of a closed tab after its lock is released, in milliseconds. */
const lastMessageDelayMs = 300;

/**
 * Synchronises the tabs of one conversation. The tab that starts a run leads: it reads the stream, publishes the
 * changes, and performs the commands of the other tabs. If it closes, another tab takes over. Independently of that,
 * one tab follows the thread.
 */
export class TabSync {
  readonly #host: TabHost;
  readonly #link: TabLink;
  readonly #following: FollowLock;
  readonly #peers = new Set<string>();
  readonly #viewing = new Set<string>();
  readonly #waiting = new Map<string, (isAccepted: boolean) => void>();
  /** Another tab that leads. */
  #leader: { readonly from: string; readonly session: SessionState } | undefined;
  #lastPublished: Conversation | undefined;
  #lastState = '';
  #lastUnread = 0;
  #isAdopting = false;
  /** Whether this tab claimed the lead and is about to start a run. */
  #isStarting = false;
  /** Whether this tab ignored changes of another tab, because both had an active run. */
  #hasIgnoredChanges = false;
  /**
   * Ids of the runs that this tab has read while it ignored changes or knew no other tab. Another tab's state removes
   * an id once it contains the run's end.
   */
  readonly #ownRuns: Set<string>;
  /** Tabs whose end this one waits for. */
  readonly #awaited = new Set<string>();
  #onReply: () => void = () => undefined;
  #onStop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => {
    this.#onStop = resolve;
  });

  constructor(owner: TabHost, link: TabLink) {
    const { session } = owner;
    this.#host = owner;
    this.#link = link;
    this.#ownRuns = new Set(session.readRuns); // other tabs may have spoken before they knew of them
    link.onMessage = (message) => this.receive(message);
    this.#following = new FollowLock(link.locks, (isHeld) =>
      isHeld ? session.startFollowing() : session.stopFollowing(),
    );
  }

  /** Session state of another tab that leads, if there is one. */
  get remote(): SessionState | undefined {
    return this.#leader?.session;
  }

  /** Whether the conversation is visible in another tab. */
  get isViewedElsewhere(): boolean {
    return this.#viewing.size > 0;
  }

  /** Asks the other tabs what they show. Resolves when it is known whether one of them leads. */
  async ready(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, replyTimeoutMs);
      this.#onReply = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#post({ kind: 'hello' });
    });
  }

  /** Follows the thread in this tab: if it is visible, at once, otherwise when no other tab does. */
  follow(isVisible: boolean): void {
    this.#following.request(isVisible);
  }

  /** Makes this tab the leader, unless another is. Resolves with whether it leads and may resume a run. */
  async claim(): Promise<boolean> {
    return !this.#leader && (await this.#link.locks.claim()) && !this.#leader;
  }

  /** Sends changes to the other tabs. Cheap without other tabs or changes. */
  publish(): void {
    this.#publishChanges();
    const { busy } = this.#host.session;
    if (busy) this.#isStarting = false;
    // release the lock after the last message, so that the next leader knows that the run is over
    this.#link.locks.lead(busy || this.#isStarting);
  }

  #publishChanges(): void {
    const { session, isViewed } = this.#host;
    const { conversation, state, busy } = session;
    if (busy) this.#link.locks.lead(true);
    const last = conversation.runs.at(-1);
    const isUnshared = this.#hasIgnoredChanges || (busy && this.#peers.size === 0);
    if (isUnshared && last) this.#ownRuns.add(last.id);
    if (this.#hasIgnoredChanges && !busy) {
      this.#hasIgnoredChanges = false;
      this.#post({ kind: 'hello' });
      void session.loadHistory(); // both tabs had a run
    }
    if (this.#isAdopting || this.#peers.size === 0) return;
    if (this.#host.unread !== this.#lastUnread) {
      this.#lastUnread = this.#host.unread;
      this.#post({ kind: 'unread', count: this.#lastUnread });
    }
    const shared: SharedState = { session: state, attended: isViewed };
    const text = JSON.stringify(shared);
    const patch = diffConversations(this.#lastPublished, conversation, { isLeading: busy });
    if (!patch && text === this.#lastState) return;
    this.#lastPublished = conversation;
    this.#lastState = text;
    this.#post({ kind: 'state', generation: this.#link.generation, patch, state: shared });
  }

  /**
   * Performs a command in the tab that leads, otherwise in this one.
   * @param options.begins Whether the command starts a run. If several tabs start one at once, one tab leads all of
   *   them.
   */
  async perform(command: SessionCommand, options: { readonly begins: boolean }): Promise<void> {
    const begins = options.begins && !this.#host.session.busy;
    // a page that is left waits no longer: it performs the command, so that it is stored
    if (begins) await Promise.race([this.#claimOrFindLeader(), this.#stopped]);
    const leader = this.#leader;
    const isAccepted = leader !== undefined && (await this.#forward(leader, command));
    if (!isAccepted) {
      const isDone = this.#performHere(command);
      this.publish(); // at once: another tab may be about to send
      await isDone;
    }
    this.#isStarting = false;
    this.publish();
  }

  #performHere(command: SessionCommand): Promise<void> {
    if (command.kind === 'thread') this.#link.generation += 1;
    return this.#host.performHere(command);
  }

  /** Tries to lead until this tab or another one does. */
  async #claimOrFindLeader(): Promise<void> {
    const end = performance.now() + replyTimeoutMs;
    while (!this.#leader && performance.now() < end) {
      this.#isStarting = await this.#link.locks.claim();
      if (this.#isStarting) return;
      await new Promise((resolve) => setTimeout(resolve, claimRetryMs));
    }
  }

  /** Sends a command to another tab. Resolves with whether that tab accepted it. */
  async #forward(leader: { readonly from: string }, command: SessionCommand): Promise<boolean> {
    const id = `${this.#link.id}/${Math.random()}`;
    const until = Date.now() + replyTimeoutMs;
    const isAccepted = await new Promise<boolean>((resolve) => {
      // two timers: if this tab was blocked for long, it can read the reply before the second one ends
      let timer = setTimeout(() => (timer = setTimeout(resolve, replyGraceMs, false)), replyTimeoutMs);
      this.#waiting.set(id, (accepted) => {
        clearTimeout(timer);
        resolve(accepted);
      });
      if (!this.#post({ kind: 'command', to: leader.from, id, until, command }))
        this.#waiting.get(id)?.(false);
    });
    this.#waiting.delete(id);
    // a tab that does not reply is frozen or closed
    if (!isAccepted && this.#leader === leader) this.#leader = undefined;
    return isAccepted;
  }

  /** Leaves the other tabs. */
  stop(): void {
    this.#post({ kind: 'bye' });
    this.#following.release();
    this.#link.stop();
    this.#peers.clear();
    this.#viewing.clear();
    this.#leader = undefined;
    this.#onReply();
    this.#onStop();
  }

  #post(message: DistributiveOmit<TabMessage, 'from' | 'threadId'>): boolean {
    const { threadId } = this.#host.session.conversation;
    // the cast joins what the type has taken apart
    return this.#link.post({ ...message, from: this.#link.id, threadId } as TabMessage);
  }

  /** Handles what another tab has sent. */
  receive(message: TabMessage): void {
    const { threadId } = this.#host.session.conversation;
    const isOurs = message.threadId !== undefined && message.threadId === threadId;
    switch (message.kind) {
      case 'hello':
        if (!this.#host.isShared && !isOurs) return;
        this.publish();
        this.#peers.add(message.from);
        this.#lastPublished = undefined;
        this.#lastUnread = Number.NaN;
        return this.publish();
      case 'bye':
        this.#peers.delete(message.from);
        this.#viewing.delete(message.from);
        // with locks, the lock decides which tab takes over
        if (!this.#link.locks.manager && this.#leader?.from === message.from) {
          this.#leader = undefined;
          void this.#host.session.resume();
        }
        return this.#host.tabsChanged();
      case 'unread':
        if (!this.#host.isShared && !isOurs) return;
        this.#lastUnread = message.count;
        // the tab that posted the notification may be closed by now
        if (message.count > 0) this.#host.session.resumeNotification();
        return this.#host.setUnread(message.count);
      case 'command':
        // an expired command, such as in a tab that was frozen: its sender has performed it itself
        if (message.to !== this.#link.id || Date.now() > message.until) return;
        this.#post({ kind: 'accepted', to: message.from, id: message.id });
        void this.#performHere(message.command);
        return this.publish();
      case 'accepted':
        if (message.to === this.#link.id) this.#waiting.get(message.id)?.(true);
        return;
      case 'state':
        if (this.#host.isShared || isOurs) this.#onState(message);
        else {
          this.#viewing.delete(message.from);
          if (this.#leader?.from === message.from) this.#leader = undefined;
          this.#host.tabsChanged();
        }
    }
  }

  #onState(message: Extract<TabMessage, { readonly kind: 'state' }>): void {
    const { from, generation, patch, state } = message;
    const current = this.#link.generation;
    const isNew = !this.#peers.has(from);
    this.publish();
    this.#peers.add(from);
    if (state.attended) this.#viewing.add(from);
    else this.#viewing.delete(from);
    const isOutdated = generation < current || (generation === current && this.#isFirstHearing(patch));
    // a run that began when another tab started a new chat stays, with its conversation
    if (patch && (!isOutdated || state.session.busy)) this.#adopt(patch, generation);
    else if (patch?.messages.order) this.#lastPublished = undefined; // its sender has to learn what this tab shows
    if (state.session.busy || state.session.canStop) this.#setLeader(from, state.session);
    else if (this.#leader?.from === from) this.#leader = undefined;
    this.#onReply();
    if (state.session.keepsThreads) this.#host.session.keepsThreads = true; // only one tab follows the thread
    this.#host.tabsChanged();
    if (isNew) this.#lastState = ''; // the sender does not know this tab yet
    this.publish();
  }

  /** Whether a tab shows nothing because it has not heard of this tab's conversation. */
  #isFirstHearing(patch: ConversationPatch | undefined): boolean {
    const isBlank = patch?.messages.order?.length === 0 && !patch.messages.removed;
    return isBlank && this.#host.session.conversation.messages.length > 0;
  }

  #adopt(patch: ConversationPatch, generation: number): void {
    if (this.#host.session.busy) {
      this.#hasIgnoredChanges = true;
      return;
    }
    // this tab showed another thread meanwhile: request the whole conversation
    if (!canApply(this.#host.session.conversation, patch)) return void this.#post({ kind: 'hello' });
    if (generation > this.#link.generation) this.#ownRuns.clear(); // they belong to the former thread
    this.#link.generation = generation;
    // the other tab knew these runs
    for (const id of patch.runs.removed ?? []) this.#ownRuns.delete(id);
    this.#isAdopting = true;
    this.#host.adopt((conversation) => applyPatch(conversation, patch, this.#ownRuns));
    this.#isAdopting = false;
    const { conversation } = this.#host.session;
    this.#lastPublished = hasMoreThan(conversation, patch) ? undefined : conversation;
    for (const run of patch.runs.changed) if (hasEnded(run)) this.#ownRuns.delete(run.id);
  }

  #setLeader(from: string, session: SessionState): void {
    const isOther = this.#leader?.from !== from;
    this.#leader = { from, session };
    if (isOther) this.#awaitEndOf(from);
  }

  /** Waits until a leading tab closes. If it still leads then, this tab or a third one takes its place. */
  #awaitEndOf(leader: string): void {
    if (this.#awaited.has(leader)) return;
    this.#awaited.add(leader);
    const { locks } = this.#link;
    const stillLeads = (): boolean => !locks.end.aborted && this.#leader?.from === leader;
    // other tabs wait until the work is done
    void locks.request(locks.tabLock(leader), {}, async () => {
      if (!stillLeads()) return;
      await new Promise((resolve) => setTimeout(resolve, lastMessageDelayMs));
      if (!stillLeads() || !(await locks.claim())) return;
      this.#leader = undefined;
      void this.#host.session.resume();
      this.publish();
    });
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
