import type { RunEvent } from '../../protocol/index.ts';
import type { SeenEvents } from './seen-events.ts';

export interface DeliveryOptions {
  /** Records every event that has an id. */
  readonly seen?: SeenEvents | undefined;
  /**
   * Events of the stream that this one resumes. Repeated events (same id, name and data) are dropped. Absent: nothing is
   * dropped, because some services give all events of a stream one id.
   */
  readonly resumed?: SeenEvents | undefined;
}

/** Keeps track of the events that one stream has delivered, and tells repeated ones. */
export class DeliveredEvents {
  /** Id of the last event that had one. */
  lastEventId: string | undefined;
  /** The last event of the stream, delivered or not. */
  last: RunEvent | undefined;
  sawDone = false;
  readonly #seen: SeenEvents | undefined;
  readonly #resumed: SeenEvents | undefined;

  constructor({ seen, resumed }: DeliveryOptions) {
    this.#seen = seen;
    this.#resumed = resumed;
  }

  /**
   * Records an event.
   * @param length characters on the wire
   * @returns whether to deliver the event: false when the resumed stream delivered it before
   */
  accept(event: RunEvent, length: number): boolean {
    this.last = event;
    if (event.event === 'done') this.sawDone = true;
    if (event.id !== '') this.lastEventId = event.id;
    if (this.#resumed?.has(event) === true) return false;
    this.#resumed?.remember(event, length);
    this.#seen?.remember(event, length);
    return true;
  }
}
