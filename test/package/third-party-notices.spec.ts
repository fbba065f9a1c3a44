import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { noticeOf, noticesFile, packagesOf } from '../tools/third-party-notices.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the licences of the libraries in the script are next to it', () => {
  const notices = read(`dist/${noticesFile}`);
  for (const name of ['lit-html', '@lit/reactive-element', '@lit/context', 'entities'])
    expect(notices).toContain(read(`node_modules/${name}/LICENSE`).trim());
  expect(notices).toContain(read('test/tools/licences/cfworker-json-schema.txt').trim());
  expect(notices).not.toContain('markdown-it');
});

test('the licences of the libraries in the package for bundlers are next to it', () => {
  const notices = read(`dist/lib/${noticesFile}`);
  for (const name of ['lit-html', '@lit/reactive-element', '@lit/context', '@lit/react', 'entities'])
    expect(notices).toContain(read(`node_modules/${name}/LICENSE`).trim());
  expect(notices).toContain(read('test/tools/licences/cfworker-json-schema.txt').trim());
  expect(notices).not.toContain('zod');
});

test('a package is found by its innermost directory, scoped or not', () => {
  const ids = [
    '/site/node_modules/@lit/react/create-component.js',
    '/site/node_modules/@lit/react/index.js',
    '/site/node_modules/lit/node_modules/lit-html/lit-html.js?used',
    '/site/src/widget/element/agent-chat.ts',
    '\0virtual',
  ];
  expect(packagesOf(ids)).toEqual([
    '/site/node_modules/@lit/react',
    '/site/node_modules/lit/node_modules/lit-html',
  ]);
});

test('a package without a licence stops the build', () => {
  const directory = mkdtempSync(join(tmpdir(), 'notices-'));
  writeFileSync(join(directory, 'package.json'), '{"name":"bare","version":"1.0.0"}');
  expect(() => noticeOf(directory)).toThrow('bare 1.0.0 has no licence beside its package.json');
  writeFileSync(join(directory, 'LICENSE'), 'Do as you like.\n');
  expect(noticeOf(directory)).toBe('bare 1.0.0\n\nDo as you like.\n');
  rmSync(directory, { recursive: true });
});
