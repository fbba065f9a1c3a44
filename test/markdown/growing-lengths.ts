/** Lengths at which a growing text is looked at: pieces of 1 to `longest` characters. */
export function* growingLengths(length: number, longest: number, random: () => number): Generator<number> {
  for (let at = 0; at < length;) {
    at = Math.min(length, at + 1 + Math.floor(random() * longest));
    yield at;
  }
}
