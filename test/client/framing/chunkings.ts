import { isQuick } from '../../tools/quick.ts';

/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** One way of cutting bytes into reads, with the words that name it in a failure. */
export interface Chunking {
  readonly name: string;
  readonly reads: readonly Uint8Array[];
}

/**
 * Whole, byte by byte, and cut in two at every place, in a quick run at every seventh. Of inputs too long for that
 * (over 20,000 bytes), at 20 places spread evenly.
 */
export function* chunkingsOf(bytes: Uint8Array): Generator<Chunking> {
  yield { name: 'whole', reads: [bytes] };
  yield { name: 'byte by byte', reads: Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)) };
  const step = bytes.length > 20_000 ? Math.ceil(bytes.length / 20) : isQuick ? 7 : 1;
  for (let place = 1; place < bytes.length; place += step) {
    yield { name: `cut at ${place}`, reads: [bytes.subarray(0, place), bytes.subarray(place)] };
  }
}
