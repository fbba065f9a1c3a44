/** Merges the values of concurrent producers into one sequence, for one reader. `undefined` is not a value. */
export class EventQueue<Value extends object> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #isClosed = false;
  #error: unknown;
  #wake: () => void = () => undefined;

  push(value: Value): void {
    if (this.#isClosed) return;
    this.#values.push(value);
    this.#wake();
  }

  /** Ends the sequence after the pushed values. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Ends the sequence with an error after the pushed values. */
  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#error = error;
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      for (let value = this.#values.shift(); value !== undefined; value = this.#values.shift()) yield value;
      if (this.#isClosed && this.#values.length === 0) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
  }
}
