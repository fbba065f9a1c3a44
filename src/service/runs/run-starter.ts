import { isAway } from '../storage/database-error.ts';
import { startRuns, type NewRun, type RefusedStart, type RunStart } from '../storage/start-runs.ts';
import type { Store } from '../storage/store.ts';

/** Most runs that one transaction starts. */
const maxRuns = 200;
/** Characters of messages after which a transaction takes no more: the embedded database writes on the event loop. */
const maxCharacters = 200_000;

interface Waiting {
  readonly opening: NewRun;
  readonly resolve: (start: RunStart | RefusedStart) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts runs, many in one transaction: those that arrive while another transaction starts runs share the next. */
export class RunStarter {
  readonly #store: Store;
  #waiting: Waiting[] = [];
  #isStarting = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Starts a run. @throws what the opening's functions throw, or an error of the store */
  async start(opening: NewRun): Promise<RunStart> {
    const start = await new Promise<RunStart | RefusedStart>((resolve, reject) => {
      this.#waiting.push({ opening, resolve, reject });
      if (!this.#isStarting) void this.#startAll();
    });
    if (start.kind === 'refused') throw start.error;
    return start;
  }

  async #startAll(): Promise<void> {
    this.#isStarting = true;
    while (this.#waiting.length > 0) {
      // Requests that arrived together are read in the same turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#startSome(this.#waiting.splice(0, this.#countOfNext()));
    }
    this.#isStarting = false;
  }

  /** How many of those that wait share the next transaction. */
  #countOfNext(): number {
    let characters = 0;
    let count = 0;
    for (const { opening } of this.#waiting.slice(0, maxRuns)) {
      const isAlone = opening.begun !== undefined;
      characters += JSON.stringify(opening.message).length;
      if (count > 0 && (isAlone || characters > maxCharacters)) break;
      count += 1;
      if (isAlone) break;
    }
    return count;
  }

  /**
   * Starts runs in one transaction. If it fails for the data of one, starts each alone. If the database does not
   * respond, those that wait fail too: each further attempt could take seconds. Never rejects.
   */
  async #startSome(some: readonly Waiting[]): Promise<void> {
    try {
      const starts = await startRuns(
        this.#store,
        some.map(({ opening }) => opening),
      );
      some.forEach(({ resolve }, index) => resolve(starts[index] ?? { kind: 'clash' }));
    } catch (error) {
      const failed = isAway(error) ? [...some, ...this.#waiting.splice(0)] : some;
      if (some.length === 1 || isAway(error)) for (const { reject } of failed) reject(error);
      else for (const one of some) await this.#startSome([one]);
    }
  }
}
