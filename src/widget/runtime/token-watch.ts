import { shallowArrayEquals } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';

/** Least time between two tries for a token that the page brought about, in milliseconds; doubles each time. */
const tokenPause = 1_000;

/** Notices that the page has set another source of tokens. A page may make a new one with every update of its own. */
export class TokenWatch {
  readonly #host: ChatHost;
  #sources: readonly unknown[];
  #nextTry = 0;
  #tries = 0;

  constructor(host: ChatHost) {
    this.#host = host;
    this.#sources = this.#current();
  }

  /** Whether a refused request should be repeated with the page's new source. */
  isWorthATry(needsToken: boolean): boolean {
    const sources = this.#current();
    const isSame = shallowArrayEquals(sources, this.#sources);
    this.#sources = sources;
    if (isSame || !needsToken || Date.now() < this.#nextTry) return false;
    this.#nextTry = Date.now() + tokenPause * 2 ** Math.min(this.#tries, 6);
    this.#tries += 1;
    return true;
  }

  /** A token worked: the next new source is tried at once. */
  worked(): void {
    this.#tries = 0;
  }

  #current(): readonly unknown[] {
    const { token, tokenUrl } = this.#host.config;
    return [this.#host.option('tokenProvider'), token, tokenUrl];
  }
}
