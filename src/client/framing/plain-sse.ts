import type { RunEvent } from '../../protocol/index.ts';
import { isKnownEvent, withoutThreadPrefix } from './event-kinds.ts';
import { isObject, parseJson } from './parse-json.ts';
import { parseSseField } from './sse-parser.ts';

/** How a line begins that may be read here; an open one is told by its first characters. */
const beginnings = ['data: {', 'data:{', 'event:', 'id:', 'retry:', ':'];
const longestBeginning = Math.max(...beginnings.map(({ length }) => length));

/** What was read of a stream up to something unusual, for the decoder that goes on. */
export interface ReadSoFar {
  /** Some line was a field of an event stream. */
  readonly sawField: boolean;
  /** Text of the open block whose event was given out already; to be read once more, and its events dropped. */
  readonly given: string;
  /** Text that was not understood yet. */
  readonly unread: string;
}

/**
 * Reads an event stream that is written as most are: blocks of `id`, `event` and one line of JSON, known kinds, LF, a
 * blank line after each. Small, so that it can be there at once; it stops at the first thing that is otherwise, and
 * leaves that, and what came before it in its block, to `RunStreamDecoder`.
 */
export class PlainSse {
  readonly #limit: number;
  /** Whole lines of the open block. */
  #block = '';
  #line = '';
  #event: string | undefined;
  #id: string | undefined;
  /** The open block's event was given out. */
  #isGiven = false;
  #sawField = false;

  /** @param limit longest line read here, in characters. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reads on.
   * @param give Receives each event with the characters it took, as soon as its line is whole.
   * @returns false at something unusual; nothing more may be read then.
   */
  read(text: string, give: (event: RunEvent, length: number) => void): boolean {
    const { length } = this.#line;
    const open = this.#line + text;
    if (text.includes('\r')) {
      this.#line = open;
      return false;
    }
    if (!text.includes('\n')) {
      // the usual case of a long line in many reads: nothing of what came before is looked at again
      this.#line = open;
      return open.length <= this.#limit && (length >= longestBeginning || isOrdinary(open));
    }
    let from = 0;
    for (let end = open.indexOf('\n'); end >= 0; end = open.indexOf('\n', from)) {
      const line = open.slice(from, end);
      const event = line.length > this.#limit ? undefined : this.#take(line);
      if (event === undefined) {
        this.#line = open.slice(from);
        return false;
      }
      if (event) give(event, line.length);
      this.#block = line === '' ? '' : `${this.#block}${line}\n`;
      from = end + 1;
    }
    this.#line = open.slice(from);
    return this.#line.length <= this.#limit && isOrdinary(this.#line);
  }

  /** Nothing is open. */
  get isWhole(): boolean {
    return this.#line === '' && (this.#isGiven || this.#block === '');
  }

  get soFar(): ReadSoFar {
    return {
      sawField: this.#sawField,
      given: this.#isGiven ? this.#block : '',
      unread: this.#isGiven ? this.#line : this.#block + this.#line,
    };
  }

  /** The line's event; null when it has none of its own; undefined when it is unusual. */
  #take(line: string): RunEvent | null | undefined {
    if (line === '') return this.#endBlock();
    const field = parseSseField(line);
    if (!field) return null;
    if (field.name === 'retry') return this.#note();
    if (this.#isGiven) return undefined;
    switch (field.name) {
      case 'event':
        if (this.#event !== undefined || !isKnownEvent(field.value)) return undefined;
        this.#event = field.value;
        return this.#note();
      case 'id':
        if (this.#id !== undefined || field.value.includes('\0')) return undefined;
        this.#id = field.value;
        return this.#note();
      case 'data': {
        const event = this.#eventOf(field.value);
        if (!event) return undefined;
        this.#isGiven = true;
        this.#note();
        return event;
      }
      default:
        return undefined;
    }
  }

  #note(): null {
    this.#sawField = true;
    return null;
  }

  #endBlock(): null | undefined {
    if (this.#event !== undefined && !this.#isGiven) return undefined;
    this.#event = this.#id = undefined;
    this.#isGiven = false;
    return null;
  }

  /** The event itself under its name, or an object that is all of an event. */
  #eventOf(text: string): RunEvent | undefined {
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

/** So far, an open line may become one that is read here. */
function isOrdinary(line: string): boolean {
  return beginnings.some((beginning) => line.startsWith(beginning) || beginning.startsWith(line));
}
