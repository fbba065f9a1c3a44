import { expect, test } from '@playwright/test';
import { isNumeric, sortRows } from '../../../src/widget/content/sort-rows.ts';

test('sorts numbers by value, text by language, empty cells last', () => {
  const sorted = (cells: readonly string[], down = false): readonly string[] =>
    sortRows(
      cells.map((cell) => [cell]),
      { column: 0, down },
      'en',
    ).map(([cell]) => cell ?? '');
  expect(sorted(['€ 1.054,50', '€ 9', '', '−3 %'])).toEqual(['−3 %', '€ 9', '€ 1.054,50', '']);
  expect(sorted(['10', '9', ''], true)).toEqual(['10', '9', '']);
  expect(sorted(['a10', 'a9', 'Ä1'])).toEqual(['Ä1', 'a9', 'a10']);
  expect(isNumeric([['2026-11-21'], ['2026-11-20']], 0)).toBe(false);
});
