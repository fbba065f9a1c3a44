import { tooMany } from '../errors/problem.ts';
import { maxListBytes } from '../storage/payload-size.ts';

/** Total size of large lists in memory. Building one takes several times its size. */
const maxBytes = 4 * maxListBytes;
/** How long a list waits for its turn. */
const waitTimeoutMs = 10_000;

interface Waiting {
  readonly caller: string;
  readonly bytes: number;
  readonly begin: () => void;
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
   * @returns a function that ends the turn
   * @param bytes size of the list
   * @param wait timeout in ms
   * @throws Problem 429 after the timeout
   */
  async acquire(caller: string, bytes: number, wait = waitTimeoutMs): Promise<() => void> {
    let leave = (): void => undefined;
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        caller,
        bytes,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== one);
        reject(tooMany('too many large lists at once; request a smaller one, or try again', 5));
      }, wait);
      leave = () => this.#end(one);
      this.#waiting.push(one);
      this.#advance();
    });
    return leave;
  }

  #end({ caller, bytes }: Waiting): void {
    this.#callers.delete(caller);
    this.#bytes -= bytes;
    this.#advance();
  }

  #advance(): void {
    this.#waiting = this.#waiting.filter((one) => {
      const isFull = this.#bytes > 0 && this.#bytes + one.bytes > maxBytes;
      if (isFull || this.#callers.has(one.caller)) return true;
      this.#callers.add(one.caller);
      this.#bytes += one.bytes;
      one.begin();
      return false;
    });
  }
}
