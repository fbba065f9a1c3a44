import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
} from './character-codes.ts';

/** `open`: more text is needed. `complete`: the value ended. `fault`: this can never become JSON. */
export type ScanStatus = 'open' | 'complete' | 'fault';

/**
 * Finds the end of one JSON object or array in text that arrives in pieces. Reads each character once. Checks strings,
 * escapes and nesting, and that no value follows a value: enough to see where a truncated record ends and another
 * begins. `JSON.parse` does the full validation.
 */
export class JsonScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #afterValue = false;
  /** Outcome of the last `scan`. */
  status: ScanStatus = 'open';

  /** Forgets everything; the next character scanned is the first of a value. */
  reset(): void {
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#afterValue = false;
    this.status = 'open';
  }

  /**
   * Continues scanning at `start`.
   * @returns the index after the closing bracket, the index of the fault, or `text.length` while still open.
   */
  scan(text: string, start: number): number {
    let index = start;
    while (index < text.length) {
      if (this.#inString) {
        index = this.#scanString(text, index);
        if (this.status === 'fault') return index;
        continue;
      }
      const code = text.charCodeAt(index);
      if (code === closeBrace || code === closeBracket) {
        this.#depth -= 1;
        this.#afterValue = true;
        if (this.#depth <= 0) {
          this.status = 'complete';
          return index + 1;
        }
      } else if (code === comma || code === colon) {
        this.#afterValue = false;
      } else if (code === quote || code === openBrace || code === openBracket) {
        if (this.#afterValue) return this.#fault(index);
        if (code === quote) this.#inString = true;
        else this.#depth += 1;
      } else if (code > space) {
        this.#afterValue = true;
      }
      index += 1;
    }
    return index;
  }

  #scanString(text: string, start: number): number {
    let index = start;
    if (this.#escaped && index < text.length) {
      this.#escaped = false;
      if (text.charCodeAt(index) === lineFeed) return this.#fault(index);
      index += 1;
    }
    while (index < text.length) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        this.#inString = false;
        this.#afterValue = true;
        return index + 1;
      }
      if (code === backslash) {
        this.#escaped = true;
        return index + 1;
      }
      // a line end inside a string means that the record was truncated
      if (code === lineFeed) return this.#fault(index);
      index += 1;
    }
    return index;
  }

  #fault(index: number): number {
    this.status = 'fault';
    return index;
  }
}
