import { lastWordCut, sentenceCuts } from './safe-cuts.ts';

/** Text of this length no longer waits for the end of its sentence. */
const maxLength = 1_200;
/** Characters that remain when a long sentence is cut, because an entity at the end may be incomplete. */
const overlap = 200;

/** Buffers a streamed text until parts of it can be checked like the whole. */
export class SentenceBuffer {
  #held = '';

  get isEmpty(): boolean {
    return this.#held === '';
  }

  /** Adds text. Returns everything up to the last place where it can be cut. */
  add(text: string): string {
    // Searched only when there is something new to find, for a token often brings nothing.
    const mayEnd = /[\s。！？…]/.test(text) || /\s$/.test(this.#held) || this.#held.length > 2 * maxLength;
    this.#held += text;
    return mayEnd ? this.#take(lastCut(this.#held)) : '';
  }

  /** Removes and returns the whole buffer. */
  rest(): string {
    return this.#take(this.#held.length);
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}

function lastCut(text: string): number {
  let last = 0;
  for (const cut of sentenceCuts(text)) last = cut;
  const rest = text.slice(last);
  if (rest.length <= maxLength) return last;
  const words = lastWordCut(rest, rest.length - overlap);
  if (words > 0) return last + words;
  // No two words in all this: digits or code. A sign that belongs to no entity has to do.
  if (rest.length <= 2 * maxLength) return last;
  const sign = Math.max(...[...',;|<>"{}'].map((one) => rest.lastIndexOf(one, rest.length - overlap)));
  return last + (sign > 0 ? sign + 1 : rest.length - overlap);
}
