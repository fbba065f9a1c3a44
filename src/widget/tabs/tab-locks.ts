/** What the locks tell. */
export interface LockOwner {
  /** This tab is (no longer) the one that follows the thread. */
  follow(isOn: boolean): void;
  /** Whether a run is on in that tab, as far as it has told. */
  isDriver(tab: string): boolean;
  /** The tab in which a run was on is gone without a word. True: this tab reads the run now. */
  driverGone(driver: string): boolean;
}

/** A driver's last word may be on its way when its lock is free already, in milliseconds. */
const lastWord = 300;

/**
 * The locks by which tabs know of each other when one of them dies: one for being there, one for reading a run, one for
 * following the thread. Where the browser has none (a page without https), each tab does for itself.
 */
export class TabLocks {
  readonly #name: string;
  readonly #owner: LockOwner;
  readonly #end = new AbortController();
  readonly #locks: LockManager | undefined;
  #stopFollowing: (() => void) | undefined;
  #isWaitingToFollow = false;
  #stopDriving: (() => void) | undefined;
  #claiming: Promise<boolean> | undefined;

  constructor(name: string, owner: LockOwner) {
    this.#name = name;
    this.#owner = owner;
    // absent where the page is no secure context, whatever the types say
    this.#locks = (navigator as { readonly locks?: LockManager }).locks;
  }

  /** Makes this tab known; tells whether there may be others. */
  async join(): Promise<boolean> {
    if (!this.#locks) return true;
    try {
      const name = `${this.#name} tab`;
      // before it looks: of two that come at once, the second sees the first
      void this.#hold(name, { mode: 'shared' });
      const { held = [] } = await this.#locks.query();
      return held.filter((lock) => lock.name === name).length > 1;
    } catch {
      return true;
    }
  }

  /** Follows the thread: takes the place of another tab when this one is looked at, else waits for it. */
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
      // locks are forbidden, as in a sandboxed frame: as if there were none
      if (!isAbort(error)) return this.#end.signal.aborted || this.#owner.follow(isVisible);
      // another tab is looked at now, or this one ends
      if (!this.#stopFollowing) return;
      this.#stopFollowing = undefined;
      this.#owner.follow(false);
      if (!this.#end.signal.aborted) this.follow(false);
    });
  }

  /** Whether the browser has locks to decide by. */
  get decide(): boolean {
    return this.#locks !== undefined;
  }

  /** Takes the run for this tab if no other has it; `drive` lets it go again. Concurrent calls share one answer. */
  claim(): Promise<boolean> {
    if (!this.#locks || this.#stopDriving) return Promise.resolve(true);
    return (this.#claiming ??= this.#claim().finally(() => (this.#claiming = undefined)));
  }

  /** A run is read in this tab, or no longer. */
  lead(isOn: boolean): void {
    if (!isOn) {
      this.#stopDriving?.();
      this.#stopDriving = undefined;
    } else if (!this.#stopDriving) {
      let stop = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        stop = resolve;
      });
      this.#stopDriving = stop;
      void this.#hold(`${this.#name} run`, {}, () => ended);
    }
  }

  /** Waits for the end of another tab in which a run is on. */
  waitForLeader(driver: string): void {
    void this.#hold(`${this.#name} run`, {}, async () => {
      if (this.#owner.isDriver(driver)) await new Promise((resolve) => setTimeout(resolve, lastWord));
      if (this.#end.signal.aborted || !this.#owner.driverGone(driver)) return;
      await new Promise<void>((resolve) => {
        const before = this.#stopDriving;
        this.#stopDriving = () => {
          before?.();
          resolve();
        };
      });
    });
  }

  stop(): void {
    this.#end.abort();
    this.#stopDriving?.();
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
  }

  #claim(): Promise<boolean> {
    return new Promise((resolve) => {
      void this.#hold(`${this.#name} run`, { ifAvailable: true }, async (lock) => {
        if (!lock) return resolve(false);
        await new Promise<void>((release) => {
          this.#stopDriving = release;
          resolve(true);
        });
      }).finally(() => resolve(true));
    });
  }

  async #hold(
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
      // a request that may be refused at once takes no signal
      await this.#locks?.request(
        name,
        options.ifAvailable ? options : { ...options, signal },
        work ?? untilEnd,
      );
    } catch {
      // this tab ends before it came to it, or locks are forbidden
    }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
