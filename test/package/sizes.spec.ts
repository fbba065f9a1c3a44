import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { ceilings, closureOf, jitter, readModules, weighClosure } from '../tools/sizes.js';
import { isBuilt, root } from './pack.ts';

test.skip(!isBuilt, 'dist/ is not complete: npm run build');

let modules: ReturnType<typeof readModules> = [];
test.beforeAll(() => {
  modules = readModules(`${root}dist`);
});

test('the launcher is one script, and has not grown', () => {
  expect(closureOf(modules, ['agent-chat'])).toHaveLength(1);
  expect(weighClosure(modules, ['agent-chat'])).toBeLessThanOrEqual(ceilings.launcher + jitter);
});

test('the modules up to a finished answer have not grown', () => {
  expect(weighClosure(modules, ['agent-chat', 'runtime'])).toBeLessThanOrEqual(ceilings.answer + jitter);
});

test('modules that only some visits use load on demand', () => {
  const atOnce = closureOf(modules, ['agent-chat', 'runtime']).map(({ name }) => name);
  const names = modules.map(({ name }) => name);
  for (const name of ['code', 'de', 'decode', 'files', 'forms', 'items', 'search', 'steps', 'tools']) {
    expect(names).toContain(name);
    expect(atOnce).not.toContain(name);
  }
});

test('modules that the launcher loads before the panel do not import the panel', () => {
  for (const name of ['locale', 'host-page'])
    expect(closureOf(modules, [name]).map((part) => part.name)).not.toContain('runtime');
});

test('what mends a broken connection, other turns, and the declaration of page tools need no code of contents', () => {
  for (const name of ['recovery', 'tools', 'other-tabs', 'page-tools']) {
    const needed = closureOf(modules, [name]).map((part) => part.name);
    for (const content of ['items', 'forms', 'files', 'decisions', 'search', 'code'])
      expect(needed, name).not.toContain(content);
  }
});

test('no two modules have the same name apart from the hash', () => {
  const names = modules.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('what every chat runs asks the engine to compile it while it loads', () => {
  for (const { file, name } of closureOf(modules, ['agent-chat', 'runtime']))
    expect(readFileSync(`${root}dist/${file}`, 'utf8'), name).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
});
