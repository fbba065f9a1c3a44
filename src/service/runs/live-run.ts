import { idsOf, isAfter, type Cursor, type StoredEvent } from '../storage/run-events.ts';

/** Recent events kept in memory for readers; older ones are read from the store. */
const maxTailBytes = 256 * 1024;
/** Largest batch for a reader, which limits what a stalled reader holds. */
const maxReadBytes = 64 * 1024;

/**
 * The readers' view of a run on this instance: recent events, and a notification for each new one. Readers
 * hold a cursor instead of a queue, so a stalled reader costs nothing.
 */
export class LiveRun {
  readonly id: string;
  /** Appended to the data of every sent event. */
  readonly ids: string;
  /** Whether the last event was published. */
  ended = false;
  #tail: StoredEvent[] = [];
  #bytes = 0;
  /** Events up to here are no longer in memory. */
  #trimmedUpTo: Cursor;
  readonly #listeners = new Set<() => void>();
  #readers = 0;
  readonly #drops = new Set<() => void>();
  #onReaders: (count: number) => void;

  /** @param from events up to here are read from the store */
  constructor(
    run: { readonly id: string; readonly thread_id: string },
    onReaders: (count: number) => void,
    from: Cursor = { ms: 0, sequence: -1 },
  ) {
    this.id = run.id;
    this.#trimmedUpTo = from;
    this.ids = idsOf(run.id, run.thread_id);
    this.#onReaders = onReaders;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Adds events. Readers are notified once, and write those of one call together. */
  publish(...events: readonly StoredEvent[]): void {
    for (const event of events) this.#keep(event);
    for (const listener of this.#listeners) listener();
  }

  /** Adds the last events. */
  end(...events: readonly StoredEvent[]): void {
    this.ended = true;
    this.publish(...events);
  }

  /** Drops the events from memory. Call it when all of them are stored. */
  settle(): void {
    const last = this.#tail.at(-1);
    if (!last) return;
    this.#trimmedUpTo = { ms: last.ms, sequence: last.sequence };
    this.#tail = [];
    this.#bytes = 0;
  }

  /**
   * Returns some events after a cursor, in order, or `undefined` when some of them are no longer in memory.
   */
  after(cursor: Cursor): readonly StoredEvent[] | undefined {
    if (isAfter(this.#trimmedUpTo, cursor)) return undefined;
    let from = this.#tail.length;
    for (let event = this.#tail[from - 1]; event && isAfter(event, cursor); event = this.#tail[from - 1])
      from -= 1;
    let bytes = 0;
    let to = from;
    for (let event = this.#tail[to]; event && bytes < maxReadBytes; event = this.#tail[to]) {
      bytes += event.json.length;
      to += 1;
    }
    return this.#tail.slice(from, to);
  }

  /** Calls back synchronously at each new event and at the end. Returns a function that unsubscribes. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Counts a reader. Returns a function that removes it.
   * @param drop called to disconnect the reader
   */
  enter(drop: () => void): () => void {
    this.#drops.add(drop);
    this.#onReaders((this.#readers += 1));
    return () => {
      if (this.#drops.delete(drop)) this.#onReaders((this.#readers -= 1));
    };
  }

  dropReaders(): void {
    for (const drop of [...this.#drops]) drop();
  }

  #keep(event: StoredEvent): void {
    this.#tail.push(event);
    this.#bytes += event.json.length;
    if (this.#bytes > maxTailBytes) this.#trimTail();
  }

  #trimTail(): void {
    let count = 0;
    while (this.#bytes > maxTailBytes / 2 && count < this.#tail.length - 1) {
      const event = this.#tail[count];
      if (!event) break;
      this.#bytes -= event.json.length;
      this.#trimmedUpTo = { ms: event.ms, sequence: event.sequence };
      count += 1;
    }
    this.#tail.splice(0, count);
  }
}
