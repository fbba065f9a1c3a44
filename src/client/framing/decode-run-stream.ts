import type { RunEvent } from '../../protocol/index.ts';
import { RunStreamDecoder, type RunStreamDecoderOptions } from './run-stream-decoder.ts';

/** A source of bytes: a response's body, or any async iterable. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Decodes bytes, in any framing, into run events. Yields each event as soon as it is complete. Leaving the loop early
 * cancels the source.
 * @throws StreamFormatError when the bytes are not a run stream.
 */
export async function* decodeRunStream(
  source: ByteSource,
  options: RunStreamDecoderOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  const decoder = new RunStreamDecoder(options);
  for await (const bytes of readBytes(source)) {
    for (const event of decoder.push(bytes)) yield event;
    if (decoder.ended) return;
  }
  for (const event of decoder.end()) yield event;
}

/** Safari cannot iterate a stream, so it is read by its reader. */
async function* readBytes(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (!('getReader' in source)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // not awaited: a source whose cancellation never settles must not block the caller
    reader.cancel().catch(() => undefined);
  }
}
