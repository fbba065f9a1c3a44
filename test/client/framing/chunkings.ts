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
 * (over 20,000 bytes), at 20 places spread evenly, and in a quick run not byte by byte.
 */
export function* chunkingsOf(bytes: Uint8Array): Generator<Chunking> {
  yield { name: 'whole', reads: [bytes] };
  const isLong = bytes.length > 20_000;
  if (!isLong || !isQuick) yield { name: 'byte by byte', reads: singly(bytes) };
  const step = isLong ? Math.ceil(bytes.length / 20) : isQuick ? 7 : 1;
  for (let place = 1; place < bytes.length; place += step) {
    yield { name: `cut at ${place}`, reads: [bytes.subarray(0, place), bytes.subarray(place)] };
  }
}

/** Ten million bytes would take gigabytes as an array of arrays: they are made while they are read. */
function* singly(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}
