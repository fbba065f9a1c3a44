import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { loadConfigFromFile, type Plugin } from 'vite';
import { root } from './pack.ts';

/** A step of the script's build, with its one transform to be called as the bundler would. */
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

test('what the script leaves out of Lit is there to be left out', async () => {
  const slim = await step('slim-lit');
  for (const file of files) {
    const code = await readFile(`${root}node_modules/${file}`, 'utf8');
    const made = slim(code, file) as { code: string };
    expect(made.code.length, file).toBeLessThan(code.length);
    expect(made.code, file).not.toMatch(/Versions\b|PolyfillSupport|litPropertyMetadata/);
  }
});

for (const [file, part] of [
  ['@lit/reactive-element/reactive-element.js', 'reactiveElementVersions'],
  ['@lit/reactive-element/reactive-element.js', 'useDefault:!1,'],
  ['@lit/reactive-element/css-tag.js', 'ShadyCSS'],
  ['lit-element/lit-element.js', 'litElementHydrateSupport'],
  ['lit-html/lit-html.js', 'litHtmlPolyfillSupport'],
] as const) {
  test(`a Lit that writes ${part} otherwise stops the build of the script`, async () => {
    const slim = await step('slim-lit');
    const code = await readFile(`${root}node_modules/${file}`, 'utf8');
    expect(code).toContain(part);
    expect(() => slim(code.replaceAll(part, 'other'), file)).toThrow(/no longer has/);
  });
}
