import type { RunEvent } from '../../protocol/index.ts';
import type { SeenEvents } from './seen-events.ts';

export interface DeliveryOptions {
  /** Records every event that has an id. */
  readonly seen?: SeenEvents | undefined;
  /**
   * Events of the stream that this one resumes. Repeated events (same id, name and data) are dropped. Absent: nothing
   * is dropped, because some services give all events of a stream one id.
   */
  readonly resumed?: SeenEvents | undefined;
}

/** Decides which events of a stream are delivered, and remembers them. */
export class DeliveredEvents {
  readonly #options: DeliveryOptions;
  #last: RunEvent | undefined;
  #lastEventId: string | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** The last event of the stream, delivered or dropped. */
  get last(): RunEvent | undefined {
    return this.#last;
  }

  /** Id of the last event that had one. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /**
   * Takes the next event of the stream.
   * @param length characters on the wire
   * @returns whether to deliver it: false for one that a resumed stream repeats
   */
  take(event: RunEvent, length: number): boolean {
    const { seen, resumed } = this.#options;
    this.#last = event;
    if (event.id !== '') this.#lastEventId = event.id;
    if (resumed?.has(event)) return false;
    resumed?.remember(event, length);
    seen?.remember(event, length);
    return true;
  }
}
