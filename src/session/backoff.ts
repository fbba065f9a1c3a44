import type { RunFailure } from '../conversation/index.ts';
import type { SessionClock } from './clock.ts';

/** Interval of the check whether the network is back, in milliseconds. */
const onlineCheckMs = 2_000;

/** Longest `Retry-After` that the session waits for before it retries, in milliseconds. */
export const maxRetryAfterMs = 60_000;

/** Number of attempts without any event after which a broken stream is given up. */
export const attemptLimit = 8;

/**
 * The delay before an attempt, in milliseconds: 0 before the first, then about 1, 2, 4 … up to 15 s, with random
 * jitter.
 * @param attempt from 0
 */
export function backoffDelay(attempt: number, random: number): number {
  if (attempt === 0) return 0;
  const base = Math.min(15_000, 1_000 * 2 ** (attempt - 1));
  return Math.round(base * (0.5 + random));
}

/** The delay that the service asked for by `Retry-After`, in milliseconds, up to the longest. */
export function askedDelay({ retryAfter }: RunFailure): number {
  return Math.min((retryAfter ?? 0) * 1000, maxRetryAfterMs);
}

/** A delay that can be aborted, or ended early with `wake()`. */
export class Backoff {
  readonly #clock: SessionClock;
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(clock: SessionClock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Ends the current delay, if any. */
  wake(): void {
    this.#wake();
  }

  /** Resolves after `delay` milliseconds, or earlier on `wake` or abort. */
  async pause(delay: number): Promise<void> {
    if (delay <= 0 || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        cancelTimer();
        this.#signal.removeEventListener('abort', finish);
        this.#wake = () => undefined;
        resolve();
      };
      const cancelTimer = this.#clock.after(delay, finish);
      this.#signal.addEventListener('abort', finish);
      this.#wake = finish;
    });
  }

  /** Resolves when the network is back, or on abort. */
  async online(isOnline: () => boolean): Promise<void> {
    while (!isOnline() && !this.#signal.aborted) await this.pause(onlineCheckMs);
  }
}
