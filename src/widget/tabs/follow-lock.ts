import type { TabLocks } from './tab-locks.ts';

/**
 * The lock of the tab that follows the thread. A tab that becomes visible replaces the one that follows; a hidden tab
 * waits for that one to stop.
 */
export class FollowLock {
  readonly #locks: TabLocks;
  readonly #onChange: (isHeld: boolean) => void;
  #release: (() => void) | undefined;
  /** Whether a request of this tab waits for the lock, which the tab may meanwhile hold through another request. */
  #isWaiting = false;

  /** @param onChange called when this tab is to follow the thread, or no longer is */
  constructor(locks: TabLocks, onChange: (isHeld: boolean) => void) {
    this.#locks = locks;
    this.#onChange = onChange;
  }

  /** Takes the lock if this tab is visible, otherwise waits for it. */
  request(isVisible: boolean): void {
    const { end, manager, name } = this.#locks;
    if (end.aborted || this.#release) return;
    if (!manager) return this.#onChange(isVisible);
    if (!isVisible && this.#isWaiting) return;
    this.#isWaiting ||= !isVisible;
    const stopWaiting = (): void => {
      if (!isVisible) this.#isWaiting = false;
    };
    const hold = async (): Promise<void> => {
      stopWaiting();
      if (end.aborted || this.#release) return;
      this.#onChange(true);
      await new Promise<void>((resolve) => {
        this.#release = resolve;
      });
    };
    const options: LockOptions = isVisible ? { steal: true } : { signal: end };
    manager.request(`${name} follow`, options, hold).catch((error: unknown) => {
      stopWaiting();
      // locks are not permitted here, such as in a sandboxed frame: work without them
      if (!isAbort(error)) {
        if (!end.aborted) this.#onChange(isVisible);
        return;
      }
      // another tab became visible, or this one stops
      if (!this.#release) return;
      this.#release = undefined;
      this.#onChange(false);
      if (!end.aborted) this.request(false);
    });
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
