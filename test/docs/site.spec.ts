import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import manifest from '../../package.json' with { type: 'json' };
import { readPages, unlistedGroup } from '../tools/docs-site/pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = `${root}dist/demo/docs/`;
test.skip(!existsSync(`${site}index.html`), 'the site is not built: npm run build');

const names = (): string[] => readdirSync(site).filter((file) => file.endsWith('.html'));
const read = (file: string): string => readFileSync(site + file, 'utf8');

test('the table of contents lists every document, with a description', () => {
  const pages = readPages();
  expect(pages.filter(({ group }) => group === unlistedGroup).map(({ name }) => name)).toEqual([]);
  expect(pages.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
  expect(names().sort()).toEqual(pages.map(({ name }) => `${name}.html`).sort());
});

test('every link of every page leads to a page, an anchor, a file of the repository, or another host', () => {
  const repository = ['blob', 'tree'].map((kind) => manifest.homepage.replace(/#.*$/, `/${kind}/main/`));
  const ids = new Map(
    names().map((file) => [file, [...read(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
  );
  const dead: string[] = [];
  for (const file of names()) {
    for (const [, target = ''] of read(file).matchAll(/ (?:href|src)="([^"]+)"/g)) {
      // the playground of a reader may be on another port
      if (/^http:\/\/(localhost|127)/.test(target)) dead.push(`${file}: ${target}`);
      const hosted = repository.find((address) => target.startsWith(address));
      if (hosted && !existsSync(root + target.slice(hosted.length))) dead.push(`${file}: ${target}`);
      if (/^(https?|mailto):/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const there = path === '' || existsSync(site + path);
      const anchored = anchor === undefined || (ids.get(path || file) ?? []).includes(anchor);
      if (!there || !anchored) dead.push(`${file}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('no page has two elements with the same id', () => {
  for (const file of names()) {
    const ids = [...read(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      file,
    ).toEqual([]);
  }
});

test('a page with its style and script weighs at most 100 kB, uncompressed', () => {
  const shared = ['site.css', 'site.js', 'scheme.js'].reduce((sum, file) => sum + read(file).length, 0);
  for (const file of names()) expect(read(file).length + shared, file).toBeLessThan(100_000);
});

test('no page has a style or script that its own policy blocks', () => {
  for (const file of names()) {
    expect(read(file), file).not.toMatch(/<[^>]+ style=|<style|<script(?![^>]* src=)/);
    expect(read(file), file).toContain("style-src 'self'");
  }
  expect(read('measured.html')).toContain('<td class="right">');
});

test('no comment, placeholder or unrendered table is left in a page', () => {
  for (const file of names())
    expect(read(file).replace('<!doctype', ''), file).not.toMatch(/<!|&lt;!--|^\|.*\|$/m);
});

test('the texts for language models hold every document', () => {
  const pages = readPages();
  const list = read('../llms.txt');
  const full = read('../llms-full.txt');
  for (const { name, title } of pages) {
    expect(full, name).toContain(`# ${title}\n`);
    if (name !== 'index') expect(list, name).toContain(`(docs/${name}.md)`);
  }
});

test('live examples play recordings that are there, and know only settings of the widget', () => {
  const settings = read('settings.md');
  const examples = names().flatMap((file) =>
    [...read(file).matchAll(/data-chat="([^"]+)"/g)].map(([, text = '']) => text.replaceAll('&quot;', '"')),
  );
  expect(examples.length).toBeGreaterThan(3);
  for (const text of examples) {
    const attributes = JSON.parse(text) as Record<string, string>;
    expect(existsSync(site + (attributes['replay'] ?? '')), text).toBe(true);
    for (const name of Object.keys(attributes)) expect(settings).toContain(`| \`${name}\` |`);
  }
});
