/** A position in a line, in columns: a tab reaches to the next multiple of four. */
export class LineCursor {
  /** The rest of the line. */
  rest: string;
  #column = 0;

  constructor(line: string) {
    this.rest = line;
  }

  /** Indentation of the rest, in columns. */
  get indent(): number {
    let column = this.#column;
    for (const character of this.rest) {
      if (character === ' ') column++;
      else if (character === '\t') column += 4 - (column % 4);
      else break;
    }
    return column - this.#column;
  }

  /** Skips white space, at most this many columns. The rest of a tab becomes spaces. */
  skipSpace(columns: number): void {
    let left = columns;
    while (left > 0 && /^[ \t]/.test(this.rest)) {
      const width = this.rest.startsWith('\t') ? 4 - (this.#column % 4) : 1;
      if (width > left) {
        this.rest = ' '.repeat(width) + this.rest.slice(1);
        continue;
      }
      this.rest = this.rest.slice(1);
      this.#column += width;
      left -= width;
    }
  }

  /** Skips the indentation and a marker of this length. */
  skipMarker(length: number): void {
    this.skipSpace(Infinity);
    this.rest = this.rest.slice(length);
    this.#column += length;
  }
}
