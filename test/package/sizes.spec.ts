import { expect, test } from '@playwright/test';
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

test('what loads up to a finished answer has not grown', () => {
  expect(sum(['agent-chat', 'mount', 'runtime'])).toBeLessThanOrEqual(ceilings.answer);
});

test('what only some visits use loads on demand', () => {
  const atOnce = closureOf(sizes, ['agent-chat', 'mount', 'runtime']).map(({ name }) => name);
  const names = sizes.map(({ name }) => name);
  for (const name of ['code', 'de', 'decode', 'files', 'forms', 'items', 'search', 'steps', 'tools']) {
    expect(names).toContain(name);
    expect(atOnce).not.toContain(name);
  }
});

test('what the launcher loads before the panel does not bring the panel along', () => {
  for (const name of ['locale', 'host-page'])
    expect(closureOf(sizes, [name]).map((part) => part.name)).not.toContain('runtime');
});
