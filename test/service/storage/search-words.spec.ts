import { expect, test } from '@playwright/test';
import {
  foldText,
  startInText,
  searchTerms,
  searchTokens,
} from '../../../src/service/storage/search-words.ts';

test('texts that readers take for the same one are equal', () => {
  const pairs = [
    ['Café', 'cafe'],
    ['STRASSE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['Ёлка', 'елка'],
    ['ﬁn', 'fin'],
    ['ＡＢＣ１２', 'abc12'],
    ['ｶﾞｲﾄﾞ', 'ガイド'],
    ['الْقَاهِرَة', 'القاهره'],
    ['שָׁלוֹם', 'שלום'],
  ] as const;
  for (const [one, other] of pairs) expect([one, foldText(one)]).toEqual([one, foldText(other)]);
  expect(foldText('が')).not.toBe(foldText('か'));
  expect(foldText('한국어')).toBe('한국어');
});

test('words are tokens; scripts without spaces give pairs of characters and the last one', () => {
  expect(searchTokens('Berth 12, quay-side: 5.50 €')).toEqual(['berth', '12', 'quay', 'side', '5', '50']);
  expect(searchTokens('東京都ABCサーバー')).toEqual([
    '東京',
    '京都',
    '都',
    'abc',
    'サー',
    'ーバ',
    'バー',
    'ー',
  ]);
  expect(searchTokens('hi ⛵!')).toEqual(['hi', '⛵']);
  expect(searchTokens("lone \ud800 end \u0000 ' \\")).toEqual(['lone', 'end']);
  expect(searchTokens('tide, 天気 tide 天気')).toEqual(['tide', '天気', '気', '天気', '気']);
  expect(searchTokens('x'.repeat(100))).toEqual(['x'.repeat(64)]);
});

test('a query is read as words that may be incomplete, and as runs of characters', () => {
  expect(searchTerms('Qua a 東京都 都 quA')).toEqual([
    { tokens: ['qua'], isPrefix: true },
    { tokens: ['a'], isPrefix: false },
    { tokens: ['東京', '京都'], isPrefix: false },
    { tokens: ['都'], isPrefix: true },
  ]);
  expect(searchTerms('… !? "')).toEqual([]);
  expect(searchTerms('a1 b2 c3 d4 e5 f6 g7 h8 i9 j0')).toHaveLength(8);
});

test('the place of a find is that of the first word that a query names', () => {
  expect(startInText('Where is the Café?', 'cafe')).toBe(13);
  expect(startInText('明日、東京都へ', '京都')).toBe(3);
  expect(startInText('nothing here', 'cafe')).toBe(0);
});
