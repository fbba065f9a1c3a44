import type { RunEvent } from '../../protocol/index.ts';
import { StreamInterruptedError } from '../errors.ts';
import { Delivery } from './delivered-events.ts';
import { PlainSse } from './plain-sse.ts';
import type * as General from './run-stream-decoder.ts';
import { Utf8Text } from './utf8-decoder.ts';

/** Longest line of an ordinary stream, in characters. */
const lineLimit = 256 * 1024;

/**
 * Bytes of a run stream to run events, as `RunStreamDecoder` does it, which it fetches when the stream is not written
 * as most are. Each read is to be waited for before the next.
 */
export class StreamReader {
  readonly #options: General.RunStreamDecoderOptions;
  readonly #delivery: Delivery;
  readonly #input = new Utf8Text();
  #plain: PlainSse | undefined;
  #general: General.RunStreamDecoder | undefined;
  #isOver = false;

  constructor(options: General.RunStreamDecoderOptions) {
    this.#options = options;
    this.#delivery = new Delivery(options);
    this.#plain = new PlainSse(Math.min(lineLimit, (options.recordLimit ?? Infinity) / 3));
  }

  /** The stream is likely not to be an ordinary one: what reads all others is fetched while it is waited for. */
  prepare(): void {
    fetchGeneral().catch(() => undefined); // asked for again when it is needed
  }

  /** Nothing more will come. */
  get ended(): boolean {
    return this.#isOver || this.#general?.ended === true;
  }

  /** Id of the last event that had one. */
  get lastEventId(): string | undefined {
    return this.#delivery.lastEventId;
  }

  /**
   * Takes the next bytes and gives the events they complete.
   * @throws StreamFormatError as `RunStreamDecoder` does; StreamInterruptedError when that cannot be fetched.
   */
  push(bytes: Uint8Array): RunEvent[] | Promise<RunEvent[]> {
    if (this.#general) return this.#general.push(bytes);
    return this.#read(this.#input.decode(bytes));
  }

  /** The stream ended. */
  async end(): Promise<RunEvent[]> {
    const events = await this.#settle();
    return this.#general ? [...events, ...this.#general.end()] : events;
  }

  /** The stream broke off: gives what is whole, and judges nothing. */
  async flush(): Promise<RunEvent[]> {
    const events = await this.#settle();
    return this.#general ? [...events, ...this.#general.flush()] : events;
  }

  #read(text: string): RunEvent[] | Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    const isPlain = this.#plain?.read(text, (event, length) => {
      if (this.#delivery.note(event, length)) events.push(event);
    });
    return isPlain === true ? events : this.#generalise(events);
  }

  /** No more bytes: what stands open is for the general decoder to judge. */
  async #settle(): Promise<RunEvent[]> {
    if (this.#general) return [];
    const events = await this.#read(this.#input.end());
    if (this.#general) return events;
    if (this.#plain?.isWhole === true && this.#options.body && !this.#options.isAccepted) this.#isOver = true;
    else return this.#generalise(events);
    return events;
  }

  async #generalise(events: RunEvent[]): Promise<RunEvent[]> {
    const { RunStreamDecoder: Decoder } = await fetchGeneral().catch((cause: unknown) => {
      throw new StreamInterruptedError(this.lastEventId, { cause });
    });
    const soFar = this.#plain?.soFar ?? { sawField: false, given: '', unread: '' };
    this.#plain = undefined;
    this.#general = new Decoder({
      ...this.#options,
      after: { delivery: this.#delivery, input: this.#input, sawField: soFar.sawField },
    });
    this.#general.pushText(soFar.given);
    return [...events, ...this.#general.pushText(soFar.unread)];
  }
}

function fetchGeneral(): Promise<typeof General> {
  return import('./run-stream-decoder.ts');
}
