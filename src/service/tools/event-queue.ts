/** Merges values of concurrent work into one sequence. */
export class EventQueue<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = [];
  #closed = false;
  #error: unknown;
  #wake: () => void = () => undefined;

  push(value: Value): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wake();
  }

  /** Ends the sequence after the pushed values. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Ends the sequence with an error after the pushed values. */
  fail(error: unknown): void {
    if (this.#closed) return;
    this.#error = error;
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value> {
    for (;;) {
      for (let value = this.#values.shift(); value !== undefined; value = this.#values.shift()) yield value;
      if (this.#closed && this.#values.length === 0) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== undefined) throw this.#error;
  }
}
