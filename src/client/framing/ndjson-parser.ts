import { parseJson } from './parse-json.ts';
import { Utf8Text } from './utf8-decoder.ts';

/** A line of newline-delimited JSON: its value, or the text that is no JSON. */
export type NdjsonLine = { readonly value: unknown } | { readonly error: string };

/**
 * Strict newline-delimited JSON: split on LF only, one value a line, blank lines skipped, a last line without LF
 * counted. A bad line is reported in its place and does not end the stream. The run stream itself is read by
 * `RecordDecoder`, which also takes what this one turns away.
 */
export class NdjsonParser {
  readonly #text = new Utf8Text();
  #partial: string[] = [];

  push(bytes: Uint8Array): NdjsonLine[] {
    return this.#split(this.#text.decode(bytes));
  }

  /** The last line, when it lacks its LF. */
  end(): NdjsonLine[] {
    const lines = this.#split(this.#text.end());
    const last = this.#partial.join('');
    this.#partial = [];
    appendLine(lines, last);
    return lines;
  }

  #split(text: string): NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#partial.push(text.slice(start, end));
      appendLine(lines, this.#partial.join(''));
      this.#partial = [];
      start = end + 1;
    }
    if (start < text.length) this.#partial.push(text.slice(start));
    return lines;
  }
}

function appendLine(lines: NdjsonLine[], line: string): void {
  if (/^[ \t\r]*$/.test(line)) return;
  const parsed = parseJson(line);
  lines.push(parsed.ok ? { value: parsed.value } : { error: line });
}
