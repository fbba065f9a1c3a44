import { withoutPiles } from './piles.ts';

/** Code units to look back on, to tell how high a pile of marks is: thirty may take two each. */
const lookedBackOn = 64;

/** Hands out a growing text piece by piece, with `\n` line ends and without NUL. */
export class TextFeed {
  #text = '';
  #taken = 0;
  #ended = false;

  reset(): void {
    this.#text = '';
    this.#taken = 0;
    this.#ended = false;
  }

  /** Whether the last text was said to be whole. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * The part of the text that is new. A carriage return at its end may be half a line end, a high surrogate half a
   * character: both wait for what follows.
   * @returns undefined when the text does not go on from the last one, or the last one was whole.
   */
  take(text: string, open: boolean): string | undefined {
    // compared as a whole, which engines do many times faster than `startsWith`
    if (text.slice(0, this.#text.length) !== this.#text) return undefined;
    if (this.#ended && (open || text.length > this.#text.length)) return undefined;
    let end = text.length;
    if (open && end > this.#taken) {
      const last = text.charCodeAt(end - 1);
      if (last === 0x0d || (last >= 0xd800 && last <= 0xdbff)) end--;
    }
    const before = text.slice(Math.max(0, this.#taken - lookedBackOn), this.#taken);
    const piece = withoutPiles(before + text.slice(this.#taken, end)).slice(withoutPiles(before).length);
    this.#text = text;
    this.#taken = end;
    this.#ended = !open;
    return normaliseLines(piece);
  }
}

/** Line ends as `\n`, NUL as the replacement character, and no piles of marks. */
export function normaliseText(text: string): string {
  return normaliseLines(withoutPiles(text));
}

function normaliseLines(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('\0') ? lines.replaceAll('\0', '\ufffd') : lines;
}
