import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/**
 * The body of a response that goes on for long, written a small piece at a time. Where it is sent in chunks each piece
 * goes to the connection as one string: `ServerResponse.write` makes four of it and a turn of the event loop, which
 * for a token costs more than all that came before. The headers must have been sent.
 */
export class StreamBody {
  readonly #raw: ServerResponse;
  /** Where bytes go: the connection itself, or the response when it sends no chunks or is not its turn yet. */
  readonly #sink: Writable;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
    this.#sink = raw.chunkedEncoding && raw.socket ? raw.socket : raw;
  }

  /** Whether more was written than the reader took. */
  get isFull(): boolean {
    return this.#sink.writableNeedDrain;
  }

  /** Writes a piece that is not empty; false when the reader is behind. */
  write(text: string): boolean {
    if (this.#sink === this.#raw) return this.#raw.write(text);
    const length = Buffer.byteLength(text);
    return this.#sink.write(
      `${length.toString(16)}\r\n${text}\r\n`,
      length === text.length ? 'latin1' : 'utf8', // the same bytes, and cheaper to make
    );
  }

  /** Calls back once when the reader has caught up. Gives the function that takes it back. */
  onceDrained(listener: () => void): () => void {
    this.#sink.once('drain', listener);
    return () => this.#sink.off('drain', listener);
  }

  end(): void {
    this.#raw.end();
  }

  /** Breaks off: the reader sees that there is no end. */
  destroy(): void {
    this.#raw.destroy();
  }
}
