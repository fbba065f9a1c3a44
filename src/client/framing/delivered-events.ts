import type { RunEvent } from '../../protocol/index.ts';
import type { SeenEvents } from './seen-events.ts';

export interface DeliveryOptions {
  /** Remembers every event that has an id. */
  readonly seen?: SeenEvents | undefined;
  /**
   * The stream takes up another one: events found here, or twice in this stream (same id, name and data), are dropped.
   * Absent: nothing is dropped, because services exist that give all events of a stream one id.
   */
  readonly resumed?: SeenEvents | undefined;
}

/** What of one stream was given out so far, whoever decodes it. */
export class Delivery {
  /** Id of the last event that had one. */
  lastEventId: string | undefined;
  /** The last event that came. */
  last: RunEvent | undefined;
  sawDone = false;
  readonly #seen: SeenEvents | undefined;
  readonly #resumed: SeenEvents | undefined;

  constructor({ seen, resumed }: DeliveryOptions) {
    this.#seen = seen;
    this.#resumed = resumed;
  }

  /**
   * Notes an event.
   * @param length characters it took on the wire.
   * @returns whether it is to be given out: not when the stream taken up had it already.
   */
  note(event: RunEvent, length: number): boolean {
    this.last = event;
    if (event.event === 'done') this.sawDone = true;
    if (event.id !== '') this.lastEventId = event.id;
    if (this.#resumed?.has(event) === true) return false;
    this.#resumed?.remember(event, length);
    this.#seen?.remember(event, length);
    return true;
  }
}
