import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { contrastPairs } from '../../../src/widget/theme/contrast-pairs.ts';
import { colourTokens, measureTokens, publicTokens } from '../../../src/widget/theme/tokens.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../src/widget/theme/${name}`, import.meta.url), 'utf8');

test('a page can set at most 25 tokens, each named once', () => {
  expect(publicTokens.length).toBeLessThanOrEqual(25);
  expect(new Set(publicTokens.map((token) => token.name)).size).toBe(publicTokens.length);
});

test('the sheet of sizes declares every measure in the table and no other', () => {
  const declared = new Set(read('tokens.styles.ts').match(/--_[\w-]+(?=:)/g));
  const names = Object.keys(measureTokens).sort();
  expect([...declared].sort(), 'tokens.styles.ts declares the tokens of measureTokens').toEqual(names);
});

test('every public token is used in the theme, and no unlisted one', () => {
  const sheets = read('tokens.styles.ts') + read('../element/agent-chat.styles.ts');
  const used = new Set(sheets.match(/--agent-chat-[\w-]+/g));
  for (const scheme of ['light', 'dark']) used.add(`--agent-chat-surface-${scheme}`);
  const names = publicTokens.map((token) => token.name).sort();
  expect([...used].sort(), 'the sheets of sizes and of the layer read the tokens of publicTokens').toEqual(
    names,
  );
});

test('the shared sheet uses only tokens in the table', () => {
  const known = new Set([
    ...Object.keys(colourTokens),
    ...Object.keys(measureTokens),
    '--_icon-button-hover',
  ]);
  for (const name of read('shared.styles.ts').match(/--_[\w-]+/g) ?? []) expect(known, name).toContain(name);
});

test('every foreground of the theme is in a contrast pair', () => {
  const checked = new Set(contrastPairs.map((pair) => pair.front));
  const grounds = new Set(contrastPairs.map((pair) => pair.back));
  const decoration = new Set(['--_line', '--_second-line', '--_shadow-colour', '--_outline']);
  for (const name of Object.keys(colourTokens) as (keyof typeof colourTokens)[]) {
    const isPaired = checked.has(name) || grounds.has(name) || decoration.has(name);
    expect(isPaired, `${name} needs a row in src/widget/theme/contrast-pairs.ts`).toBe(true);
  }
});
