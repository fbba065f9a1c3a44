const textLimit = 1_000;

/** Decides which texts are due: the same one only after some time. */
export class RareTexts {
  readonly #intervalMs: number;
  readonly #lastAt = new Map<string, number>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Whether the text was not due within the interval; it counts as used then. @param now in ms */
  isDue(text: string, now = Date.now()): boolean {
    if (now - (this.#lastAt.get(text) ?? -Infinity) < this.#intervalMs) return false;
    if (this.#lastAt.size >= textLimit) this.#lastAt.clear(); // bounded memory; some texts come early then
    this.#lastAt.set(text, now);
    return true;
  }
}
