/** Callbacks of the locks. */
export interface LockOwner {
  /** This tab now follows the thread, or no longer does. */
  follow(isOn: boolean): void;
  /** Whether that tab last reported an active run. */
  isLeader(tab: string): boolean;
  /** A tab with an active run was closed; this tab now leads and reads the run. */
  onLeaderLost(): void;
}

/** How long to wait for the last message of a closed tab after its lock is released, in milliseconds. */
const lastMessageDelayMs = 300;

/**
 * Web Locks shared by the tabs of a conversation. The browser releases them when a tab closes. Each tab holds a lock of
 * its own while it exists; one lock is held by the tab that reads a run (the leader), one by the tab that follows the
 * thread. Without locks, as on pages without HTTPS, each tab works alone.
 */
export class TabLocks {
  readonly #name: string;
  readonly #id: string;
  readonly #owner: LockOwner;
  readonly #end = new AbortController();
  readonly #locks: LockManager | undefined;
  #stopFollowing: (() => void) | undefined;
  #isWaitingToFollow = false;
  #stopLeading: (() => void) | undefined;
  #claiming: Promise<boolean> | undefined;
  /** Tabs whose end this one waits for. */
  readonly #awaited = new Set<string>();

  /**
   * @param name the same in all tabs of the conversation
   * @param id this tab's own
   */
  constructor(name: string, id: string, owner: LockOwner) {
    this.#name = name;
    this.#id = id;
    this.#owner = owner;
    // missing in insecure contexts, whatever its type says
    this.#locks = (navigator as { readonly locks?: LockManager }).locks;
  }

  /** Registers this tab. Resolves with whether there may be others. */
  async join(): Promise<boolean> {
    if (!this.#locks) return true;
    try {
      const own = this.#tabLock(this.#id);
      // hold the lock before the query: if two tabs join at once, at least one sees the other
      void this.#request(own, {});
      const { held = [] } = await this.#locks.query();
      return held.some(({ name }) => name !== own && name?.startsWith(this.#tabLock('')));
    } catch {
      return true;
    }
  }

  /** Follows the thread. A visible tab replaces the tab that follows it; a hidden tab waits for that one to stop. */
  follow(isVisible: boolean): void {
    if (this.#end.signal.aborted || this.#stopFollowing) return;
    if (!this.#locks) return this.#owner.follow(isVisible);
    if (!isVisible && this.#isWaitingToFollow) return;
    this.#isWaitingToFollow = !isVisible;
    const name = `${this.#name} follow`;
    const follow = async (): Promise<void> => {
      if (this.#end.signal.aborted || this.#stopFollowing) return;
      this.#isWaitingToFollow = false;
      this.#owner.follow(true);
      await new Promise<void>((resolve) => {
        this.#stopFollowing = resolve;
      });
    };
    const options: LockOptions = isVisible ? { steal: true } : { signal: this.#end.signal };
    this.#locks.request(name, options, follow).catch((error: unknown) => {
      this.#isWaitingToFollow = false;
      // locks are not permitted here, such as in a sandboxed frame: work without them
      if (!isAbort(error)) return this.#end.signal.aborted || this.#owner.follow(isVisible);
      // another tab became visible, or this one stops
      if (!this.#stopFollowing) return;
      this.#stopFollowing = undefined;
      this.#owner.follow(false);
      if (!this.#end.signal.aborted) this.follow(false);
    });
  }

  /** Whether the browser supports locks. */
  get hasLocks(): boolean {
    return this.#locks !== undefined;
  }

  /**
   * Makes this tab the leader if no other is. Concurrent calls share the result. `lead(false)` ends it.
   */
  claim(): Promise<boolean> {
    if (!this.#locks || this.#stopLeading) return Promise.resolve(true);
    return (this.#claiming ??= this.#claim().finally(() => (this.#claiming = undefined)));
  }

  /** Call with true while this tab reads a run. */
  lead(isOn: boolean): void {
    if (!isOn) {
      this.#stopLeading?.();
      this.#stopLeading = undefined;
    } else if (!this.#stopLeading) {
      let stop = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        stop = resolve;
      });
      this.#stopLeading = stop;
      void this.#request(`${this.#name} run`, {}, () => ended);
    }
  }

  /** Waits until another tab closes or stops. If it still leads then, this tab or a third one takes its place. */
  waitForLeader(leader: string): void {
    if (this.#awaited.has(leader)) return;
    this.#awaited.add(leader);
    void this.#request(this.#tabLock(leader), {}, async () => {
      if (!this.#owner.isLeader(leader)) return;
      await new Promise((resolve) => setTimeout(resolve, lastMessageDelayMs));
      const isLost = !this.#end.signal.aborted && this.#owner.isLeader(leader);
      if (isLost && (await this.claim())) this.#owner.onLeaderLost();
    });
  }

  stop(): void {
    this.#end.abort();
    this.#stopLeading?.();
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
  }

  #tabLock(id: string): string {
    return `${this.#name} tab ${id}`;
  }

  #claim(): Promise<boolean> {
    return new Promise((resolve) => {
      void this.#request(`${this.#name} run`, { ifAvailable: true }, async (lock) => {
        if (!lock || this.#end.signal.aborted) return resolve(false);
        await new Promise<void>((release) => {
          this.#stopLeading = release;
          resolve(true);
        });
      }).finally(() => resolve(true));
    });
  }

  async #request(
    name: string,
    options: LockOptions,
    work?: (lock: Lock | null) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#end;
    const untilEnd = (): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    try {
      // the platform permits no signal together with `ifAvailable`
      await this.#locks?.request(
        name,
        options.ifAvailable ? options : { ...options, signal },
        work ?? untilEnd,
      );
    } catch {
      // this tab stopped before it got the lock, or locks are not permitted
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
