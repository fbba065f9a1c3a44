import type { Conversation } from '../../conversation/conversation.ts';
import type { SessionState } from '../../session/index.ts';
import { canApply, diffConversations, applyPatch, type ConversationPatch } from './conversation-diff.ts';
import { hasEnded } from '../../conversation/run-status.ts';
import { TabLocks } from './tab-locks.ts';
import type { SessionCommand } from '../../session/session-command.ts';

/** What the tabs share besides the conversation. */
export interface SharedState {
  /** What the tab itself is doing. */
  readonly session: SessionState;
  /** Somebody looks at the conversation in that tab. */
  readonly attended: boolean;
}

/** The tab, as its sync sees it. */
export interface TabHost {
  readonly conversation: Conversation;
  readonly state: SharedState;
  /** Answers that came unseen: one number for all tabs. */
  readonly unread: number;
  /** Whether all tabs show one conversation, whatever its thread; otherwise only those of the same thread do. */
  readonly isShared: boolean;
  adopt(change: (conversation: Conversation) => Conversation): void;
  perform(command: SessionCommand): Promise<void>;
  setUnread(count: number): void;
  /** Another tab's doing changed. */
  changed(): void;
  /** The tab that read the run is gone: read it here. */
  takeOver(): void;
  /** Both were busy and neither listened: look what the service has. */
  reconcile(): void;
  follow(isOn: boolean): void;
}

type TabMessage = { readonly from: string; readonly threadId: string | undefined } & (
  | { readonly kind: 'hello' | 'bye' }
  | { readonly kind: 'state'; readonly patch: ConversationPatch | undefined; readonly state: SharedState }
  | { readonly kind: 'unread'; readonly count: number }
  | {
      readonly kind: 'command';
      readonly to: string;
      readonly id: string;
      readonly until: number;
      readonly command: SessionCommand;
    }
  | { readonly kind: 'taken'; readonly to: string; readonly id: string }
);

/** How long a new tab waits for another's word, and a command for being taken, in milliseconds. */
const patience = 700;
/** How long the word that a command was taken may be on its way, in milliseconds. */
const grace = 300;
/** Time between two tries to begin a run while another tab seems to begin one, in milliseconds. */
const claimPause = 20;

/**
 * Keeps the tabs of one thread in step: the tab in which a run was begun reads its stream, the others show what it
 * tells them and hand it what the visitor wants. When it goes, another takes over; one tab follows the thread.
 */
export class TabSync {
  readonly #host: TabHost;
  readonly #channel: BroadcastChannel | undefined;
  readonly #locks: TabLocks;
  readonly #id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  readonly #peers = new Set<string>();
  readonly #attending = new Set<string>();
  readonly #waiting = new Map<string, (isTaken: boolean) => void>();
  /** The other tab in which a run is on. */
  #driver: { readonly from: string; readonly session: SessionState } | undefined;
  #told: Conversation | undefined;
  #toldState = '';
  #toldUnread = 0;
  #isAdopting = false;
  /** Another tab may be there that has not answered yet. */
  #isJoining = true;
  /** The claim of the run is kept: a run is about to begin here. */
  #isBeginning = false;
  /** Another tab ran a turn while one was on here, and each ignored what the other said. */
  #hasMissed = false;
  /** Runs that were read here meanwhile, as long as no other tab has shown that it knows them. */
  readonly #untold = new Set<string>();
  #heard: () => void = () => undefined;

  /** @param name what tells this visit's tabs from all others: service, agent, visitor */
  constructor(owner: TabHost, name: string) {
    this.#host = owner;
    this.#locks = new TabLocks(name, {
      follow: (isOn) => owner.follow(isOn),
      isDriver: (tab) => this.#driver?.from === tab,
      driverGone: (driver) => {
        if (this.#driver?.from !== driver) return false;
        this.#driver = undefined;
        owner.takeOver();
        return true;
      },
    });
    try {
      this.#channel = new BroadcastChannel(name);
      this.#channel.addEventListener('message', this.#onMessage);
    } catch {
      // no channel, no other tabs
    }
  }

  /** What another tab is doing with the conversation, if it is doing anything. */
  get remote(): SessionState | undefined {
    return this.#driver?.session;
  }

  /** Whether somebody looks at the conversation in another tab. */
  get isAttendedElsewhere(): boolean {
    return this.#attending.size > 0;
  }

  /** Resolves when it is known whether another tab reads the run already; at once when there is no other tab. */
  async ready(): Promise<void> {
    this.#isJoining = this.#channel !== undefined && (await this.#locks.join());
    if (!this.#isJoining) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#heard = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#post({ kind: 'hello' });
    });
    this.#isJoining = false;
  }

  /** Follows the thread in this tab: at once when it is looked at, else when no other tab does. */
  follow(isVisible: boolean): void {
    this.#locks.follow(isVisible);
  }

  /** Whether a run that broke may be read here: no other tab does so, and from now on none will. */
  async claim(): Promise<boolean> {
    return !this.#driver && (await this.#locks.claim()) && !this.#driver;
  }

  /** Tells the other tabs what changed here. Cheap when there are none, or nothing did. */
  publish(): void {
    this.#tell();
    const { busy } = this.#host.state.session;
    if (busy) this.#isBeginning = false;
    // after the last word: whoever waits for the lock knows that the run is over
    this.#locks.lead(busy || this.#isBeginning);
  }

  #tell(): void {
    const { conversation, state } = this.#host;
    if (state.session.busy) this.#locks.lead(true);
    const last = conversation.runs.at(-1);
    if (this.#hasMissed && last) this.#untold.add(last.id);
    if (this.#hasMissed && !state.session.busy) {
      this.#hasMissed = false;
      this.#post({ kind: 'hello' });
      this.#host.reconcile();
    }
    if (this.#isAdopting || this.#peers.size === 0) return;
    if (this.#host.unread !== this.#toldUnread) {
      this.#toldUnread = this.#host.unread;
      this.#post({ kind: 'unread', count: this.#toldUnread });
    }
    const text = JSON.stringify(state);
    const patch = diffConversations(this.#told, conversation);
    if (!patch && text === this.#toldState) return;
    this.#told = conversation;
    this.#toldState = text;
    this.#post({ kind: 'state', patch, state });
  }

  /**
   * Does a command in the tab in which a run is on; without one, here.
   * @param options.begins The command begins a run: of tabs that do so at the same moment, one runs all turns.
   */
  async perform(command: SessionCommand, options: { readonly begins: boolean }): Promise<void> {
    const hasOthers = this.#peers.size > 0 || this.#isJoining;
    const begins = options.begins && hasOthers && !this.#host.state.session.busy;
    if (begins) await this.#claimSoon();
    const driver = this.#driver;
    const isTaken = driver !== undefined && (await this.#forward(driver, command));
    if (!isTaken) {
      const isDone = this.#host.perform(command);
      this.publish(); // at once: another tab may be about to send
      await isDone;
    }
    this.#isBeginning = false;
    this.publish();
  }

  /** Claims the run, unless another tab turns out to have one. */
  async #claimSoon(): Promise<void> {
    const end = Date.now() + patience;
    while (!this.#driver && Date.now() < end) {
      this.#isBeginning = await this.#locks.claim();
      if (this.#isBeginning) return;
      await new Promise((resolve) => setTimeout(resolve, claimPause));
    }
  }

  /** Hands a command to another tab. Resolves to whether it was taken. */
  async #forward(driver: { readonly from: string }, command: SessionCommand): Promise<boolean> {
    const id = `${this.#id}/${Math.random()}`;
    const until = Date.now() + patience;
    const isTaken = await new Promise<boolean>((resolve) => {
      // two timers: where this tab was busy for long, the answer is read before the second ends
      let timer = setTimeout(() => (timer = setTimeout(resolve, grace, false)), patience);
      this.#waiting.set(id, (taken) => {
        clearTimeout(timer);
        resolve(taken);
      });
      if (!this.#post({ kind: 'command', to: driver.from, id, until, command }))
        this.#waiting.get(id)?.(false);
    });
    this.#waiting.delete(id);
    // A tab that does not answer is asleep, or gone.
    if (!isTaken && this.#driver === driver) this.#driver = undefined;
    return isTaken;
  }

  /** Leaves the other tabs to themselves. */
  stop(): void {
    this.#post({ kind: 'bye' });
    this.#channel?.removeEventListener('message', this.#onMessage);
    this.#channel?.close();
    this.#locks.stop();
    this.#peers.clear();
    this.#attending.clear();
    this.#driver = undefined;
    this.#heard();
  }

  #post(message: DistributiveOmit<TabMessage, 'from' | 'threadId'>): boolean {
    try {
      const { threadId } = this.#host.conversation;
      this.#channel?.postMessage({ ...message, from: this.#id, threadId });
      return true;
    } catch {
      return false; // something in it cannot be copied: the tabs go their own ways
    }
  }

  readonly #onMessage = (event: MessageEvent<TabMessage>): void => {
    const message = event.data;
    const { threadId } = this.#host.conversation;
    const isOurs = message.threadId !== undefined && message.threadId === threadId;
    switch (message.kind) {
      case 'hello':
        if (!this.#host.isShared && !isOurs) return;
        this.publish();
        this.#peers.add(message.from);
        this.#told = undefined;
        this.#toldUnread = Number.NaN;
        return this.publish();
      case 'bye':
        this.#peers.delete(message.from);
        this.#attending.delete(message.from);
        // who reads the run from now on, the lock decides
        if (!this.#locks.decide && this.#driver?.from === message.from) {
          this.#driver = undefined;
          this.#host.takeOver();
        }
        return this.#host.changed();
      case 'unread':
        if (!this.#host.isShared && !isOurs) return;
        this.#toldUnread = message.count;
        return this.#host.setUnread(message.count);
      case 'command':
        // what comes late, as to a tab that was frozen, the other tab has done by itself
        if (message.to !== this.#id || Date.now() > message.until) return;
        this.#post({ kind: 'taken', to: message.from, id: message.id });
        void this.#host.perform(message.command);
        return this.publish();
      case 'taken':
        if (message.to === this.#id) this.#waiting.get(message.id)?.(true);
        return;
      case 'state':
        if (this.#host.isShared || isOurs) this.#take(message);
        else {
          this.#attending.delete(message.from);
          if (this.#driver?.from === message.from) this.#driver = undefined;
          this.#host.changed();
        }
    }
  };

  #take({ from, patch, state }: Extract<TabMessage, { readonly kind: 'state' }>): void {
    const isNew = !this.#peers.has(from);
    this.publish();
    this.#peers.add(from);
    if (state.attended) this.#attending.add(from);
    else this.#attending.delete(from);
    if (patch) this.#adopt(patch);
    if (state.session.busy || state.session.canStop) this.#drivenBy(from, state.session);
    else if (this.#driver?.from === from) this.#driver = undefined;
    this.#heard();
    this.#host.changed();
    // it has not heard of this tab yet
    if (isNew) this.#post({ kind: 'state', patch: undefined, state: this.#host.state });
  }

  #adopt(patch: ConversationPatch): void {
    if (this.#host.state.session.busy) {
      this.#hasMissed = true;
      return;
    }
    // this tab has begun another thread since: whoever knows the conversation tells all of it
    if (!canApply(this.#host.conversation, patch)) return void this.#post({ kind: 'hello' });
    this.#isAdopting = true;
    this.#host.adopt((conversation) => applyPatch(conversation, patch, this.#untold));
    this.#isAdopting = false;
    const { conversation } = this.#host;
    const { order, gone } = patch.messages;
    const hasMore = order !== undefined && !gone && conversation.messages.length > order.length;
    this.#told = hasMore ? undefined : conversation;
    for (const run of patch.runs.changed) if (hasEnded(run)) this.#untold.delete(run.id);
  }

  #drivenBy(from: string, session: SessionState): void {
    const isOther = this.#driver?.from !== from;
    this.#driver = { from, session };
    if (isOther) this.#locks.waitForLeader(from);
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
