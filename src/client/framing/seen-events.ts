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
  #entries: Entry[] = [];
  #byKey = new Map<string, Entry[]>();
  #length = 0;

  /** @param length characters of the event on the wire */
  remember(event: RunEvent, length: number): void {
    if (event.id === '' || length > maxLength) return;
    const entry = { event, length };
    this.#entries.push(entry);
    this.#length += length;
    const key = eventKey(event);
    const same = this.#byKey.get(key);
    if (same === undefined) this.#byKey.set(key, [entry]);
    else same.push(entry);
    // removing half at a time keeps the cost per event constant
    if (this.#entries.length > maxEvents || this.#length > maxLength) this.#forgetHalf();
  }

  /** Whether an event with the same id, name and data was seen. */
  has(event: RunEvent): boolean {
    if (event.id === '') return false;
    const same = this.#byKey.get(eventKey(event));
    return same?.some((entry) => sameJson(entry.event.data, event.data)) ?? false;
  }

  /**
   * The events up to and including the last one with that id: a stream resumed after it must not repeat them. Later
   * events may have been seen by another stream of this client, and are wanted.
   */
  upTo(lastEventId: string | undefined): SeenEvents {
    const seen = new SeenEvents();
    if (lastEventId === undefined) return seen;
    const end = this.#entries.findLastIndex(({ event }) => event.id === lastEventId);
    for (const { event, length } of this.#entries.slice(0, end + 1)) seen.remember(event, length);
    return seen;
  }

  #forgetHalf(): void {
    const kept: Entry[] = [];
    let length = 0;
    for (const entry of this.#entries.toReversed()) {
      length += entry.length;
      if (kept.length >= maxEvents / 2 || (length > maxLength / 2 && kept.length > 0)) break;
      kept.push(entry);
    }
    this.#entries = [];
    this.#byKey = new Map();
    this.#length = 0;
    for (const { event, length: own } of kept.reverse()) this.remember(event, own);
  }
}

function eventKey(event: RunEvent): string {
  return `${event.id}\n${event.event}`;
}
