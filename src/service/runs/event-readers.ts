import { runEventsAfter, type Cursor, type StoredEvent } from '../storage/run-events.ts';
import { findRun } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';
import type { LiveRun } from './live-run.ts';
import { synthesizedEvents } from './synthesized-events.ts';
import type { KeyedWaiters } from './keyed-waiters.ts';

/** Fallback poll interval, in case a notification from another instance is lost. */
const pollIntervalMs = 2_000;

/** Reads a run of this instance: recent events from memory, older ones from the store. */
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
    const { database } = this.#store;
    const events = await runEventsAfter(database, this.live.id, this.#cursor);
    this.#cursor = events.at(-1) ?? this.#cursor;
    if (events.length > 0) return events;
    const left = this.live.ended && (await synthesizedEvents(database, this.live.id, this.#cursor));
    if (left) {
      this.#over = true;
      return left;
    }
    // Events that were just dropped from memory may not be stored yet: try again soon.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [];
  }
}

/** Follows a run that has ended or belongs to another instance. */
export async function* followStored(options: {
  store: Store;
  runId: string;
  cursor: Cursor;
  signal: AbortSignal;
  waiters: KeyedWaiters;
  /** Seconds after which a run without readers ends. The reader registers with the run's owner more often. */
  graceSeconds: number;
}): AsyncGenerator<readonly StoredEvent[]> {
  const { store, runId, signal, waiters, graceSeconds } = options;
  let cursor = options.cursor;
  let told = 0;
  while (!signal.aborted) {
    const changed = new AbortController();
    const word = waiters.wait(`run:${runId}`, pollIntervalMs, AbortSignal.any([signal, changed.signal]));
    const run = await findRun(store.database, runId);
    const events = await runEventsAfter(store.database, runId, cursor);
    const last = events.at(-1);
    if (last) {
      changed.abort();
      cursor = last;
      yield events;
      continue;
    }
    if (run?.status !== 'running') {
      changed.abort();
      return;
    }
    if (Date.now() - told > (graceSeconds * 1000) / 3) {
      told = Date.now();
      // Use the clock of the store: the owner's may differ from ours.
      const seen = { reader_seen: store.clock() };
      await store.database.updateTable('runs').set(seen).where('id', '=', runId).execute();
    }
    await word;
  }
}
