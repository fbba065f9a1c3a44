import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { colourTokens, measureTokens } from '../src/widget/theme/tokens.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** Who may import whom; a room may always import itself. */
const rooms: Record<string, readonly string[]> = {
  protocol: [],
  client: ['protocol'],
  conversation: ['protocol'],
  session: ['protocol', 'client', 'conversation'],
  markdown: [],
  widget: ['conversation', 'session', 'markdown', 'protocol', 'client'],
  embed: ['widget'],
  react: ['widget'],
  vue: ['widget'],
  svelte: ['widget'],
  service: ['protocol', 'verify'],
  verify: ['protocol', 'client'],
};
const withoutDom = ['protocol', 'client', 'conversation', 'session', 'markdown', 'service', 'verify'];
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }));

function imports(text: string): { specifier: string; typeOnly: boolean }[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)(\s+type)?[^;'"]*?from\s*'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? '',
    typeOnly: Boolean(match[1]),
  }));
}

test('each room imports only the rooms it may', () => {
  const wrong: string[] = [];
  for (const { file, text } of files) {
    const room = file.split('/')[0] ?? '';
    expect(Object.keys(rooms), `${file} stands in no room`).toContain(room);
    for (const { specifier } of imports(text)) {
      if (!specifier.startsWith('.')) continue;
      const other = relative(root, resolve(root, dirname(file), specifier)).split('/')[0] ?? '';
      if (other !== room && !rooms[room]?.includes(other)) wrong.push(`${file} imports ${specifier}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the widget meets the client only at its composition root', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      file.startsWith('widget/') &&
      !['widget/runtime.ts', 'widget/token.ts'].includes(file) &&
      imports(text).some(({ specifier, typeOnly }) => specifier.includes('/client/') && !typeOnly),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('rooms without a page touch neither DOM nor Lit', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      withoutDom.includes(file.split('/')[0] ?? '') &&
      (/\b(document|window)\.(body|create|query|get|add|document|location|head)|HTMLElement|customElements|localStorage|sessionStorage/.test(
        text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ) ||
        imports(text).some(({ specifier }) => /^(lit|@lit)/.test(specifier))),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('only the service uses Node', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      !file.startsWith('service/') && imports(text).some(({ specifier }) => specifier.startsWith('node:')),
  );
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('no file is longer than 400 lines', () => {
  const long = files.filter(({ text }) => text.split('\n').length > 401).map(({ file }) => file);
  expect(long).toEqual([]);
});

test('no string ever becomes HTML or code', () => {
  const pattern =
    /unsafeHTML|unsafeSVG|\.innerHTML|\.outerHTML|insertAdjacentHTML|DOMParser|styleMap|new Function|[^.\w]eval\(/;
  const wrong = files.filter(({ text }) => pattern.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')));
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('every private token is read somewhere: each is worked out for every panel', () => {
  const all = files.map(({ text }) => text).join('');
  const tokens = [...Object.keys(colourTokens), ...Object.keys(measureTokens)];
  expect(tokens.filter((token) => !all.includes(`var(${token})`) && !all.includes(`var(${token},`))).toEqual(
    [],
  );
});

test('every private token that a style reads is declared', () => {
  const declared = new Set([...Object.keys(colourTokens), ...Object.keys(measureTokens)]);
  const wrong: string[] = [];
  for (const { file, text } of files.filter(({ file: name }) => name.startsWith('widget/'))) {
    const local = new Set(
      [...text.matchAll(/(--_[\w-]+)\s*:|'(--_[\w-]+)'/g)].map((found) => found[1] ?? found[2]),
    );
    for (const [, token = ''] of text.matchAll(/var\(\s*(--_[\w-]+)(?=\s*\))/g)) {
      if (!declared.has(token) && !local.has(token)) wrong.push(`${file}: ${token}`);
    }
  }
  expect(wrong).toEqual([]);
});
