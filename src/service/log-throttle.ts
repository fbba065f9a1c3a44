const intervalMs = 60_000;
const textLimit = 1_000;

/** Lets the same text into the log at most once a minute. */
export class LogThrottle {
  readonly #loggedAt = new Map<string, number>();

  /** Whether to log the text now. @param now in ms, by a clock that does not step */
  admits(text: string, now = performance.now()): boolean {
    if (now - (this.#loggedAt.get(text) ?? -Infinity) < intervalMs) return false;
    if (this.#loggedAt.size >= textLimit) this.#loggedAt.clear(); // bounded memory; some texts repeat earlier then
    this.#loggedAt.set(text, now);
    return true;
  }
}
