import { expect, test } from '@playwright/test';
import { TabLocks } from '../../../src/widget/tabs/tab-locks.ts';

/** Locks of a browser for all tabs: requests and queries are answered in order. */
class Locks {
  readonly #held: { name: string }[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  request(name: string, _options: object, work: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#take(() => {
        const lock = { name };
        this.#held.push(lock);
        void work().then(() => {
          this.#held.splice(this.#held.indexOf(lock), 1);
          resolve();
        });
      });
    });
  }

  query(): Promise<{ held: readonly { name: string }[] }> {
    return new Promise((resolve) => {
      this.#take(() => resolve({ held: [...this.#held] }));
    });
  }

  #take(step: () => void): void {
    this.#queue = this.#queue.then(step);
  }
}

test('of two tabs that join at the same time the second sees the first; a tab of another chat sees none', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new Locks() }, configurable: true });
  try {
    const tabs = [new TabLocks('one', 'a'), new TabLocks('one', 'b'), new TabLocks('other', 'c')];
    expect(await Promise.all(tabs.map((tab) => tab.join()))).toEqual([false, true, false]);
    for (const tab of tabs) tab.stop();
  } finally {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else Reflect.deleteProperty(globalThis, 'navigator');
  }
});
