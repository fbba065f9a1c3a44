/** Longest text that waits for the end of its sentence. */
const longest = 1_200;
/** Characters kept back when a sentence without an end is cut, so that nothing found straddles the cut. */
const keptBack = 200;

/** Holds the text of one item back until whole sentences of it can be checked. */
export class HeldText {
  #held = '';

  get isEmpty(): boolean {
    return this.#held === '';
  }

  /** Adds text and gives what can be checked now: everything up to the last end of a sentence. */
  add(text: string): string {
    this.#held += text;
    const border = this.#held.length > longest ? this.#cut() : lastBorder(this.#held);
    return this.#take(border);
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

  #cut(): number {
    const border = lastBorder(this.#held);
    if (border > 0) return border;
    const blank = this.#held.lastIndexOf(' ', this.#held.length - keptBack);
    return blank > 0 ? blank : this.#held.length - keptBack;
  }
}

/** The place after the last end of a sentence that is surely one: a blank follows, or the line ends. */
function lastBorder(text: string): number {
  for (let place = text.length - 1; place >= 0; place -= 1) {
    const character = text[place] ?? '';
    if (character === '\n' || '。！？'.includes(character)) return place + 1;
    if ('.!?…'.includes(character) && /\s/.test(text[place + 1] ?? '')) return place + 1;
  }
  return 0;
}
