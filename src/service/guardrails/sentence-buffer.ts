/** Longest text that waits for the end of its sentence. */
const maxLength = 1_200;
/** Characters kept back when a sentence without an end is cut: what is found there may not be whole yet. */
const overlap = 200;

/** Holds one text back until whole sentences of it can be checked. */
export class SentenceBuffer {
  #held = '';

  get isEmpty(): boolean {
    return this.#held === '';
  }

  /** Whether so much waits that it is to be cut. */
  get isTooLong(): boolean {
    return this.#held.length > maxLength;
  }

  /** Adds text and gives what can be checked now: everything up to the last end of a sentence. */
  add(text: string): string {
    this.#held += text;
    return this.#take(lastSentenceEnd(this.#held));
  }

  /** Takes the beginning, checked. Takes nothing while the cut would go through something that `check` finds. */
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

  /** Gives all that is held. */
  rest(): string {
    return this.#take(this.#held.length);
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}

/** The place after the last end of a sentence that is surely one: a blank follows, or the line ends. */
function lastSentenceEnd(text: string): number {
  for (let place = text.length - 1; place >= 0; place -= 1) {
    const character = text[place] ?? '';
    if (character === '\n' || '。！？…'.includes(character)) return place + 1;
    if ('.!?'.includes(character) && /\s/.test(text[place + 1] ?? '')) return place + 1;
  }
  return 0;
}
