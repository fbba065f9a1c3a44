/** Longest word in the index; longer ones are cut. */
const maxWordLength = 64;
/** Terms of a query that are used. */
const maxTerms = 8;

/** A word, or a symbol such as an emoji. */
const wordPattern = /[\p{L}\p{N}\p{M}]+|\p{So}/gu;
/** Scripts that are written without spaces, or whose words run together. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}';
const hasUnspaced = new RegExp(`[${unspaced}]`, 'u');
const runPattern = new RegExp(`([${unspaced}]+)|[^${unspaced}]+`, 'gu');
/** Accents, and the vowel signs of Arabic and Hebrew that readers leave out. */
const optionalMarks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/gu;

/** Letters that many write for another at the end of a word. */
const sameLetters: Readonly<Record<string, string>> = { ς: 'σ', ة: 'ه', ى: 'ي' };

/** A part of a query. All of its tokens must occur one after the other. */
export interface SearchTerm {
  readonly tokens: readonly string[];
  /** Whether the last token may continue. */
  readonly isPrefix: boolean;
}

/** Makes texts that readers take for the same one equal: case, accents, width of letters. */
export function foldText(text: string): string {
  const folded = text.normalize('NFKD').replace(optionalMarks, '').normalize('NFC');
  return folded
    .toUpperCase()
    .toLowerCase()
    .replace(/[ςةى]/gu, (letter) => sameLetters[letter] ?? letter)
    .replace(optionalMarks, '');
}

/**
 * Returns the tokens of a text, in order. Each word is one token, at its first place. Of scripts without spaces, each
 * pair of characters is one, and the last character: any part of a run is then found as a sequence of tokens.
 */
export function searchTokens(text: string): string[] {
  const tokens: string[] = [];
  const found = new Set<string>();
  for (const word of wordsOf(text)) {
    if (found.has(word)) continue;
    for (const { characters, isUnspaced } of runsIn(word)) {
      if (isUnspaced) tokens.push(...pairsOf(characters), characters.at(-1) ?? '');
      else tokens.push(characters.join(''));
    }
    if (!hasUnspaced.test(word)) found.add(word);
  }
  return tokens;
}

/** Returns the terms of a query, all of which must be found. Empty: the query has no word. */
export function searchTerms(query: string): readonly SearchTerm[] {
  const terms = runsOf(query).map(({ characters, isUnspaced }): SearchTerm => {
    if (!isUnspaced) return { tokens: [characters.join('')], isPrefix: characters.length > 1 };
    return characters.length === 1
      ? { tokens: characters, isPrefix: true }
      : { tokens: pairsOf(characters), isPrefix: false };
  });
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]));
  return [...distinct.values()].slice(0, maxTerms);
}

/** Returns where the first word that a query names begins in a text, or 0. */
export function startInText(text: string, query: string): number {
  const words = runsOf(query).map(({ characters }) => characters.join(''));
  const runs = new Set(runsOf(query).flatMap((run) => (run.isUnspaced ? run.characters.join('') : [])));
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const folded = foldText(word);
    if (words.some((one) => (runs.has(one) ? folded.includes(one) : folded.startsWith(one)))) return index;
  }
  return 0;
}

interface Run {
  readonly characters: readonly string[];
  readonly isUnspaced: boolean;
}

function runsOf(text: string): Run[] {
  return wordsOf(text).flatMap(runsIn);
}

function wordsOf(text: string): readonly string[] {
  return foldText(text).match(wordPattern) ?? [];
}

function runsIn(word: string): Run[] {
  return [...word.matchAll(runPattern)].map((run): Run => {
    const isUnspaced = run[1] !== undefined;
    const characters = [...run[0]];
    return { characters: isUnspaced ? characters : characters.slice(0, maxWordLength), isUnspaced };
  });
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
