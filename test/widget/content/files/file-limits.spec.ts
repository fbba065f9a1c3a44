import { expect, test } from '@playwright/test';
import { createStrings } from '../../../../src/widget/i18n/create-strings.ts';
import { de } from '../../../../src/widget/i18n/locales/de.ts';
import {
  describeTypes,
  fileError,
  mediaType,
  readUploadLimits,
} from '../../../../src/widget/content/files/file-limits.ts';

const cases: readonly (readonly [unknown, string, string, boolean])[] = [
  [['image/jpg'], 'boat.jpeg', 'image/jpeg', true],
  [['image/jpg'], 'boat.png', 'image/png', false],
  ['image/png, image/jpg', 'boat.jpg', 'image/jpeg', true],
  [['text/csv'], 'tides.csv', 'application/vnd.ms-excel', true],
  [['text/csv'], 'tides.xls', 'application/vnd.ms-excel', false],
  [['PDF'], 'plan.pdf', 'application/pdf', true],
  [['application/pdf'], 'plan.pdf', '', true],
  [['image/*'], 'boat.webp', 'image/webp', true],
  [null, 'any.bin', '', true],
];

for (const [types, name, type, isTaken] of cases) {
  test(`${JSON.stringify(types)} ${isTaken ? 'accepts' : 'rejects'} ${name} of type "${type}"`, () => {
    const limits = readUploadLimits({ allowedFileMimeTypes: types });
    expect(fileError(new File([], name, { type }), limits) === undefined).toBe(isTaken);
  });
}

test('the file chooser gets types that browsers know', () => {
  expect(readUploadLimits({ allowedFileMimeTypes: ['image/jpg'] }).types).toEqual(['image/jpeg']);
});

test('a long list in one text is read to its end', () => {
  const types = Array.from({ length: 40 }, (_, index) => `application/vnd.example.office-document-${index}`);
  expect(readUploadLimits({ allowedFileMimeTypes: types.join(', ') }).types).toEqual(types);
});

test('visitors read names of types that they know, in their language', () => {
  const types = ['application/pdf', '.PDF', 'image/*', 'text/plain', 'application/vnd.example'].map(
    mediaType,
  );
  const words = createStrings('de', de);
  expect(describeTypes(types, words)).toBe('PDF, Bild, TXT und application/vnd.example');
});
