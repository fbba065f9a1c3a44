import type { RunEvent } from '../../protocol/index.ts';
import { StreamInterruptedError } from '../errors.ts';
import { DeliveredEvents } from './delivered-events.ts';
import type * as General from './run-stream-decoder.ts';
import { SseFastPath } from './sse-fast-path.ts';
import { Utf8Decoder } from './utf8-decoder.ts';

/** Longest line that the fast path reads, in characters. */
const maxLineLength = 256 * 1024;

/**
 * Decodes a run stream as `RunStreamDecoder` does, and loads that class only for a stream that `SseFastPath` cannot
 * read. This keeps 4.1 kB (brotli) out of what every visitor loads for an answer; the speed is the same within 20 %.
 * Wait for the result of each call before the next call.
 */
export class AdaptiveDecoder {
  readonly #options: General.RunStreamDecoderOptions;
  readonly #delivered: DeliveredEvents;
  readonly #input = new Utf8Decoder();
  #fastPath: SseFastPath | undefined;
  #general: General.RunStreamDecoder | undefined;
  #isOver = false;

  constructor(options: General.RunStreamDecoderOptions) {
    this.#options = options;
    this.#delivered = new DeliveredEvents(options);
    this.#fastPath = new SseFastPath(Math.min(maxLineLength, (options.recordLimit ?? Infinity) / 3));
  }

  /** Starts loading the general decoder: the response is not declared as an event stream. */
  prepare(): void {
    loadGeneral().catch(() => undefined); // loaded again when it is needed
  }

  /** Whether the stream is over, by its `[DONE]` mark or because `end` was called. */
  get ended(): boolean {
    return this.#isOver || this.#general?.ended === true;
  }

  /** Id of the last event that had one. */
  get lastEventId(): string | undefined {
    return this.#delivered.lastEventId;
  }

  /**
   * Decodes the next bytes.
   * @returns the events that these bytes complete
   * @throws StreamFormatError as `RunStreamDecoder.push`; StreamInterruptedError when the general decoder cannot be
   * loaded
   */
  push(bytes: Uint8Array): RunEvent[] | Promise<RunEvent[]> {
    if (this.#general) return this.#general.push(bytes);
    return this.#read(this.#input.decode(bytes));
  }

  /**
   * Ends a stream that was read completely.
   * @throws StreamFormatError as `RunStreamDecoder.end`; StreamInterruptedError as `push`
   */
  async end(): Promise<RunEvent[]> {
    const events = await this.#settle();
    return this.#general ? [...events, ...this.#general.end()] : events;
  }

  /**
   * Ends a stream that broke off: returns what is complete and reports nothing about the rest.
   * @throws StreamInterruptedError as `push`
   */
  async flush(): Promise<RunEvent[]> {
    const events = await this.#settle();
    return this.#general ? [...events, ...this.#general.flush()] : events;
  }

  #read(text: string): RunEvent[] | Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    const wasRead = this.#fastPath?.read(text, (event, length) => {
      if (this.#delivered.accept(event, length)) events.push(event);
    });
    return wasRead === true ? events : this.#switchToGeneral(events);
  }

  /** No more bytes will come. What is incomplete is left to the general decoder. */
  async #settle(): Promise<RunEvent[]> {
    if (this.#general) return [];
    const events = await this.#read(this.#input.end());
    if (this.#general) return events;
    const isComplete = this.#fastPath?.isComplete === true;
    if (!isComplete || !this.#options.body || this.#options.isAccepted) return this.#switchToGeneral(events);
    this.#isOver = true;
    return events;
  }

  async #switchToGeneral(events: RunEvent[]): Promise<RunEvent[]> {
    const { RunStreamDecoder: Decoder } = await loadGeneral().catch((cause: unknown) => {
      throw new StreamInterruptedError(this.lastEventId, { cause });
    });
    const handOver = this.#fastPath?.handOver ?? { sawField: false, replayed: '', unread: '' };
    this.#fastPath = undefined;
    this.#general = new Decoder({
      ...this.#options,
      continued: { delivered: this.#delivered, input: this.#input, sawField: handOver.sawField },
    });
    this.#general.pushText(handOver.replayed); // its events were delivered already
    return [...events, ...this.#general.pushText(handOver.unread)];
  }
}

function loadGeneral(): Promise<typeof General> {
  return import('./run-stream-decoder.ts');
}
