/** Random numbers from 0 to 1 that are the same at every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Lengths at which a growing text is looked at: pieces of 1 to `longest` characters. */
export function* growingLengths(length: number, longest: number, random: () => number): Generator<number> {
  for (let at = 0; at < length;) {
    at = Math.min(length, at + 1 + Math.floor(random() * longest));
    yield at;
  }
}
