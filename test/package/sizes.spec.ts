import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { enAnswered } from '../../src/widget/i18n/locales/en-answered.ts';
import { enLate } from '../../src/widget/i18n/locales/en-late.ts';
import { ceilings, closureOf, readSizes } from '../tools/sizes.js';
import { isBuilt, root } from './pack.ts';

test.skip(!isBuilt, 'dist/ is not complete: npm run build');

const sizes = isBuilt ? readSizes(`${root}dist`) : [];
const sum = (names: readonly string[]): number =>
  closureOf(sizes, names).reduce((total, { kilobytes }) => total + kilobytes, 0);

test('the launcher is one script and one part, and has not grown', () => {
  expect(closureOf(sizes, ['agent-chat', 'mount'])).toHaveLength(2);
  expect(sum(['agent-chat', 'mount'])).toBeLessThanOrEqual(ceilings.launcher);
});

test('launcher and panel, and with them what a finished answer needs, have not grown', () => {
  expect(sum(['agent-chat', 'mount', 'runtime'])).toBeLessThanOrEqual(ceilings.panel);
  expect(sum(['agent-chat', 'mount', 'runtime', 'answered'])).toBeLessThanOrEqual(ceilings.answer);
});

test('forms, highlighting, the entity table, languages and content items come on demand only', () => {
  const atOnce = closureOf(sizes, ['agent-chat', 'mount', 'runtime']).map(({ name }) => name);
  const names = sizes.map(({ name }) => name);
  for (const name of [
    'form',
    'highlight',
    'decode',
    'de',
    'item',
    'table',
    'carousel',
    'steps',
    'answered',
    'code-view',
    'image-view',
    'composer-extras',
    'en-late',
  ]) {
    expect(names).toContain(name);
    expect(atOnce).not.toContain(name);
  }
});

test('what is there at once says no word that comes late', () => {
  const unsaid = (parts: readonly string[], words: object): void => {
    for (const { file } of closureOf(sizes, parts)) {
      const text = readFileSync(`${root}dist/${file}`, 'utf8');
      expect(Object.keys(words).filter((key) => new RegExp(`["'\`]${key}["'\`]`).test(text))).toEqual([]);
    }
  };
  unsaid(['agent-chat', 'mount', 'runtime'], { ...enAnswered, ...enLate });
  unsaid(['answered'], enLate);
});
