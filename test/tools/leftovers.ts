import type { Page } from '@playwright/test';

/** Active timers of a page, and its listeners on window and document by type. */
export interface Leftovers {
  readonly timers: number;
  readonly listeners: Readonly<Record<string, number>>;
}

/** Starts counting. Run it in the page before any other script. */
export function countLeftovers(): void {
  const timers = new Set<unknown>();
  const listeners = new Map<string, number>();
  Object.assign(window, {
    leftovers: () => ({
      timers: timers.size,
      listeners: Object.fromEntries([...listeners].filter(([, count]) => count > 0)),
    }),
  });
  for (const [set, clear] of [
    ['setTimeout', 'clearTimeout'],
    ['setInterval', 'clearInterval'],
  ] as const) {
    const original = window[set] as (work: () => void, wait?: number) => number; // as it is called here
    const originalClear = window[clear];
    Reflect.set(window, set, (work: () => void, wait?: number) => {
      const id: number = original(() => {
        if (set === 'setTimeout') timers.delete(id);
        work();
      }, wait);
      timers.add(id);
      return id;
    });
    Reflect.set(window, clear, (id: number) => {
      timers.delete(id);
      originalClear(id);
    });
  }
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    const remove = target.removeEventListener.bind(target);
    const change = (type: string, by: number): unknown =>
      listeners.set(type, (listeners.get(type) ?? 0) + by);
    Reflect.set(
      target,
      'addEventListener',
      (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
        if (!options?.once && !options?.signal) change(type, 1);
        add(type, listener, options);
      },
    );
    Reflect.set(
      target,
      'removeEventListener',
      (type: string, listener: EventListener, options?: EventListenerOptions) => {
        change(type, -1);
        remove(type, listener, options);
      },
    );
  }
}

/** The current counts of a page. */
export function leftovers(page: Page): Promise<Leftovers> {
  return page.evaluate(() => (Reflect.get(window, 'leftovers') as () => Leftovers)());
}
