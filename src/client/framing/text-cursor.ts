/** A position in the text of one read. Finds line ends without searching the same text twice. */
export class TextCursor {
  text = '';
  position = 0;
  #lineFeedAt = -1;
  #carriageReturnAt = -1;

  set(text: string): void {
    this.text = text;
    this.position = 0;
    this.#lineFeedAt = -1;
    this.#carriageReturnAt = -1;
  }

  /** The code unit at the position. */
  code(): number {
    return this.text.charCodeAt(this.position);
  }

  /** Index of the next LF at or after the position; the text's length when there is none. */
  lineFeed(): number {
    if (this.#lineFeedAt < this.position) this.#lineFeedAt = this.#find('\n');
    return this.#lineFeedAt;
  }

  /** Index of the next LF or CR at or after the position; the text's length when there is none. */
  lineEnd(): number {
    if (this.#carriageReturnAt < this.position) this.#carriageReturnAt = this.#find('\r');
    return Math.min(this.lineFeed(), this.#carriageReturnAt);
  }

  #find(character: string): number {
    const found = this.text.indexOf(character, this.position);
    return found < 0 ? this.text.length : found;
  }
}
