import { expect, test } from '@playwright/test';
import { matchSuggestions } from '../../../../src/widget/content/combobox/suggestions.ts';

const all = ['Österreich', 'Neuseeland', 'Sri Lanka', 'Vereinigtes Königreich', 'Land’s End'].map(
  (label) => ({
    label,
    description: '',
    disabled: false,
  }),
);
const matches = (typed: string): readonly string[] => matchSuggestions(all, typed).map(({ label }) => label);

test('all suggestions match a text without words', () => {
  expect(matchSuggestions(all, '')).toBe(all);
  expect(matchSuggestions(all, '  ')).toBe(all);
});

test('case and accents do not matter, and every word has to occur', () => {
  expect(matches('OSTER')).toEqual(['Österreich']);
  expect(matches('konig ver')).toEqual(['Vereinigtes Königreich']);
  expect(matches('reich')).toEqual(['Österreich', 'Vereinigtes Königreich']);
  expect(matches('reich x')).toEqual([]);
});

test('the width of letters does not matter, and the voicing of kana does', () => {
  const found = (typed: string): readonly string[] =>
    matchSuggestions(
      ['ガス', 'カス', 'ｶﾅ', 'ＡＢＣ', 'Weiße'].map((label) => ({ label, description: '', disabled: false })),
      typed,
    ).map(({ label }) => label);
  expect(found('ガス')).toEqual(['ガス']);
  expect(found('カナ')).toEqual(['ｶﾅ']);
  expect(found('abc')).toEqual(['ＡＢＣ']);
  expect(found('weisse')).toEqual(['Weiße']);
});

test('what begins with the text comes first', () => {
  expect(matches('lan')).toEqual(['Land’s End', 'Neuseeland', 'Sri Lanka']);
});
