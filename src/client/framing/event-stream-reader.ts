import type { RunEvent } from '../../protocol/index.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { isKnownRunEventKind } from '../../protocol/run-event-kinds.ts';

/** Maximum length of a block, in characters. */
const maxBlockLength = 1024 * 1024;
/** Maximum number of UTF-8 bytes for a character of a string (a UTF-16 code unit). */
const bytesPerCharacter = 3;

/** With one of these fields, an object without a name may be an event in another form. */
const envelopeFields = ['type', 'object', 'data'];

/** An event, and its length in characters on the wire. */
export interface SizedEvent {
  readonly event: RunEvent;
  readonly length: number;
}

/**
 * Reads event streams in the form that our service and most others send: comments, and blocks of at most one `id`, one
 * `event` and one `data` line, whose data is an event that the interface lists, or its inner object. Stops at anything
 * else and leaves it in `rest`. What it reads, `RunStreamDecoder` reads the same.
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
    const [, name = '', value = ''] = /^(id|event|data): ?(.+)$/s.exec(line) ?? [];
    if (name === '' || value.includes('\0') || this.#fields.has(name)) return false;
    this.#fields.set(name, value);
    return true;
  }

  /** Adds the event of a complete block. Returns whether the block is empty, or an event. */
  #endBlock(events: SizedEvent[]): boolean {
    if (this.#fields.size > 0) {
      const json = this.#fields.get('data') ?? '';
      const parsed = parseJson(json);
      const event = parsed.ok ? eventOf(this.#fields, parsed.value) : undefined;
      if (!event) return false;
      this.#fields.clear();
      events.push({ event, length: json.length });
    }
    this.#block = '';
    return true;
  }
}

/** The event of a block: its data is the whole event, which counts then, or the inner object. */
function eventOf(fields: ReadonlyMap<string, string>, value: unknown): RunEvent | undefined {
  if (!isObject(value)) return undefined;
  const isWhole = value['event'] !== undefined;
  if (!isWhole && envelopeFields.some((field) => value[field] !== undefined)) return undefined;
  const id = isWhole ? value['id'] : fields.get('id');
  const event = isWhole ? value['event'] : fields.get('event');
  const data = isWhole ? value['data'] : value;
  if (typeof id !== 'string' || typeof event !== 'string' || !isObject(data)) return undefined;
  return isKnownRunEventKind(event) ? { ...(isWhole && value), id, event, data } : undefined;
}
