import { isQuick } from '../../tools/quick.ts';

/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** One way of cutting bytes into reads, with the words that name it in a failure. */
export interface Chunking {
  readonly name: string;
  readonly reads: Iterable<Uint8Array>;
}

/**
 * Whole, byte by byte, and cut in two at every place, in a quick run at every seventh. Of inputs too long for that
 * (over 20,000 bytes), in reads of 61 bytes, and at 20 places spread evenly.
 */
export function* chunkingsOf(bytes: Uint8Array): Generator<Chunking> {
  yield { name: 'whole', reads: [bytes] };
  const isLong = bytes.length > 20_000;
  const size = isLong ? 61 : 1;
  yield { name: `in reads of ${size}`, reads: pieces(bytes, size) };
  const step = isLong ? Math.ceil(bytes.length / 20) : isQuick ? 7 : 1;
  for (let place = 1; place < bytes.length; place += step) {
    yield { name: `cut at ${place}`, reads: [bytes.subarray(0, place), bytes.subarray(place)] };
  }
}

/** Ten million bytes would take a lot of memory as an array of arrays: they are made while they are read. */
function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
