import { tooMany } from '../errors/problem.ts';
import { maxListBytes } from '../storage/payload-size.ts';

/** Bytes of large lists that are in memory at once; making one takes several times its size. */
const maxBytes = 4 * maxListBytes;
/** Milliseconds a list waits for its turn. */
const waitTimeoutMs = 10_000;

interface Waiting {
  readonly caller: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Lets large lists be made in turns: many at once would fill the memory, whoever asks for them. One caller has one at a
 * time, so that who takes theirs slowly holds up nobody else.
 */
export class ListLimiter {
  readonly #callers = new Set<string>();
  #waiting: Waiting[] = [];
  #bytes = 0;

  /**
   * Waits for a turn and gives the function that ends it.
   * @param bytes how large the list is
   * @param wait milliseconds after which waiting ends
   * @throws Problem 429 when the turn did not come
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
        reject(tooMany('too many large lists are read at a time; ask for a smaller one, or try again', 5));
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
