import { isObject, parseJson } from '../../protocol/json.ts';
import { space } from './character-codes.ts';
import { JsonScanner } from './json-scanner.ts';
import type { RecordSink } from './stream-record.ts';
import { exceedsBytes } from './utf8-decoder.ts';

/**
 * Builds records from `data`, `event` and `id` fields. Unlike the standard, it emits a record as soon as no later field
 * can change it, because some services send no blank lines.
 */
export class SseEventBuilder {
  readonly #sink: RecordSink;
  readonly #limit: number;
  readonly #scanner = new JsonScanner();
  #event: string | undefined;
  #id: string | undefined;
  /** Data lines of an incomplete value. */
  #lines: string[] = [];
  #length = 0;
  /** Whether `#lines` hold the beginning of an object or array. */
  #scanning = false;
  /** A complete value that is not emitted yet. */
  #complete: { readonly value: unknown; readonly length: number } | undefined;
  /** Whether a record of this block was emitted. */
  #emitted = false;
  /** Whether the stream has no blank lines between records. */
  #unseparated = false;
  /** Whether the block was too large, so that the rest of it is ignored. */
  #dropped = false;

  constructor(sink: RecordSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
  }

  /**
   * Reads one field.
   * @returns false when the standard does not define the field
   */
  field(name: string, value: string): boolean {
    switch (name) {
      case 'data':
        this.#data(value);
        return true;
      case 'event':
        this.#startAfter(this.#event !== undefined);
        // in the standard, `message` is the name of events without one
        this.#event = value === '' || value === 'message' ? undefined : value;
        this.#emitWhenCertain();
        return true;
      case 'id':
        if (value.includes('\0')) return true;
        this.#startAfter(this.#id !== undefined);
        this.#id = value;
        this.#emitWhenCertain();
        return true;
      default:
        return name === 'retry';
    }
  }

  /** Reads a blank line, which ends the block. */
  blank(): void {
    if (this.#complete !== undefined) this.#emit();
    else if (this.#lines.length > 0) this.#finishLines(false);
    else if (this.#event !== undefined && !this.#emitted && !this.#dropped) this.#value('', 0);
    this.#reset();
  }

  /** Ends the stream. A complete value counts without a blank line after it. */
  end(): void {
    if (this.#complete !== undefined) this.#emit();
    else if (this.#lines.length > 0) this.#finishLines(true);
    this.#reset();
  }

  /** Discards the data so far and what follows, up to a blank line or the next complete object. */
  drop(): void {
    this.#clearData();
    this.#dropped = true;
  }

  #data(payload: string): void {
    if (this.#complete !== undefined || this.#emitted) this.#unseparated = true;
    if (this.#complete !== undefined) this.#emit();
    const trimmed = payload.trim();
    if (this.#scanning) {
      this.#scanner.scan('\n', 0);
      this.#scan(payload);
      return;
    }
    if (trimmed === '[DONE]') {
      this.#sink({ kind: 'end' });
      return;
    }
    const plainBefore = this.#lines.length > 0;
    if (trimmed.startsWith('{') && (!plainBefore || this.#event === undefined)) {
      const parsed = parseJson(trimmed);
      if (parsed.ok) {
        if (plainBefore) this.#faultLines();
        this.#settle(parsed.value, trimmed.length);
        return;
      }
    }
    if (this.#dropped) return;
    if (!plainBefore && (trimmed.startsWith('{') || trimmed.startsWith('['))) {
      this.#scanner.reset();
      this.#scanning = true;
      this.#scan(trimmed);
      return;
    }
    this.#hold(payload);
  }

  /** Continues an incomplete value; a line may end it and contain further ones. */
  #scan(payload: string): void {
    let from = 0;
    for (;;) {
      const end = this.#scanner.scan(payload, from);
      if (this.#scanner.status === 'open') return this.#hold(payload.slice(from));
      if (this.#scanner.status === 'fault') return this.#faultAt(payload);
      this.#lines.push(payload.slice(from, end));
      const text = this.#lines.join('\n');
      const parsed = parseJson(text);
      if (!parsed.ok) return this.#faultLines();
      this.#clearData();
      if (exceedsBytes(text, this.#limit)) {
        this.#sink({ kind: 'oversized-record', text });
        return this.drop();
      }
      this.#settle(parsed.value, text.length);
      from = end;
      while (from < payload.length && payload.charCodeAt(from) <= space) from += 1;
      if (from === payload.length) return;
      if (payload[from] !== '{') return this.#data(payload.slice(from));
      this.#emit();
      this.#scanner.reset();
      this.#scanning = true;
    }
  }

  #faultAt(payload: string): void {
    const continued = this.#lines.length > 0;
    if (!continued) this.#lines.push(payload);
    this.#faultLines();
    // the line that does not continue the record may be a record itself
    if (continued) this.#data(payload);
  }

  #hold(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
    if (this.#length <= this.#limit) return;
    this.#sink({ kind: 'oversized-record', text: this.#lines.join('\n') });
    this.drop();
  }

  #settle(value: unknown, length: number): void {
    this.#dropped = false;
    this.#complete = { value, length };
    this.#emitWhenCertain();
  }

  #emitWhenCertain(): void {
    if (this.#complete === undefined) return;
    const { value } = this.#complete;
    const named = this.#event !== undefined || (isObject(value) && namesItself(value));
    const identified = this.#id !== undefined || (isObject(value) && namesItself(value) && hasId(value));
    if (this.#unseparated || (named && identified)) this.#emit();
  }

  #emit(): void {
    if (this.#complete === undefined) return;
    const { value, length } = this.#complete;
    this.#value(value, length);
    this.#clearData();
    this.#emitted = true;
  }

  #value(value: unknown, length: number): void {
    this.#sink({ kind: 'value', value, length, event: this.#event, id: this.#id });
  }

  #finishLines(endOfStream: boolean): void {
    const text = this.#lines.join('\n');
    const parsed = this.#scanning ? undefined : parseJson(text);
    if (parsed?.ok === true) {
      this.#value(parsed.value, text.length);
    } else if (endOfStream && !this.#lines.some(isWholeObject)) {
      this.#sink({ kind: 'truncated-record', text });
    } else if (this.#scanning) {
      this.#faultLines();
    } else if (this.#event !== undefined) {
      this.#value(text, text.length);
    } else if (text.trim() !== '') {
      this.#sink({ kind: 'malformed-record', text });
    }
  }

  /** Reports lines whose first one was truncated. Emits those of the others that are complete records. */
  #faultLines(): void {
    const [, ...later] = this.#lines;
    this.#sink({ kind: 'malformed-record', text: this.#lines.join('\n') });
    this.#clearData();
    for (const line of later) {
      const parsed = isWholeObject(line) ? parseJson(line) : undefined;
      if (parsed?.ok !== true) continue;
      this.#value(parsed.value, line.length);
      this.#emitted = true;
    }
  }

  /** Starts the next record if the current one is complete and the new field is already set in it. */
  #startAfter(alreadySet: boolean): void {
    if (!this.#emitted && !(this.#complete !== undefined && alreadySet)) return;
    this.#emit();
    this.#reset();
  }

  #clearData(): void {
    this.#lines = [];
    this.#length = 0;
    this.#scanning = false;
    this.#complete = undefined;
  }

  #reset(): void {
    this.#clearData();
    this.#event = undefined;
    this.#id = undefined;
    this.#emitted = false;
    this.#dropped = false;
  }
}

function isWholeObject(line: string): boolean {
  return line.startsWith('{') && parseJson(line).ok;
}

function namesItself(value: Record<string, unknown>): boolean {
  return typeof value['event'] === 'string';
}

function hasId(value: Record<string, unknown>): boolean {
  return typeof value['id'] === 'string' || typeof value['id'] === 'number';
}

/**
 * Splits a line of an event stream into field name and value, without the one space that may follow the colon.
 * @returns undefined for a comment
 */
export function parseSseField(line: string): { readonly name: string; readonly value: string } | undefined {
  const colon = line.indexOf(':');
  if (colon === 0) return undefined;
  if (colon < 0) return { name: line, value: '' };
  const start = line.charCodeAt(colon + 1) === space ? colon + 2 : colon + 1;
  return { name: line.slice(0, colon), value: line.slice(start) };
}
