import type { RunEvent } from '../../protocol/index.ts';
import { sameJson } from '../../protocol/json.ts';

const maxEvents = 2048;
/** In characters. */
const maxLength = 4 * 1024 * 1024;

interface Entry {
  readonly event: RunEvent;
  readonly length: number;
}

/**
 * The last events with an id, to recognize those that a resumed stream repeats. Holds at most 2,048 events and about
 * 4 Mi characters; a repeated event that was forgotten is delivered again, which the conversation tolerates.
 */
export class SeenEvents {
  readonly #entries: Entry[] = [];
  #length = 0;

  /** @param length characters of the event on the wire */
  remember(event: RunEvent, length: number): void {
    if (event.id === '' || length > maxLength) return;
    this.#entries.push({ event, length });
    this.#length += length;
    // removing half at a time keeps the cost per event constant
    if (this.#entries.length > maxEvents || this.#length > maxLength) this.#forgetHalf();
  }

  /** Whether an event with the same id, name and data was seen. */
  has({ id, event, data }: RunEvent): boolean {
    return this.#entries.some(
      ({ event: seen }) => seen.id === id && seen.event === event && sameJson(seen.data, data),
    );
  }

  /**
   * The events up to and including the last one with that id: a stream resumed after it must not repeat them. Later
   * events may have been seen by another stream of this client, and are wanted.
   */
  upTo(lastEventId: string): SeenEvents {
    const seen = new SeenEvents();
    const end = this.#entries.findLastIndex(({ event }) => event.id === lastEventId);
    for (const { event, length } of this.#entries.slice(0, end + 1)) seen.remember(event, length);
    return seen;
  }

  #forgetHalf(): void {
    const isFull = (count: number): boolean =>
      count > maxEvents / 2 || (count > 1 && this.#length > maxLength / 2);
    let forgotten = 0;
    for (; isFull(this.#entries.length - forgotten); forgotten += 1)
      this.#length -= this.#entries[forgotten]?.length ?? 0;
    this.#entries.splice(0, forgotten);
  }
}
