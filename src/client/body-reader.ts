import { startTimer } from './abortable.ts';
import { TimeoutError } from './errors.ts';
import type { OpenResponse } from './requester.ts';

/** If the idle timer runs this much late, in ms, the page was suspended: the read gets a second chance. */
const suspensionSlackMs = 5_000;
/** How long the second chance lasts, in ms. */
const graceAfterSuspensionMs = 2_000;
/** Bytes after which `gather` stops reading, so that an endless body cannot fill the memory. */
const maxGatheredBytes = 65_536;
/** How long `finish` waits for the end of the body, in ms. */
const finishMs = 5_000;

/** Reads a response's body and times out when no bytes arrive. */
export class BodyReader {
  readonly #opened: OpenResponse;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #idleTimeout: number;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** The pending read. The next `read` uses one that `gather` started. */
  #pending: Promise<ReadableStreamReadResult<Uint8Array>> | undefined;
  /** What `gather` has read. */
  #gathered: Uint8Array[] = [];
  #hasEnded = false;
  /** Ends the current wait; called with the signal's reason. */
  #endWait: (reason: unknown) => void = () => undefined;

  /** @param idleTimeout milliseconds without a byte; 0: no limit */
  constructor(opened: OpenResponse, idleTimeout: number) {
    this.#opened = opened;
    this.#reader = bodyOf(opened.response)?.getReader();
    this.#idleTimeout = idleTimeout;
    opened.signal.addEventListener('abort', this.#onAbort);
  }

  /**
   * The next bytes; undefined at the end.
   * @throws the signal's reason, TimeoutError when no bytes arrive in time, or the error of the stream
   */
  async read(): Promise<Uint8Array | undefined> {
    const { signal } = this.#opened;
    const reader = this.#reader;
    if (reader === undefined) return undefined;
    signal.throwIfAborted();
    if (this.#gathered.length > 0) return joined(this.#gathered.splice(0));
    if (this.#hasEnded) return undefined;
    this.#watch();
    try {
      const { value } = await new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
        this.#endWait = reject;
        (this.#pending ??= reader.read()).then(resolve, reject);
      });
      this.#pending = undefined;
      this.#hasEnded = value === undefined;
      return value;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(this.#idleTimer);
    }
  }

  /**
   * Reads for some time, so that the next `read` returns many small pieces at once. Ends early at the end of the body
   * or on abort.
   */
  async gather(milliseconds: number): Promise<void> {
    const reader = this.#reader;
    if (reader === undefined || this.#hasEnded || this.#opened.signal.aborted) return;
    await new Promise<void>((resolve) => {
      let isOver = false;
      let size = 0;
      const endGathering = (): void => {
        isOver = true;
        clearTimeout(timer);
        resolve();
      };
      const readNext = (): void => {
        this.#pending ??= reader.read();
        this.#pending.then(({ value }) => {
          if (isOver) return;
          this.#pending = undefined;
          if (value === undefined) {
            this.#hasEnded = true;
            return endGathering();
          }
          this.#gathered.push(value);
          size += value.length;
          if (size < maxGatheredBytes) readNext();
        }, endGathering);
      };
      this.#endWait = endGathering;
      const timer = setTimeout(endGathering, milliseconds);
      readNext();
    });
  }

  /** Cancels a body that has not ended, and closes the connection. Browsers list that as a failed request. */
  stop(): void {
    this.#opened.signal.removeEventListener('abort', this.#onAbort);
    if (this.#hasEnded) return this.#opened.release();
    this.#reader?.cancel().catch(() => undefined);
    this.#opened.close();
  }

  /** Gives the body a moment to end by itself, then stops. */
  finish(): void {
    this.#opened.release(); // the caller aborts its signal next; the body may still end by itself
    void this.gather(finishMs).then(() => this.stop());
  }

  readonly #onAbort = (): void => this.#endWait(this.#opened.signal.reason);

  #watch(): void {
    const milliseconds = this.#idleTimeout;
    const due = performance.now() + milliseconds;
    const timeOut = (): void => this.#opened.close(new TimeoutError('idle', milliseconds));
    this.#idleTimer = startTimer(milliseconds, () => {
      // After a suspension, the timer may run before bytes that arrived meanwhile are delivered.
      if (performance.now() - due < suspensionSlackMs) timeOut();
      else this.#idleTimer = setTimeout(timeOut, graceAfterSuspensionMs);
    });
  }
}

/**
 * Returns the body of a response, and cancels a clone of it. Without the clone, Chromium lists a `no-store` response as
 * failed (`net::ERR_ABORTED`) although its body was read to the end.
 * @see https://github.com/microsoft/playwright/issues/42742
 */
function bodyOf(response: Response): Response['body'] {
  response
    .clone?.()
    .body?.cancel()
    .catch(() => undefined); // a custom `fetch` may give less than a Response
  return response.body;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
