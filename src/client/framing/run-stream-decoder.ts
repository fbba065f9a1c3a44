import type { RunEvent } from '../../protocol/index.ts';
import { isKnownRunEventKind } from '../../protocol/run-event-kinds.ts';
import { DeliveredEvents, type DeliveryOptions } from './delivered-events.ts';
import { type BegunStream, RecordDecoder } from './record-decoder.ts';
import { type RecordOddity, normalizeRecord, withoutThreadPrefix } from './normalize-record.ts';
import { StreamFormatError } from './stream-format-error.ts';
import type { RecordFault, StreamRecord } from './stream-record.ts';
import { type DiagnosticReceiver, sentences, WireDiagnostics } from './wire-diagnostics.ts';

export interface RunStreamDecoderOptions extends DiagnosticReceiver, DeliveryOptions {
  /** Largest record, in bytes. Default 8 MiB and 4 KiB for the envelope. */
  readonly recordLimit?: number | undefined;
  /** The response's body. If this option is given and empty, `end` throws. */
  readonly body?: unknown;
  /** Whether the status says that the run was accepted; its answer may arrive another way. */
  readonly isAccepted?: boolean | undefined;
}

/** How much of a bad record is kept: its start, in characters, which contains the event name and an excerpt. */
const startLength = 16 * 1024;

/** Stands for a message that is too large, to show that a part of the answer is missing. */
const oversizedMessage: RunEvent = {
  id: '',
  event: 'message.delta',
  data: {
    delta: {
      role: 'assistant',
      content: [
        { id: 'oversized-record', response_type: 'inline_error', debug: sentences['oversized-record'] },
      ],
    },
  },
};

/**
 * Decodes the bytes of a run stream into run events. A message over the limit is replaced by a `message.delta` with an
 * `inline_error`. Bad records are reported and skipped.
 */
export class RunStreamDecoder {
  readonly #options: RunStreamDecoderOptions;
  readonly #records: RecordDecoder;
  readonly #diagnostics: WireDiagnostics;
  readonly #delivered: DeliveredEvents;
  #ended = false;
  #firstOddity: { readonly code: RecordFault | RecordOddity; readonly text: string } | undefined;

  /** @param begun what has read the stream so far, and the events that it has delivered */
  constructor(
    options: RunStreamDecoderOptions = {},
    begun?: BegunStream & { readonly delivered: DeliveredEvents },
  ) {
    this.#options = options;
    this.#diagnostics = new WireDiagnostics(options);
    this.#records = new RecordDecoder(options.recordLimit, begun);
    this.#delivered = begun?.delivered ?? new DeliveredEvents(options);
  }

  /** Whether the stream has ended: with its `[DONE]` mark, or by a call of `end`. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Id of the last event that had one. */
  get lastEventId(): string | undefined {
    return this.#delivered.lastEventId;
  }

  /**
   * Decodes the next bytes and returns the events they complete.
   * @throws StreamFormatError when the body is an HTML page
   */
  push(bytes: Uint8Array): RunEvent[] {
    return this.#ended ? [] : this.#events(this.#records.push(bytes));
  }

  /** As `push`, for text that has been decoded already. */
  read(text: string): RunEvent[] {
    return this.#ended ? [] : this.#events(this.#records.read(text));
  }

  /**
   * Ends a stream that was read completely. A run that was accepted without an answer gets a `run.completed`.
   * @throws StreamFormatError when the body contained no event, or when there was no body
   */
  end(): RunEvent[] {
    const { isAccepted } = this.#options;
    if ('body' in this.#options && !this.#options.body && !isAccepted)
      throw new StreamFormatError('text', 'no-body', '');
    const events = this.flush();
    const { last } = this.#delivered;
    if (isAccepted && (last?.event ?? 'run.started') === 'run.started')
      return [...events, { id: '', event: 'run.completed', data: last?.data ?? {} }];
    const oddity = this.#firstOddity;
    if (last || oddity === undefined || oddity.code === 'truncated-record') return events;
    throw new StreamFormatError(
      oddity.code === 'not-an-event' ? 'json' : 'text',
      'undecodable',
      this.#diagnostics.excerpt(oddity.text),
    );
  }

  /** Ends a stream that broke off: returns what is complete and reports nothing about the rest. */
  flush(): RunEvent[] {
    if (this.#ended) return [];
    const events = this.#events(this.#records.end());
    this.#ended = true;
    return events;
  }

  #events(records: readonly StreamRecord[]): RunEvent[] {
    const events: RunEvent[] = [];
    for (const record of records) {
      if (record.kind === 'html') {
        this.#ended = true;
        throw new StreamFormatError('html', 'html', this.#diagnostics.excerpt(record.text));
      }
      if (record.kind === 'end') {
        this.#ended = true;
        // `[DONE]` ends the turn like the event `done`; a stream with neither counts as interrupted
        if (this.#delivered.last?.event !== 'done')
          this.#keep({ id: '', event: 'done', data: {} }, 0, events);
        continue;
      }
      if (record.kind === 'value') {
        for (const event of normalizeRecord(record, this.#reportOddity))
          this.#keep(event, record.length, events);
        continue;
      }
      this.#report(record.kind, record.text);
      if (record.kind === 'oversized-record' && startsLikeMessage(record.text)) events.push(oversizedMessage);
    }
    return events;
  }

  /** @param length characters on the wire */
  #keep(event: RunEvent, length: number, events: RunEvent[]): void {
    if (this.#options.isAccepted && isTextOnly(event)) return;
    if (!this.#delivered.take(event, length)) return;
    if (!isKnownRunEventKind(event.event)) this.#diagnostics.unknownEvent(event.event);
    events.push(event);
  }

  readonly #reportOddity = (oddity: RecordOddity, value: unknown): void => {
    this.#report(oddity, JSON.stringify(value));
  };

  #report(code: RecordFault | RecordOddity, text: string): void {
    if (code !== 'odd-data') this.#firstOddity ??= { code, text: text.slice(0, startLength) };
    this.#diagnostics.record(code, text);
  }
}

/** Whether an error event is only text, such as `{"message": "Accepted"}` of a 202. */
function isTextOnly({ id, event, data }: RunEvent): boolean {
  return (
    id === '' &&
    event === 'error' &&
    data['message'] !== undefined &&
    (data['detail'] ?? data['error']) == null
  );
}

/** Whether an oversized record is a complete message, judged by its start. */
function startsLikeMessage(text: string): boolean {
  const start = text.slice(0, startLength);
  const name = /"event"\s*:\s*"([^"]*)"/.exec(start)?.[1];
  return name === undefined
    ? /"message"\s*:\s*\{/.test(start)
    : withoutThreadPrefix(name) === 'message.created';
}
