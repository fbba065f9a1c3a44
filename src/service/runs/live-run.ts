import { idsOf, isAfter, type Cursor, type StoredEvent } from '../storage/run-events.ts';

/** Bytes of recent events a run keeps at hand for its readers; older ones are read from the store. */
const maxTailBytes = 256 * 1024;
/** Bytes of events handed out at once: what a reader who stops reading is left holding. */
const maxReadBytes = 64 * 1024;

/**
 * A run that this instance executes, as its readers see it: the latest events, and a bell that rings at each new one.
 * Readers hold a place, never a queue, so one that does not read costs nothing.
 */
export class LiveRun {
  readonly id: string;
  /** What every event's data ends with when it is sent. */
  readonly ids: string;
  /** Whether the last event has been published. */
  ended = false;
  #tail: StoredEvent[] = [];
  #bytes = 0;
  /** Everything up to here has left the tail. */
  #trimmedUpTo: Cursor = { ms: 0, sequence: -1 };
  readonly #listeners = new Set<() => void>();
  #readers = 0;
  readonly #drops = new Set<() => void>();
  #onReaders: (count: number) => void;

  constructor(run: { readonly id: string; readonly thread_id: string }, onReaders: (count: number) => void) {
    this.id = run.id;
    this.ids = idsOf(run.id, run.thread_id);
    this.#onReaders = onReaders;
  }

  get readers(): number {
    return this.#readers;
  }

  publish(event: StoredEvent): void {
    this.#tail.push(event);
    this.#bytes += event.json.length;
    if (this.#bytes > maxTailBytes) this.#trimTail();
    this.#notify();
  }

  end(): void {
    this.ended = true;
    this.#notify();
  }

  /** Lets go of events that are all stored: a reader who is behind reads them there. */
  settle(): void {
    const last = this.#tail.at(-1);
    if (!last) return;
    this.#trimmedUpTo = { ms: last.ms, sequence: last.sequence };
    this.#tail = [];
    this.#bytes = 0;
  }

  /** Some events after a place, in their order, or `undefined` when some of them have left the tail. */
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

  /** Calls back at each new event and at the end, at once. Gives the function that stops it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Counts a reader in; `drop` is called when readers are to be cut off. Gives the function that counts it out. */
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

  #notify(): void {
    for (const listener of this.#listeners) listener();
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
