/** A value of the stream, with the fields of its SSE block when it came in one. */
export interface ValueRecord {
  readonly kind: 'value';
  /** A JSON value; of a named block also text that is not JSON, or `''` without data. */
  readonly value: unknown;
  /** The block's `event:` field. */
  readonly event: string | undefined;
  /** The block's `id:` field. */
  readonly id: string | undefined;
  /** Characters on the wire. */
  readonly length: number;
}

/** Why a record is skipped. Causes one diagnostic and never ends the stream. */
export type RecordFault = 'malformed-record' | 'truncated-record' | 'oversized-record';

/**
 * One delimited unit of the byte stream. `end`: the `[DONE]` mark. `html`: the body is a page, not a stream. A fault: a
 * record that is skipped, with the text of its beginning.
 */
export type StreamRecord =
  | ValueRecord
  | { readonly kind: 'end' }
  | { readonly kind: 'html' | RecordFault; readonly text: string };

/** Whether a record is skipped. */
export function isFault({ kind }: StreamRecord): boolean {
  return kind.endsWith('-record');
}

/** Receives the decoder's records. */
export type RecordSink = (record: StreamRecord) => void;
