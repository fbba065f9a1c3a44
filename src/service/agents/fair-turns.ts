/** How long runs may work in one turn of the event loop, in ms. */
const turnMs = 4;

/**
 * Shares the event loop between runs and everything else. When runs have used up their time in a turn of the loop, the
 * others wait, and one of them continues in each later turn: requests are answered in between.
 */
export class FairTurns {
  /** When the first run began to work in this turn; undefined before. */
  #began: number | undefined;
  readonly #waiting: (() => void)[] = [];

  /** Whether the time of this turn is used up. Cheap: call it for every event. */
  get isOver(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(this.#next);
    }
    return now - this.#began > turnMs;
  }

  /** Resolves in a later turn, in the order of the calls. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #next = (): void => {
    this.#began = undefined;
    const resolve = this.#waiting.shift();
    if (!resolve) return;
    this.#began = performance.now();
    setImmediate(this.#next);
    resolve();
  };
}

/** The turns of all runs of this process. */
export const turns = new FairTurns();

/** Passes on an agent's events, in turn with other runs: an agent that never waits must not block the event loop. */
export async function* inTurns<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event> {
  for await (const event of events) {
    if (turns.isOver) await turns.wait();
    yield event;
  }
}
