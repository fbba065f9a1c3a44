/** Longest text that waits for the end of its sentence. */
const maxLength = 1_200;
/** Characters kept when a long sentence is flushed, because an entity at the end may be incomplete. */
const overlap = 200;

/** Buffers a streamed text until whole sentences can be checked. */
export class SentenceBuffer {
  #held = '';

  get isEmpty(): boolean {
    return this.#held === '';
  }

  /** Whether the buffer is too long and must be flushed. */
  get isTooLong(): boolean {
    return this.#held.length > maxLength;
  }

  /** Adds text. Returns everything up to the last end of a sentence. */
  add(text: string): string {
    this.#held += text;
    return this.#take(lastSentenceEnd(this.#held));
  }

  /**
   * Removes and returns the checked beginning. Returns nothing if the cut would split a finding of `check`.
   */
  async flush(check: (text: string) => Promise<string>): Promise<string> {
    const whole = await check(this.#held);
    if (this.#held.length > 2 * maxLength) {
      this.#held = '';
      return whole;
    }
    const blank = this.#held.lastIndexOf(' ', this.#held.length - overlap);
    const place = blank > 0 ? blank : this.#held.length - overlap;
    const checked = await check(this.#held.slice(0, place));
    if (checked + (await check(this.#held.slice(place))) !== whole) return '';
    this.#take(place);
    return checked;
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

/** Returns the index after the last certain end of a sentence: a space follows, or the line ends. */
function lastSentenceEnd(text: string): number {
  for (let place = text.length - 1; place >= 0; place -= 1) {
    const character = text[place] ?? '';
    if (character === '\n' || '。！？…'.includes(character)) return place + 1;
    if ('.!?'.includes(character) && /\s/.test(text[place + 1] ?? '')) return place + 1;
  }
  return 0;
}
