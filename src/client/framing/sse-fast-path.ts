import type { RunEvent } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import { isKnownEvent, withoutThreadPrefix } from './event-kinds.ts';
import { parseJson } from './parse-json.ts';
import { parseSseField } from './parse-sse-field.ts';

/** How every line begins that the fast path reads. An incomplete line is checked by the characters it has. */
const linePrefixes = ['data: {', 'data:{', 'event:', 'id:', 'retry:', ':'];
const longestPrefix = Math.max(...linePrefixes.map(({ length }) => length));

/** Where the fast path stopped, for the decoder that continues. */
export interface HandOver {
  /** Whether a line was a field of an event stream. */
  readonly sawField: boolean;
  /** Text of the open block whose event was delivered: read it once more and ignore its events. */
  readonly replayed: string;
  /** Text that was not decoded yet. */
  readonly unread: string;
}

/**
 * Decodes event streams in their most common form: LF line ends, blocks of `id`, `event` and one line of JSON, known
 * event kinds. It stops at anything else; `RunStreamDecoder` then continues with the open block.
 */
export class SseFastPath {
  readonly #limit: number;
  /** Complete lines of the open block. */
  #block = '';
  #line = '';
  #event: string | undefined;
  #id: string | undefined;
  /** Whether the event of the open block was delivered. */
  #isDelivered = false;
  #sawField = false;

  /** @param limit the longest line to read, in characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reads the next text.
   * @param deliver receives each event, with its length in characters, as soon as its line is complete
   * @returns false at anything the fast path cannot read; call `read` no more then
   */
  read(text: string, deliver: (event: RunEvent, length: number) => void): boolean {
    const { length } = this.#line;
    const open = this.#line + text;
    if (text.includes('\r')) {
      this.#line = open;
      return false;
    }
    if (!text.includes('\n')) {
      // a long line in many reads: its beginning was checked before
      this.#line = open;
      return open.length <= this.#limit && (length >= longestPrefix || canBeSse(open));
    }
    let from = 0;
    for (let end = open.indexOf('\n'); end >= 0; end = open.indexOf('\n', from)) {
      const line = open.slice(from, end);
      const event = line.length > this.#limit ? undefined : this.#readLine(line);
      if (event === undefined) {
        this.#line = open.slice(from);
        return false;
      }
      if (event) deliver(event, line.length);
      this.#block = line === '' ? '' : `${this.#block}${line}\n`;
      from = end + 1;
    }
    this.#line = open.slice(from);
    return this.#line.length <= this.#limit && canBeSse(this.#line);
  }

  /** Whether the text so far ends with a complete event. */
  get isComplete(): boolean {
    return this.#line === '' && (this.#isDelivered || this.#block === '');
  }

  get handOver(): HandOver {
    return {
      sawField: this.#sawField,
      replayed: this.#isDelivered ? this.#block : '',
      unread: this.#isDelivered ? this.#line : this.#block + this.#line,
    };
  }

  /** The event of a line; null when the line has none; undefined when the fast path cannot read the line. */
  #readLine(line: string): RunEvent | null | undefined {
    if (line === '') return this.#endBlock();
    const field = parseSseField(line);
    if (!field) return null;
    if (field.name === 'retry') return this.#markField();
    if (this.#isDelivered) return undefined;
    switch (field.name) {
      case 'event':
        if (this.#event !== undefined || !isKnownEvent(field.value)) return undefined;
        this.#event = field.value;
        return this.#markField();
      case 'id':
        if (this.#id !== undefined || field.value.includes('\0')) return undefined;
        this.#id = field.value;
        return this.#markField();
      case 'data': {
        const event = this.#parseEvent(field.value);
        if (!event) return undefined;
        this.#isDelivered = true;
        this.#markField();
        return event;
      }
      default:
        return undefined;
    }
  }

  #markField(): null {
    this.#sawField = true;
    return null;
  }

  #endBlock(): null | undefined {
    if (this.#event !== undefined && !this.#isDelivered) return undefined;
    this.#event = this.#id = undefined;
    this.#isDelivered = false;
    return null;
  }

  /** Reads data that is a complete event, or the `data` of the block's event. */
  #parseEvent(text: string): RunEvent | undefined {
    const parsed = parseJson(text);
    if (!parsed.ok || !isObject(parsed.value)) return undefined;
    const { value } = parsed;
    const { id, event, data, type, object } = value;
    if (typeof event === 'string' && isKnownEvent(event) && typeof id === 'string' && isObject(data)) {
      return { ...value, id, event, data };
    }
    if (this.#event === undefined || this.#id === undefined) return undefined;
    const isNamed = event !== undefined || data !== undefined || namesKind(type) || namesKind(object);
    return isNamed ? undefined : { id: this.#id, event: this.#event, data: value };
  }
}

function namesKind(value: unknown): boolean {
  return typeof value === 'string' && isKnownEvent(withoutThreadPrefix(value));
}

/** Whether an incomplete line can still become one that the fast path reads. */
function canBeSse(line: string): boolean {
  return linePrefixes.some((prefix) => line.startsWith(prefix) || prefix.startsWith(line));
}
