import type { RunEvent } from '../protocol/index.ts';
import { DeliveredEvents } from './framing/delivered-events.ts';
import { EventStreamReader, type SizedEvent } from './framing/event-stream-reader.ts';
import type { RunStreamDecoder, RunStreamDecoderOptions } from './framing/run-stream-decoder.ts';
import { Utf8Decoder } from './framing/utf8-decoder.ts';
import { loadRunStreamDecoder } from './load-run-stream-decoder.ts';

export interface LazyStreamDecoderOptions extends RunStreamDecoderOptions {
  /** URL of the request, for errors. */
  readonly url: string;
  /** Whether the response is an event stream by its header, which may be wrong. */
  readonly isEventStream: boolean;
}

/**
 * Decodes a run stream as `RunStreamDecoder` does. Loads that decoder when `EventStreamReader` cannot read the stream
 * to its end, and at once for responses where this is likely: without the header of an event stream, or to an accepted
 * run.
 */
export class LazyStreamDecoder {
  readonly #options: LazyStreamDecoderOptions;
  readonly #input = new Utf8Decoder();
  readonly #reader: EventStreamReader;
  readonly #delivered: DeliveredEvents;
  #loading: ReturnType<typeof loadRunStreamDecoder> | undefined;
  #decoder: RunStreamDecoder | undefined;
  #ended = false;

  constructor(options: LazyStreamDecoderOptions) {
    this.#options = options;
    this.#reader = new EventStreamReader(options.recordLimit);
    this.#delivered = new DeliveredEvents(options);
    // loads while the first bytes are on their way; a failure counts only if the stream needs the decoder
    if (!options.isEventStream || options.isAccepted)
      this.#load().catch(() => {
        this.#loading = undefined;
      });
  }

  /** Whether the stream has ended. */
  get ended(): boolean {
    return this.#decoder?.ended ?? this.#ended;
  }

  /** Id of the last event that had one. */
  get lastEventId(): string | undefined {
    return this.#delivered.lastEventId;
  }

  /**
   * Decodes the next bytes and returns the events they complete.
   * @throws the errors of `RunStreamDecoder`; NetworkError when that decoder cannot be loaded (both reject)
   */
  async push(bytes: Uint8Array): Promise<RunEvent[]> {
    if (this.#decoder) return this.#decoder.push(bytes);
    const events = this.#deliver(this.#reader.read(this.#input.decode(bytes)));
    if (this.#reader.rest === undefined) return events;
    const decoder = await this.#handOver();
    return [...events, ...decoder.read(this.#reader.rest)];
  }

  /** Ends a stream that was read completely. Rejects as `push`. */
  async end(): Promise<RunEvent[]> {
    if (this.#decoder) return this.#decoder.end();
    const events = this.flush();
    const { rest } = this.#reader;
    const { body, isAccepted } = this.#options;
    // only the other decoder knows how a response without a body, or to an accepted run, ends
    if (rest === undefined && body && !isAccepted) return events;
    const decoder = await this.#handOver();
    return [...events, ...decoder.read(rest ?? ''), ...decoder.end()];
  }

  /** Ends a stream that broke off: returns what is complete. */
  flush(): RunEvent[] {
    if (this.#decoder) return this.#decoder.flush();
    this.#ended = true;
    return this.#deliver([...this.#reader.read(this.#input.end()), ...this.#reader.end()]);
  }

  #deliver(events: readonly SizedEvent[]): RunEvent[] {
    return events
      .filter(({ event, length }) => this.#delivered.take(event, length))
      .map(({ event }) => event);
  }

  #load(): ReturnType<typeof loadRunStreamDecoder> {
    return (this.#loading ??= loadRunStreamDecoder(this.#options.url));
  }

  async #handOver(): Promise<RunStreamDecoder> {
    const { RunStreamDecoder: Decoder } = await this.#load();
    return (this.#decoder = new Decoder(this.#options, {
      input: this.#input,
      hasEvents: this.#delivered.last !== undefined,
      delivered: this.#delivered,
    }));
  }
}
