import { tooMany } from '../problem.ts';

/**
 * Counts requests by name, with a full minute's worth in hand that fills up steadily.
 * Each instance counts for itself.
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** @param perMinute 0: no limit. */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** @throws Problem 429 with the seconds until the next request is welcome. */
  take(name: string): void {
    if (this.#perMinute === 0) return;
    const now = performance.now();
    const bucket = this.#buckets.get(name) ?? { left: this.#perMinute, at: now };
    const rate = this.#perMinute / 60_000;
    bucket.left = Math.min(this.#perMinute, bucket.left + (now - bucket.at) * rate);
    bucket.at = now;
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > 50_000) this.#forget(now);
    if (bucket.left < 1) throw tooMany('too many requests; try again later', (1 - bucket.left) / rate / 1000);
    bucket.left -= 1;
  }

  #forget(now: number): void {
    for (const [name, bucket] of this.#buckets) if (now - bucket.at > 60_000) this.#buckets.delete(name);
  }
}
