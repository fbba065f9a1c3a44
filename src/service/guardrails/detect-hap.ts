import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { Detector, Finding } from './detector.ts';

/** Words of medicine, music and forms, not abuse. */
const plainTerms: ReadonlySet<string> = new Set([
  'anal',
  'anus',
  'incest',
  'penis',
  'scat',
  'semen',
  'sex',
  'vagina',
]);
/** Words that are also names: with a capital letter, they are left alone. */
const alsoNames: ReadonlySet<string> = new Set([
  'abo',
  'cock',
  'cum',
  'dick',
  'dyke',
  'fag',
  'hooker',
  'kike',
  'negro',
  'twat',
]);
/** Words that only look like a listed word with an ending. */
const innocent: ReadonlySet<string> = new Set(['ABO', 'booby', 'boobies', 'cumin', 'cummin', 'fsck', 'prn']);

const endings: ReadonlySet<string> = new Set(
  `s es z ed d er ers in ing y ies ish able o os a as
  ass asses bag bags face faces fest got gots gy hat hats head heads hole holes job jobs let lets load
  loads nut nuts off stain stick sticks sucker suckers sucking tard tards ter ters ty up wad wads wit wits`.split(
    /\s+/,
  ),
);
const beginnings =
  `ape bad bat bull chicken cluster cock dip dumb fuck god hard horse jack kick mind mother pig shit smart un`.split(
    ' ',
  );

const dataset = englishDataset.removePhrasesIf(({ metadata }) =>
  plainTerms.has(metadata?.originalWord ?? ''),
);
const matcher = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers });

/** Longer words are ignored, in characters. */
const maxWordLength = 64;
/** Words with their verdicts; texts repeat them. */
const verdicts = new Map<string, boolean>();
const maxVerdicts = 10_000;

/** Signs that stand for letters may be within a word; others separate words. */
const word = /[\p{L}\p{M}\p{N}@$](?:[\p{L}\p{M}\p{N}@$*!|+'’]*[\p{L}\p{M}\p{N}@$])?/gu;
/** Single letters with a sign between them. */
const spelledOut =
  /(?<![\p{L}\p{N}])[\p{L}$@](?:([ .*_-])[\p{L}\p{N}$@!])(?:\1[\p{L}\p{N}$@!])+(?![\p{L}\p{N}])/gu;

/**
 * Finds hateful, abusive and profane words with an English word list, in unusual spellings too: `sh1t`,
 * `fuuuck`, `f*ck`, `f u c k`. A finding is a whole word, with its usual endings; a word that only contains a
 * listed one is none.
 */
export const detectHap: Detector = (text) => {
  const found = [
    ...findingsOf(text, word, isAbusive),
    ...findingsOf(text, spelledOut, (match) => isAbusive(match.replace(/[ .*_-]/g, '').toLowerCase())),
  ];
  return Promise.resolve(found.sort((one, other) => one.start - other.start));
};

function findingsOf(text: string, pattern: RegExp, isFound: (match: string) => boolean): Finding[] {
  return [...text.matchAll(pattern)]
    .filter(({ 0: match }) => isFound(match))
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length, kind: 'HAP', score: 0.9 }));
}

function isAbusive(word: string): boolean {
  const short = word.replace(/(.)\1{2,}/gu, '$1$1$1');
  if (short.length < 3 || short.length > maxWordLength) return false;
  const known = verdicts.get(short);
  if (known !== undefined) return known;
  const verdict = judge(short);
  if (verdicts.size >= maxVerdicts) verdicts.clear();
  verdicts.set(short, verdict);
  return verdict;
}

function judge(word: string): boolean {
  const lower = word.toLowerCase();
  // `455` and `FA46` can be read as words, but hardly anybody does.
  const digits = word.match(/\p{N}/gu)?.length ?? 0;
  if (digits * 2 >= word.length || word.includes('6')) return false;
  if (innocent.has(word) || innocent.has(lower.replace(/['’]s$/, ''))) return false;
  const rests = [
    word,
    ...beginnings.filter((one) => lower.startsWith(one)).map((one) => word.slice(one.length)),
  ];
  return rests.some((rest) =>
    matcher.getAllMatches(rest).some((match) => {
      if (match.startIndex !== 0 || match.endIndex < 2) return false;
      const original = dataset.getPayloadWithPhraseMetadata(match).phraseMetadata?.originalWord ?? '';
      if (alsoNames.has(original) && /^\p{Lu}/u.test(word) && /\p{Ll}/u.test(word)) return false;
      return isEnding(rest.slice(match.endIndex + 1).toLowerCase(), rest[match.endIndex] ?? '');
    }),
  );
}

/** `last` is the letter before the ending, which people repeat: `shitttt`, `shitty`. */
function isEnding(rest: string, last: string): boolean {
  const ending = rest.replace(/['’]s?$/, '');
  if (ending === '' || endings.has(ending)) return true;
  let repeated = 0;
  while (ending[repeated] === last.toLowerCase()) repeated += 1;
  return repeated > 0 && (repeated === ending.length || endings.has(ending.slice(repeated)));
}
