import { toStreamSafe } from './stream-safe-text.ts';

/** Code units to look back at to count combining marks: thirty of them, with two units each, and some more. */
const lookBehindLength = 64;

/** Splits a growing text into its new pieces, with `\n` line ends and without NUL. */
export class TextInput {
  #text = '';
  #taken = 0;
  #ended = false;

  reset(): void {
    this.#text = '';
    this.#taken = 0;
    this.#ended = false;
  }

  /** Whether the last text was complete. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Returns the new part of the text. Holds back a carriage return or a high surrogate at the end: it may be half of a
   * line end or of a character.
   * @returns undefined if the text does not continue the last one, or the last one was complete
   */
  append(text: string, open: boolean): string | undefined {
    // engines compare whole strings many times faster than they run `startsWith`
    if (text.slice(0, this.#text.length) !== this.#text) return undefined;
    if (this.#ended && (open || text.length > this.#text.length)) return undefined;
    let end = text.length;
    if (open && end > this.#taken) {
      const last = text.charCodeAt(end - 1);
      if (last === 0x0d || (last >= 0xd800 && last <= 0xdbff)) end--;
    }
    const before = text.slice(Math.max(0, this.#taken - lookBehindLength), this.#taken);
    const piece = toStreamSafe(before + text.slice(this.#taken, end)).slice(toStreamSafe(before).length);
    this.#text = text;
    this.#taken = end;
    this.#ended = !open;
    return normalizeLines(piece);
  }
}

/** Normalizes line ends to `\n`, and NUL to the replacement character. */
function normalizeLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}
