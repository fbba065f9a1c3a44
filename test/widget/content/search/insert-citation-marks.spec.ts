import { expect, test } from '@playwright/test';
import { citationMarks, readCitations } from '../../../../src/widget/content/search/citations.ts';
import { insertPlaceholders } from '../../../../src/widget/content/search/insert-citation-marks.ts';

const mark = (text: string, end: number): string =>
  insertPlaceholders(
    text,
    citationMarks(readCitations({ citations: [{ ranges: [{ start: 0, end }] }] }, text.length)),
  ).replace(/\ue000(\d+)\ue001/, '⟦$1⟧');

test('inserts citation marks where they break no Markdown', () => {
  expect(mark('It is free. Take it.', 11)).toBe('It is free.⟦1⟧ Take it.');
  expect(mark('It is free. Take it.', 12)).toBe('It is free.⟦1⟧ Take it.');
  expect(mark('harbour', 3)).toBe('harbour⟦1⟧');
  expect(mark('see [map](https://a.example/b) now', 22)).toBe('see [map](https://a.example/b)⟦1⟧ now');
  expect(mark('at https://a.example/b', 22)).toBe('at https://a.example/b ⟦1⟧');
  expect(mark('| a | b |\n|---|---|\n| 1 | 2 |', 29)).toBe('| a | b |\n|---|---|\n| 1 | 2⟦1⟧ |');
  expect(mark('```\ncode\n```', 12)).toBe('```\ncode\n```\n\n⟦1⟧');
  expect(mark('never', 99)).toBe('never');
});

test('marks a long line that is no rule after all at once', () => {
  const line = `${'-'.repeat(300_000)}x`;
  expect(mark(line, line.length)).toBe(`${line}⟦1⟧`);
  expect(mark('  --- \nfree', 3)).toBe('  --- \n\n⟦1⟧\nfree');
});
