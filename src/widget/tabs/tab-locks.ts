/**
 * Web Locks shared by the tabs of a conversation. The browser releases them when a tab closes. Each tab holds a lock of
 * its own while it exists; one more is held by the tab that reads a run (the leader). Without locks, as on pages
 * without HTTPS, each tab works alone.
 */
export class TabLocks {
  /** The same in all tabs of the conversation; the names of their locks begin with it. */
  readonly name: string;
  /** Undefined in insecure contexts, such as on pages without HTTPS. */
  readonly manager: LockManager | undefined;
  readonly #id: string;
  readonly #end = new AbortController();
  #stopLeading: (() => void) | undefined;
  #claiming: Promise<boolean> | undefined;

  /**
   * @param name see `name`
   * @param id this tab's own
   */
  constructor(name: string, id: string) {
    this.name = name;
    this.#id = id;
    this.manager = (navigator as { readonly locks?: LockManager }).locks; // its type knows no insecure contexts
  }

  /** Aborted when this tab stops. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** Registers this tab. Resolves with whether there may be others. */
  async join(): Promise<boolean> {
    if (!this.manager) return true;
    try {
      const own = this.tabLock(this.#id);
      // hold the lock before the query: if two tabs join at once, at least one sees the other
      void this.request(own, {});
      const { held = [] } = await this.manager.query();
      return held.some(({ name }) => name !== own && name?.startsWith(this.tabLock('')));
    } catch {
      return true;
    }
  }

  /**
   * Makes this tab the leader if no other is. Concurrent calls share the result. `lead(false)` ends it.
   */
  claim(): Promise<boolean> {
    if (!this.manager || this.#stopLeading) return Promise.resolve(true);
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
      void this.request(`${this.name} run`, {}, () => ended);
    }
  }

  stop(): void {
    this.#end.abort();
    this.#stopLeading?.();
  }

  /** Name of the lock that a tab holds while it exists. */
  tabLock(id: string): string {
    return `${this.name} tab ${id}`;
  }

  #claim(): Promise<boolean> {
    return new Promise((resolve) => {
      void this.request(`${this.name} run`, { ifAvailable: true }, async (lock) => {
        if (!lock || this.end.aborted) return resolve(false);
        await new Promise<void>((release) => {
          this.#stopLeading = release;
          resolve(true);
        });
      }).finally(() => resolve(true));
    });
  }

  /**
   * Requests a lock, unless this tab stops before. Resolves when `work` is done.
   * @param work default: keeps the lock until this tab stops
   */
  async request(
    name: string,
    options: LockOptions,
    work?: (lock: Lock | null) => Promise<void>,
  ): Promise<void> {
    const signal = this.end;
    const untilEnd = (): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
    try {
      // the platform permits no signal together with `ifAvailable`
      await this.manager?.request(
        name,
        options.ifAvailable ? options : { ...options, signal },
        work ?? untilEnd,
      );
    } catch {
      // this tab stopped before it got the lock, or locks are not permitted
    }
  }
}
