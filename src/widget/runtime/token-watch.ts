import { shallowArrayEquals } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';

/** Minimum delay between two retries after a change of the token source, in ms; doubles each time. */
const retryDelayMs = 1_000;

/** Detects a new token source. Frameworks may pass a new `tokenProvider` with each render, so retries back off. */
export class TokenWatch {
  readonly #host: ChatHost;
  #sources: readonly unknown[];
  #nextTry = 0;
  #tries = 0;

  constructor(host: ChatHost) {
    this.#host = host;
    this.#sources = this.#current();
  }

  /** Whether a rejected request should be repeated with the new source. */
  shouldRetry(needsToken: boolean): boolean {
    const sources = this.#current();
    const isSame = shallowArrayEquals(sources, this.#sources);
    this.#sources = sources;
    if (isSame || !needsToken || Date.now() < this.#nextTry) return false;
    this.#nextTry = Date.now() + retryDelayMs * 2 ** Math.min(this.#tries, 6);
    this.#tries += 1;
    return true;
  }

  /** Called when a token worked: the next new source is tried at once. */
  reset(): void {
    this.#tries = 0;
  }

  #current(): readonly unknown[] {
    const { token, tokenUrl } = this.#host.config;
    return [this.#host.option('tokenProvider'), token, tokenUrl];
  }
}
