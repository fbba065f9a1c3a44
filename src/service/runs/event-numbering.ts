import { ServiceFailure } from '../agents/agent.ts';
import type { StoredEvent } from '../storage/run-events.ts';
import { sanitizeEventName } from './event-classes.ts';

/**
 * Limit for all events of a run together, in multiples of the event limit.
 * @assumed no answer is as long
 */
const maxRunEvents = 16;

/** Numbers the events of a run and checks their size. */
export class EventNumbering {
  readonly #limit: number;
  #ms = 0;
  #sequence = 0;
  /** Characters so far. */
  #length = 0;

  /** @param limit largest event, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The timestamp of the last event. */
  get ms(): number {
    return this.#ms;
  }

  /** Continues after an event. */
  startAfter({ ms, sequence }: StoredEvent): void {
    [this.#ms, this.#sequence] = [ms, sequence];
  }

  /** @throws AgentFailure for a large event, or for an endless answer, which would fill the memory */
  next(event: string, json: string): StoredEvent {
    this.#length += json.length;
    if (this.#length > maxRunEvents * this.#limit)
      throw tooLarge(`more than ${maxRunEvents * this.#limit} bytes in all`);
    return this.#number(event, json, Date.now());
  }

  /**
   * Returns the terminal event and `done`. They get a timestamp that no other event has, so a reader's cursor shows
   * whether the reader has received the end. See `synthesizedEvents`.
   */
  ends(event: string, json: string): readonly [StoredEvent, StoredEvent] {
    const last = this.#number(event, json, Math.max(Date.now(), this.#ms + 1));
    return [last, this.#number('done', json, this.#ms)];
  }

  /** @throws AgentFailure for the data of a large event */
  check(json: string): void {
    // A UTF-16 code unit takes at most three bytes: count bytes of large texts only.
    if (json.length * 3 > this.#limit && Buffer.byteLength(json) > this.#limit)
      throw tooLarge(`a part larger than ${this.#limit} bytes`);
  }

  #number(event: string, json: string, now: number): StoredEvent {
    if (now > this.#ms) {
      this.#ms = now;
      this.#sequence = 0;
    } else this.#sequence += 1;
    this.check(json);
    return { ms: this.#ms, sequence: this.#sequence, event: sanitizeEventName(event), json };
  }
}

export function tooLarge(what: string): ServiceFailure {
  return new ServiceFailure('event_too_large', `The answer contains ${what}.`);
}
