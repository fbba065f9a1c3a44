import {
  closeBracket,
  comma,
  lineFeed,
  openBrace,
  openBracket,
  recordSeparator,
  space,
  tab,
} from './character-codes.ts';
import { JsonScanner } from './json-scanner.ts';
import { parseJson } from '../../protocol/json.ts';
import { parseSseField, SseEventBuilder } from './sse-event-builder.ts';
import { isFault, type RecordFault, type StreamRecord } from './stream-record.ts';
import { exceedsBytes, Utf8Decoder } from './utf8-decoder.ts';

/**
 * Default maximum size of a record, in bytes: 8 MiB plus its envelope.
 * @assumed an event with exactly 8 MiB is still accepted
 */
const defaultRecordLimit = 8 * 1024 * 1024 + 4096;

/** An event stream that another reader has begun to read. */
export interface BegunStream {
  readonly input: Utf8Decoder;
  /** Whether it contained events. */
  readonly hasEvents: boolean;
}

/**
 * What the decoder is reading. `start`: before a record. `line`: a line that is not a JSON object. `json`: an object or
 * array. `array`: after a bracket that may open an array of records. `skip`: the rest of a bad line. `tail`: text after
 * a record with balanced brackets that is not JSON.
 */
type Mode = 'start' | 'line' | 'json' | 'array' | 'skip' | 'tail';

/**
 * Decodes bytes into records in any framing: newline-delimited, concatenated or pretty-printed JSON, a JSON array,
 * event streams with and without blank lines, and mixtures of these. The framing is detected for each record. `push`
 * returns a record as soon as it is complete. The cost is linear.
 */
export class RecordDecoder {
  readonly #input: Utf8Decoder;
  readonly #scanner = new JsonScanner();
  readonly #limit: number;
  readonly #event: SseEventBuilder;
  #records: StreamRecord[] = [];
  #mode: Mode = 'start';
  /** The text of the current read, and the position in it. */
  #text = '';
  #position = 0;
  /** End of the last line that was parsed as JSON without success. */
  #triedUntil = -1;
  /** Earlier text of the open record or line. */
  #stored = '';
  /** Whether the current record is over the limit, so that its text is discarded. */
  #discarding = false;
  #inArray = false;
  #sawField: boolean;
  #sawRecord: boolean;
  /** Whether no record followed the last error. Further bad lines then belong to that error. */
  #faulty = false;
  #ended = false;

  /**
   * @param limit maximum size of a record, in bytes. Default 8 MiB and 4 KiB; larger ones are skipped
   * @param begun what has read the stream so far
   */
  constructor(limit = defaultRecordLimit, begun?: BegunStream) {
    this.#limit = limit;
    this.#input = begun?.input ?? new Utf8Decoder();
    this.#sawField = this.#sawRecord = begun?.hasEvents ?? false;
    this.#event = new SseEventBuilder((record) => this.#emit(record), limit);
  }

  /** Decodes the next bytes and returns the records they complete. */
  push(bytes: Uint8Array): StreamRecord[] {
    return this.read(this.#input.decode(bytes));
  }

  /** As `push`, for text that the decoder of `BegunStream` has decoded. */
  read(text: string): StreamRecord[] {
    this.#setText(text);
    while (this.#position < this.#text.length && !this.#ended) this.#step();
    this.#text = '';
    return this.#takeRecords();
  }

  /** Ends the stream. Returns a last record that is complete without a line end. */
  end(): StreamRecord[] {
    const records = this.read(this.#input.end());
    if (this.#ended) return records;
    if (this.#mode === 'line') {
      this.#line(this.#takeStored(''));
    } else if (this.#mode === 'array' || this.#inArray || (this.#mode === 'json' && !this.#discarding)) {
      const text = this.#takeStored('');
      this.#reportInvalid(
        mayBecomeJson(text) ? 'truncated-record' : 'malformed-record',
        text === '' ? '[' : text,
      );
    }
    this.#event.end();
    this.#ended = true;
    return [...records, ...this.#takeRecords()];
  }

  #setText(text: string): void {
    this.#text = text;
    this.#position = 0;
    this.#triedUntil = -1;
  }

  #step(): void {
    switch (this.#mode) {
      case 'start':
        return this.#start();
      case 'line':
        return this.#readLine();
      case 'json':
        return this.#readJson();
      case 'array':
        return this.#openArray();
      case 'skip':
        return this.#skipLine();
      case 'tail':
        return this.#skipTail();
    }
  }

  #start(): void {
    const code = this.#code;
    if (code === lineFeed) {
      this.#position += 1;
      this.#event.blank();
    } else if (code === space || code === tab || code === recordSeparator) {
      this.#position += 1;
    } else if (code === openBrace || (code === openBracket && this.#inArray)) {
      this.#startJson();
    } else if (code === openBracket) {
      this.#position += 1;
      this.#mode = 'array';
    } else if (this.#inArray && (code === comma || code === closeBracket)) {
      this.#position += 1;
      this.#inArray = code === comma;
    } else {
      this.#mode = 'line';
    }
  }

  #startJson(): void {
    this.#event.blank();
    if (!this.#inArray && this.#position > this.#triedUntil) {
      const end = this.#lineEnd();
      if (end < this.#text.length && this.#tryLine(end)) return;
      this.#triedUntil = end;
    }
    this.#scanner.reset();
    this.#mode = 'json';
  }

  /** Parses the rest of the line as one record: the most common case. */
  #tryLine(end: number): boolean {
    const line = this.#text.slice(this.#position, end);
    const parsed = exceedsBytes(line, this.#limit) ? undefined : parseJson(line);
    if (parsed?.ok !== true) return false;
    this.#position = end;
    this.#value(parsed.value, line.length);
    return true;
  }

  #openArray(): void {
    const code = this.#code;
    if (code === space || code === tab || code === lineFeed) {
      this.#position += 1;
      return;
    }
    if (code === openBrace) {
      this.#inArray = true;
      this.#mode = 'start';
      return;
    }
    // No array of records: the bracket opens one value like any other.
    this.#event.blank();
    this.#scanner.reset();
    this.#scanner.scan('[', 0);
    this.#stored = '[';
    this.#mode = 'json';
  }

  #readJson(): void {
    const from = this.#position;
    const end = this.#scanner.scan(this.#text, from);
    if (this.#scanner.status === 'fault') {
      this.#resynchronize(from, end);
      return;
    }
    this.#position = end;
    if (this.#scanner.status === 'open') {
      this.#store(this.#text.slice(from));
      return;
    }
    this.#mode = 'start';
    if (this.#discarding) {
      this.#discarding = false;
      return;
    }
    const text = this.#takeStored(this.#text.slice(from, end));
    const parsed = exceedsBytes(text, this.#limit) ? undefined : parseJson(text);
    if (parsed === undefined) {
      this.#fault('oversized-record', text);
    } else if (parsed.ok) {
      this.#value(parsed.value, text.length);
    } else if (text === '[DONE]') {
      this.#emit({ kind: 'end' });
    } else {
      this.#fault('malformed-record', text);
      this.#mode = 'tail';
    }
  }

  /**
   * Recovers when the open record can no longer become JSON, because it was truncated in its first line. Drops that
   * line, tries the lines after it as separate records, and continues with the line that contains the fault.
   */
  #resynchronize(from: number, fault: number): void {
    const discarded = this.#discarding;
    const text = this.#takeStored(this.#text.slice(from, fault));
    this.#discarding = false;
    if (discarded || text.length > this.#limit) {
      if (!discarded) this.#fault('oversized-record', text);
      this.#position = fault;
      this.#mode = 'skip';
      return;
    }
    const lastBreak = text.lastIndexOf('\n');
    this.#reportInvalid('malformed-record', lastBreak < 0 ? text : text.slice(0, lastBreak));
    if (lastBreak < 0) {
      this.#position = fault;
      this.#mode = 'skip';
      return;
    }
    this.#mode = 'start';
    const restart = fault - (text.length - lastBreak - 1);
    if (restart >= 0) this.#position = restart;
    else this.#setText(text.slice(lastBreak + 1) + this.#text.slice(fault));
  }

  /** Reports a record that cannot become JSON. Emits those of its later lines that are complete records. */
  #reportInvalid(fault: RecordFault, text: string): void {
    const [first = '', ...later] = text.split(/\n+/);
    const whole = later.flatMap((line) => {
      const candidate = this.#inArray ? line.replace(/,\s*$/, '') : line;
      const parsed = /^\s*\{/.test(candidate) ? parseJson(candidate) : undefined;
      return parsed?.ok === true ? [{ value: parsed.value, length: candidate.length }] : [];
    });
    if (whole.length === 0) this.#fault(fault, text);
    else this.#fault('malformed-record', first);
    for (const { value, length } of whole) this.#value(value, length);
  }

  #readLine(): void {
    const from = this.#position;
    const end = this.#lineEnd();
    if (end >= this.#text.length) {
      this.#position = end;
      this.#store(this.#text.slice(from));
      return;
    }
    const line = this.#takeStored(this.#text.slice(from, end));
    this.#position = end + 1;
    this.#mode = 'start';
    this.#line(line);
  }

  #line(line: string): void {
    if (exceedsBytes(line, this.#limit)) {
      this.#fault('oversized-record', line);
      this.#event.drop();
      return;
    }
    const field = parseSseField(line);
    if (field === undefined) return;
    if (this.#event.field(field.name, field.value)) {
      this.#sawField = true;
      this.#inArray = false;
      return;
    }
    if (!this.#sawRecord && line.startsWith('<')) {
      this.#emit({ kind: 'html', text: line });
      return;
    }
    const parsed = parseJson(line);
    if (parsed.ok) this.#value(parsed.value, line.length);
    // by the event-stream standard, unknown fields are ignored
    else if (this.#sawField && /^[a-z][\w.-]*(?::|$)/i.test(line)) return;
    else if (!this.#faulty) this.#fault('malformed-record', line);
  }

  #skipLine(): void {
    const end = this.#lineEnd();
    this.#position = Math.min(end + 1, this.#text.length);
    if (end >= this.#text.length) return;
    this.#mode = 'start';
  }

  #skipTail(): void {
    for (; this.#position < this.#text.length; this.#position += 1) {
      const code = this.#code;
      const inList = this.#inArray && (code === comma || code === closeBracket);
      if (code === lineFeed || code === openBrace || inList) {
        this.#mode = 'start';
        return;
      }
    }
  }

  /** Stores the text of an incomplete record or line for the next read, up to the limit. */
  #store(text: string): void {
    if (this.#discarding) return;
    this.#stored += text;
    if (this.#stored.length <= this.#limit) return;
    this.#fault('oversized-record', this.#takeStored(''));
    if (this.#mode === 'json') {
      this.#discarding = true;
    } else {
      this.#event.drop();
      this.#mode = 'skip';
    }
  }

  /** Returns the stored text of earlier reads followed by `rest`, and clears the store. */
  #takeStored(rest: string): string {
    const text = this.#stored + rest;
    this.#stored = '';
    return text;
  }

  #value(value: unknown, length: number): void {
    this.#emit({ kind: 'value', value, length, event: undefined, id: undefined });
  }

  #emit(record: StreamRecord): void {
    if (this.#ended) return;
    this.#faulty = isFault(record);
    this.#sawRecord ||= !this.#faulty;
    this.#ended = record.kind === 'end' || record.kind === 'html';
    this.#records.push(record);
  }

  #fault(kind: RecordFault, text: string): void {
    this.#emit({ kind, text });
  }

  /** The code unit at the position. */
  get #code(): number {
    return this.#text.charCodeAt(this.#position);
  }

  /** Index of the next LF; the text's length when there is none. */
  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#position);
    return end < 0 ? this.#text.length : end;
  }

  #takeRecords(): StreamRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}

/** Whether an incomplete text may be the start of JSON: outside of strings, it contains nothing foreign to JSON. */
function mayBecomeJson(text: string): boolean {
  const outsideStrings = text.slice(0, 4096).replace(/"(?:\\.|[^"])*"?/gs, ' ');
  // punctuation, numbers and literals; the last literal may be incomplete
  return /^(?:[\s{}[\],:\d.eE+-]|true|false|null)*(?:tr?u?|fa?l?s?|nu?l?)?$/.test(outsideStrings);
}
