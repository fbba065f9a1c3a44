import type { RunEvent } from '../../protocol/index.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { isKnownRunEventKind } from '../../protocol/run-event-kinds.ts';

/** Longest block, in characters. */
const maxBlockLength = 1024 * 1024;
/** Most bytes in UTF-8 of a character of a string, that is of a UTF-16 code unit. */
const bytesPerCharacter = 3;

/** With one of these fields, a data object may be the envelope of an event. */
const envelopeFields = ['event', 'type', 'object', 'data'];

/** An event, and its length in characters on the wire. */
export interface SizedEvent {
  readonly event: RunEvent;
  readonly length: number;
}

/**
 * Reads event streams in the form that our service sends: comments, and blocks of one `id`, one `event` and one `data`
 * line, whose data is the inner object of an event that the interface lists. Stops at anything else and leaves it in
 * `rest`. What it reads, `RunStreamDecoder` reads the same.
 */
export class EventStreamReader {
  readonly #fields = new Map<string, string>();
  /** The lines of the open block. */
  #block = '';
  /** The incomplete last line. */
  #line = '';
  #rest: string | undefined;
  readonly #maxBlockLength: number;

  /** @param recordLimit largest record, in bytes; blocks that may be larger go to `rest` */
  constructor(recordLimit = Infinity) {
    this.#maxBlockLength = Math.min(maxBlockLength, recordLimit / bytesPerCharacter);
  }

  /** The text from the first block on that has another form; undefined while there is none. */
  get rest(): string | undefined {
    return this.#rest;
  }

  /** Reads the next text, whose lines end with LF, and returns the events it completes. */
  read(text: string): SizedEvent[] {
    const events: SizedEvent[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#line + text.slice(start, end);
      this.#line = '';
      this.#block += `${line}\n`;
      start = end + 1;
      if (!this.#isTooLong && (line === '' ? this.#endBlock(events) : this.#readField(line))) continue;
      this.#rest = this.#block + text.slice(start);
      return events;
    }
    // JSON and HTML may have no line end; a line that is read here begins with a colon, or with `id`, `event` or `data`
    const isOtherForm = this.#line === '' && start < text.length && !':ied'.includes(text.charAt(start));
    this.#line += text.slice(start);
    if (isOtherForm || this.#isTooLong) this.#rest = this.#block + this.#line;
    return events;
  }

  /** Ends the stream. Returns a last event that is complete without a blank line. */
  end(): SizedEvent[] {
    const last = this.#block + this.#line;
    if (last === '' || this.#rest !== undefined) return [];
    const events = this.read('\n\n');
    if (this.#rest !== undefined) this.#rest = last;
    return events;
  }

  get #isTooLong(): boolean {
    return this.#block.length + this.#line.length > this.#maxBlockLength;
  }

  /** Returns whether the line is a comment or a field that the block does not have yet. */
  #readField(line: string): boolean {
    if (line.startsWith(':')) return true;
    const [, name = '', value = ''] = /^(id|event|data): (.+)$/s.exec(line) ?? [];
    if (name === '' || this.#fields.has(name)) return false;
    this.#fields.set(name, value);
    return true;
  }

  /** Adds the event of a complete block. Returns whether the block is empty, or an event. */
  #endBlock(events: SizedEvent[]): boolean {
    if (this.#fields.size > 0) {
      const id = this.#fields.get('id') ?? '\0';
      const event = this.#fields.get('event') ?? '';
      const json = this.#fields.get('data') ?? '';
      const parsed = parseJson(json);
      if (id.includes('\0') || !isKnownRunEventKind(event) || !parsed.ok || !isObject(parsed.value))
        return false;
      const data = parsed.value;
      if (envelopeFields.some((field) => data[field] !== undefined)) return false;
      this.#fields.clear();
      events.push({ event: { id, event, data }, length: json.length });
    }
    this.#block = '';
    return true;
  }
}
