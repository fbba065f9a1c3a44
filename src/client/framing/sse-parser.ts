import { Utf8Text } from './utf8-decoder.ts';

/** One dispatched event of an event stream. */
export interface SseRecord {
  /** `message` when the block named none. */
  readonly event: string;
  readonly data: string;
  /** The last event id at the time of dispatch; `''` when none was sent yet. */
  readonly id: string;
}

/**
 * Splits a line of an event stream into field name and value (one space after the colon dropped).
 * @returns undefined for a comment.
 */
export function parseSseField(line: string): { readonly name: string; readonly value: string } | undefined {
  const colon = line.indexOf(':');
  if (colon === 0) return undefined;
  if (colon < 0) return { name: line, value: '' };
  const start = line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
  return { name: line.slice(0, colon), value: line.slice(start) };
}

/**
 * An event stream exactly as the HTML standard reads one ("Interpreting an event stream"), for use on its own. An
 * unterminated last block is never dispatched. The run stream is read by `RecordDecoder`, which tolerates more.
 */
export class SseParser {
  readonly #text = new Utf8Text();
  #partial: string[] = [];
  #skipLineFeed = false;
  #event = '';
  #data: string[] = [];
  #id = '';
  /** What the `id` fields of the blocks so far come to; becomes each event's `id`. */
  lastEventId = '';
  /** Milliseconds to wait before connecting again, as the stream last said; undefined when it did not. */
  retry: number | undefined;

  push(bytes: Uint8Array): SseRecord[] {
    return this.#lines(this.#text.decode(bytes));
  }

  end(): SseRecord[] {
    const records = this.#lines(this.#text.end());
    this.#partial = [];
    this.#event = '';
    this.#data = [];
    return records;
  }

  #lines(text: string): SseRecord[] {
    const records: SseRecord[] = [];
    let start = 0;
    let lineFeed = text.indexOf('\n');
    let carriageReturn = text.indexOf('\r');
    if (this.#skipLineFeed && text !== '') {
      this.#skipLineFeed = false;
      if (lineFeed === 0) {
        start = 1;
        lineFeed = text.indexOf('\n', 1);
      }
    }
    while (lineFeed >= 0 || carriageReturn >= 0) {
      const atReturn = carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed);
      const end = atReturn ? carriageReturn : lineFeed;
      this.#partial.push(text.slice(start, end));
      const line = this.#partial.join('');
      this.#partial = [];
      this.#line(line, records);
      start = end + 1;
      if (!atReturn) {
        lineFeed = text.indexOf('\n', start);
        continue;
      }
      carriageReturn = text.indexOf('\r', start);
      if (lineFeed === start) {
        start += 1;
        lineFeed = text.indexOf('\n', start);
      } else if (start === text.length) {
        this.#skipLineFeed = true;
      }
    }
    if (start < text.length) this.#partial.push(text.slice(start));
    return records;
  }

  #line(line: string, records: SseRecord[]): void {
    if (line === '') {
      this.lastEventId = this.#id;
      if (this.#data.length > 0) {
        records.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.lastEventId });
      }
      this.#event = '';
      this.#data = [];
      return;
    }
    const field = parseSseField(line);
    if (field?.name === 'data') this.#data.push(field.value);
    else if (field?.name === 'event') this.#event = field.value;
    else if (field?.name === 'id' && !field.value.includes('\0')) this.#id = field.value;
    else if (field?.name === 'retry' && /^[0-9]+$/.test(field.value)) this.retry = Number(field.value);
  }
}
