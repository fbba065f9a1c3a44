import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { Detector } from './detector.ts';

const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

/** Finds hateful, abusive and profane words with an English word list, including unusual spellings. */
export const detectHap: Detector = (text) =>
  Promise.resolve(
    matcher.getAllMatches(text, true).map(({ startIndex, endIndex }) => ({
      start: startIndex,
      end: endIndex + 1,
      kind: 'HAP',
      score: 0.9,
    })),
  );
