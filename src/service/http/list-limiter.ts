import { tooMany } from '../errors/problem.ts';
import { maxListBytes } from '../storage/payload-size.ts';

/** Total size of large lists in memory. Building one takes several times its size. */
const maxBytes = 4 * maxListBytes;
/** How long a list waits for its turn. */
const waitTimeoutMs = 10_000;

interface Waiting {
  readonly caller: string;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Queues large lists, because many at once would exhaust the memory. Each caller gets one list at a time, so a
 * slow reader blocks only itself.
 */
export class ListLimiter {
  readonly #callers = new Set<string>();
  #waiting: Waiting[] = [];
  #bytes = 0;

  /**
   * Waits for a turn.
   * @param bytes size of the list
   * @returns a function that ends the turn
   * @throws Problem 429 after the timeout
   */
  acquire(caller: string, bytes: number, timeoutMs = waitTimeoutMs): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const request: Waiting = {
        caller,
        bytes,
        start: () => {
          clearTimeout(timer);
          resolve(() => this.#end(request));
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== request);
        reject(tooMany('too many large lists at once; request a smaller one, or try again', 5));
      }, timeoutMs);
      this.#waiting.push(request);
      this.#advance();
    });
  }

  #end({ caller, bytes }: Waiting): void {
    this.#callers.delete(caller);
    this.#bytes -= bytes;
    this.#advance();
  }

  #advance(): void {
    this.#waiting = this.#waiting.filter((request) => {
      const isFull = this.#bytes > 0 && this.#bytes + request.bytes > maxBytes;
      if (isFull || this.#callers.has(request.caller)) return true;
      this.#callers.add(request.caller);
      this.#bytes += request.bytes;
      request.start();
      return false;
    });
  }
}
