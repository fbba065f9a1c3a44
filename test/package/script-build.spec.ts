import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { loadConfigFromFile, type Plugin } from 'vite';
import { root } from './pack.ts';

/** The transform of one of the build's plugins. */
async function step(name: string): Promise<(code: string, file: string) => unknown> {
  const config = await loadConfigFromFile({ command: 'build', mode: 'script' });
  const plugin = ((config?.config.plugins ?? []).flat() as Plugin[]).find((one) => one.name === name);
  const transform = plugin?.transform;
  if (typeof transform !== 'function') throw new Error(`the build has no step ${name}`);
  const context = {
    error: (message: string) => {
      throw new Error(message);
    },
  };
  return (code, file) => Reflect.apply(transform, context, [code, `${root}node_modules/${file}`]);
}

const files = [
  '@lit/reactive-element/reactive-element.js',
  '@lit/reactive-element/css-tag.js',
  'lit-element/lit-element.js',
  'lit-html/lit-html.js',
];

test('Lit in the script adds nothing to the page’s global object', async () => {
  const transform = await step('private-lit');
  for (const file of files) {
    const code = await readFile(`${root}node_modules/${file}`, 'utf8');
    const made = transform(code, file) as { code: string };
    expect(made.code, file).not.toMatch(
      /(?<!notes\.)\b(lit\w*Versions|reactiveElementVersions|litPropertyMetadata)\b/,
    );
  }
});

test('Lit in the script calls nothing that the page has for its own copy', async () => {
  const transform = await step('private-lit');
  const hook = /(Polyfill|Hydrate)Support\b/;
  let hooks = 0;
  for (const file of files) {
    const code = await readFile(`${root}node_modules/${file}`, 'utf8');
    if (hook.test(code)) hooks += 1;
    expect((transform(code, file) as { code: string }).code, file).not.toMatch(hook);
  }
  expect(hooks).toBe(3);
});

test('the Trusted Types policy of Lit in the script is named agent-chat', async () => {
  const transform = await step('private-lit');
  const code = await readFile(`${root}node_modules/lit-html/lit-html.js`, 'utf8');
  expect((transform(code, 'lit-html/lit-html.js') as { code: string }).code).toContain(
    'createPolicy("agent-chat"',
  );
  const renamed = code.replace('"lit-html"', '"another-name"');
  expect(() => transform(renamed, 'lit-html/lit-html.js')).toThrow('policy');
});

test('the minifier of templates leaves packages alone, and prints nothing about them', async () => {
  const transform = await step('minify-literals');
  const printed: unknown[] = [];
  const { warn } = console;
  console.warn = (...words) => printed.push(words);
  try {
    for (const file of files) {
      const code = await readFile(`${root}node_modules/${file}`, 'utf8');
      expect(await transform(code, file), file).toBeUndefined();
    }
  } finally {
    console.warn = warn;
  }
  expect(printed).toEqual([]);
});
