import { tooMany } from '../errors/problem.ts';

/**
 * Limits requests by name with a token bucket. A full bucket holds the requests of one minute and refills
 * steadily. Each instance counts separately.
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #setting: string;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /**
   * @param perMinute 0: no limit
   * @param setting its name, for the log
   */
  constructor(perMinute: number, setting = 'RATE_LIMIT') {
    this.#perMinute = perMinute;
    this.#setting = setting;
  }

  /**
   * Counts a request.
   * @param count number of requests it counts as, at most half a minute's worth
   * @throws Problem 429 with the seconds until the next request is allowed
   */
  take(name: string, count = 1): void {
    if (this.#perMinute === 0) return;
    const now = performance.now();
    const bucket = this.#buckets.get(name) ?? { left: this.#perMinute, at: now };
    const rate = this.#perMinute / 60_000;
    bucket.left = Math.min(this.#perMinute, bucket.left + (now - bucket.at) * rate);
    bucket.at = now;
    this.#buckets.delete(name); // keeps the map ordered by last use
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > 50_000) this.#forget(now);
    const cost = Math.max(1, Math.min(count, this.#perMinute / 2));
    if (bucket.left < cost)
      throw tooMany('too many requests; try again later', (cost - bucket.left) / rate / 1000, this.#setting);
    bucket.left -= cost;
  }

  #forget(now: number): void {
    for (const [name, bucket] of this.#buckets) {
      if (now - bucket.at <= 60_000) return;
      this.#buckets.delete(name);
    }
  }
}
