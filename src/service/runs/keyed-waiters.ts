/** Condition variables by name. Each wait has a timeout, so a lost notification only delays it. */
export class KeyedWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when `name` is notified, after `milliseconds`, or when `signal` aborts. */
  wait(name: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        const waiting = this.#waiting.get(name);
        waiting?.delete(done);
        if (waiting?.size === 0) this.#waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done, { once: true });
      const waiting = this.#waiting.get(name) ?? new Set();
      waiting.add(done);
      this.#waiting.set(name, waiting);
    });
  }

  notify(name: string): void {
    for (const wake of [...(this.#waiting.get(name) ?? [])]) wake();
  }

  notifyAll(): void {
    for (const name of [...this.#waiting.keys()]) this.notify(name);
  }
}
