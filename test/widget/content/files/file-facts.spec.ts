import { expect, test } from '@playwright/test';
import { fileSize, fileType, isPicture } from '../../../../src/widget/content/files/file-facts.ts';

test('the type is the end of the name', () => {
  expect(['Plan.pdf', 'a.tar.gz', 'README', '.env', 'x.', 'a.longextension'].map(fileType)).toEqual([
    'PDF',
    'GZ',
    '',
    'ENV',
    '',
    '',
  ]);
  expect(['a.JPG', 'a.webp', 'a.svg', 'a.pdf'].map(isPicture)).toEqual([true, true, false, false]);
});

test('the size has the unit and the decimals of its language', () => {
  expect([0, 999, 1_000, 1_234_567, 5_000_000_000].map((bytes) => fileSize(bytes, 'en'))).toEqual([
    '0 byte',
    '999 byte',
    '1 kB',
    '1.2 MB',
    '5 GB',
  ]);
  expect(fileSize(1_234_567, 'de')).toBe('1,2 MB');
  for (const unknown of [undefined, Number.NaN, -1]) expect(fileSize(unknown, 'en')).toBe('');
});
