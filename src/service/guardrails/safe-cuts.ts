/**
 * Where a text can be cut so that its parts are checked like the whole: at no such place can a detector's
 * finding, or the context that decides about it, reach across.
 */

/** Possible ends of a sentence. */
const sentenceEnd = /[\n。！？…]|[.!?](?=\s)/g;
/** Characters that may continue a number after a full stop and a space. */
const numberContinues = /^[\p{Nd}+\uff0b(\uff08[\uff3b\p{Pd}.\uff0e/~]/u;
/** A word that belongs to no number, account or spelled-out word. */
const plainWord = /^\p{L}{2,}[,;:]?$/u;

/** Returns the places after sentences that surely end, in order. */
export function* sentenceCuts(text: string): Generator<number> {
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    if (isCertain(text, mark, index)) yield index + 1;
  }
}

function isCertain(text: string, mark: string, index: number): boolean {
  if ('\n！？…'.includes(mark)) return true;
  // The ideographic full stop also separates the labels of a domain.
  if (mark === '。') return !/[@\uff20]\S*$/.test(text.slice(Math.max(0, index - 600), index));
  const next = /\S\S?/.exec(text.slice(index + 1, index + 65))?.[0];
  if (next === undefined) return text.length > index + 65;
  return !numberContinues.test(next) || !/\p{Nd}/u.test(text.slice(Math.max(0, index - 4), index));
}

/** Returns the last place between two plain words, at most at `most`; 0 without one. */
export function lastWordCut(text: string, most: number): number {
  const words = [...text.slice(0, most + 64).matchAll(/\S+/g)];
  for (let index = words.length - 2; index > 0; index -= 1) {
    const [word, next, after] = [words[index - 1], words[index], words[index + 1]];
    if (!word || !next || !after || next.index > most) continue; // `after`: the next word is complete
    const isPlain = plainWord.test(word[0]) && plainWord.test(next[0]);
    if (isPlain && /\p{Ll}/u.test(word[0] + next[0])) return next.index;
  }
  return 0;
}
