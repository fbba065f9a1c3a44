import type { RunEvent } from '../../protocol/index.ts';
import { RunStreamDecoder, type RunStreamDecoderOptions } from './run-stream-decoder.ts';

/** Bytes as they come: a response's body, or anything that can be iterated. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Reads run events from bytes, in whatever framing. Each event is given with the read that completes it; leaving the
 * loop early cancels the source.
 * @throws StreamFormatError when the bytes are no run stream.
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
    // Not waited for: a source that never settles its cancellation must not hold up the caller.
    reader.cancel().catch(() => undefined);
  }
}
