import type { SessionClock } from './clock.ts';

/** How often a waiting turn looks whether the network is back, in milliseconds. */
const lookEvery = 2_000;

/** Longest `Retry-After` after which a turn is repeated by itself, in ms; for a longer one the visitor decides. */
export const longestWait = 60_000;

/** Tries after which a broken stream is given up, when none of them brought anything. */
export const attemptLimit = 8;

/**
 * Milliseconds to wait before a try: none before the first, then about 1, 2, 4 … at most 15 s, spread by chance so that
 * many clients do not come back in the same moment.
 * @param attempt from 0
 */
export function delayBefore(attempt: number, random: number): number {
  if (attempt === 0) return 0;
  const base = Math.min(15_000, 1_000 * 2 ** (attempt - 1));
  return Math.round(base * (0.5 + random));
}

/** A wait that time, an abort, or somebody who knows better (`wake`) ends. */
export class Waiting {
  readonly #clock: SessionClock;
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(clock: SessionClock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Ends the wait that is on, if any. */
  wake(): void {
    this.#wake();
  }

  /** Resolves after `delay` milliseconds, or earlier when woken or aborted. */
  async pause(delay: number): Promise<void> {
    if (delay <= 0 || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        takeBack();
        this.#signal.removeEventListener('abort', finish);
        this.#wake = () => undefined;
        resolve();
      };
      const takeBack = this.#clock.after(delay, finish);
      this.#signal.addEventListener('abort', finish);
      this.#wake = finish;
    });
  }

  /** Resolves when the network is back, or aborted. */
  async online(isOnline: () => boolean): Promise<void> {
    while (!isOnline() && !this.#signal.aborted) await this.pause(lookEvery);
  }
}
