import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const root = fileURLToPath(new URL('../../', import.meta.url));
const statement = readFileSync(`${root}demo/docs/accessibility.md`, 'utf8');
const rows = [...statement.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.trim()),
);

/** Levels A and AA. @source WCAG 2.2; 4.1.1 is gone from it */
const criteria = [
  ...['1.1.1', '1.2.1', '1.2.2', '1.2.3', '1.2.4', '1.2.5', '1.3.1', '1.3.2', '1.3.3', '1.3.4', '1.3.5'],
  ...['1.4.1', '1.4.2', '1.4.3', '1.4.4', '1.4.5', '1.4.10', '1.4.11', '1.4.12', '1.4.13'],
  ...['2.1.1', '2.1.2', '2.1.4', '2.2.1', '2.2.2', '2.3.1'],
  ...['2.4.1', '2.4.2', '2.4.3', '2.4.4', '2.4.5', '2.4.6', '2.4.7', '2.4.11'],
  ...['2.5.1', '2.5.2', '2.5.3', '2.5.4', '2.5.7', '2.5.8'],
  ...['3.1.1', '3.1.2', '3.2.1', '3.2.2', '3.2.3', '3.2.4', '3.2.6'],
  ...['3.3.1', '3.3.2', '3.3.3', '3.3.4', '3.3.7', '3.3.8', '4.1.2', '4.1.3'],
];
const tests = new Map(
  rows.flatMap(([id = '', file = '', title = '']) =>
    /^[A-Z]\d+$/.test(id) ? [[id, { file: file.replaceAll('`', ''), title }] as const] : [],
  ),
);

test('the statement goes through every criterion of WCAG 2.2, A and AA, once, in order', () => {
  const told = rows.flatMap(([criterion = '']) => /^[1-4]\.\d\.\d+(?= )/.exec(criterion)?.[0] ?? []);
  expect(told).toEqual(criteria);
});

test('each criterion says how it is met, and by tests that the statement lists', () => {
  const used = new Set<string>();
  for (const [criterion = '', how = '', shownBy = ''] of rows) {
    if (!/^[1-4]\.\d\.\d+ /.test(criterion)) continue;
    expect(how, criterion).not.toBe('');
    const ids = shownBy.split(', ');
    for (const id of ids) {
      expect([...tests.keys()], criterion).toContain(id);
      used.add(id);
    }
  }
  expect([...tests.keys()].filter((id) => !used.has(id))).toEqual([]);
});

test('each test of the statement exists under its name', () => {
  const missing = [...tests].filter(([, { file, title }]) => {
    if (!existsSync(root + file)) return true;
    const named = [
      ...readFileSync(root + file, 'utf8').matchAll(
        /\b(?:test|isolatedTest|it|describe)\(\s*(['`])(.*?)\1,/g,
      ),
    ];
    return !named.some(([, , name = '']) => name.includes(title));
  });
  expect(missing).toEqual([]);
});
