import { readRun } from '../storage/event-log.ts';
import type { Cursor, StoredEvent } from '../storage/run-events.ts';
import type { Store } from '../storage/store.ts';
import type { LiveRun } from './live-run.ts';
import { synthesizedEvents } from './synthesized-events.ts';

/** Reads a run that this instance executes or follows: recent events from memory, older ones from the store. */
export class LiveReader {
  readonly live: LiveRun;
  readonly #store: Store;
  #cursor: Cursor;
  /** Whether the end was synthesized because the events have expired. */
  #over = false;

  constructor(store: Store, live: LiveRun, cursor: Cursor) {
    this.#store = store;
    this.live = live;
    this.#cursor = cursor;
  }

  /** Returns the next events: `undefined` when there are none yet, a promise when they must be fetched. */
  read(): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[]> {
    if (this.#over) return undefined;
    const recent = this.live.after(this.#cursor);
    if (recent === undefined) return this.#fetch();
    this.#cursor = recent.at(-1) ?? this.#cursor;
    return recent.length === 0 ? undefined : recent;
  }

  async #fetch(): Promise<readonly StoredEvent[]> {
    const events = await readRun(this.#store.events, { runId: this.live.id, cursor: this.#cursor });
    this.#cursor = events.at(-1) ?? this.#cursor;
    if (events.length > 0) return events;
    const left = this.live.ended && (await synthesizedEvents(this.#store, this.live.id, this.#cursor));
    if (left) {
      this.#over = true;
      return left;
    }
    // Events that were just dropped from memory may not be stored yet: try again soon.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [];
  }
}
