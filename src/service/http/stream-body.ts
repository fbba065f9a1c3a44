import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/**
 * A long response body, written in small pieces. Create it after the headers were sent. In a chunked response,
 * each piece goes to the connection as one string: `ServerResponse.write` would defer it and split it in four,
 * which costs more per token than all other work.
 */
export class StreamBody {
  readonly #raw: ServerResponse;
  /** The connection, or the response when it is not chunked or still queued. */
  readonly #sink: Writable;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
    this.#sink = raw.chunkedEncoding && raw.socket ? raw.socket : raw;
  }

  /** Whether the reader is behind. */
  get isFull(): boolean {
    return this.#sink.writableNeedDrain;
  }

  /** Writes a non-empty piece. Returns false when the reader is behind. */
  write(text: string): boolean {
    if (this.#sink === this.#raw) return this.#raw.write(text);
    const length = Buffer.byteLength(text);
    return this.#sink.write(
      `${length.toString(16)}\r\n${text}\r\n`,
      length === text.length ? 'latin1' : 'utf8', // ASCII: the same bytes, and `latin1` is faster
    );
  }

  /** Calls back once when the reader has caught up. Returns a function that cancels it. */
  onceDrained(listener: () => void): () => void {
    this.#sink.once('drain', listener);
    return () => this.#sink.off('drain', listener);
  }

  end(): void {
    this.#raw.end();
  }

  /** Aborts the response, so the reader sees that it is incomplete. */
  destroy(): void {
    this.#raw.destroy();
  }
}
