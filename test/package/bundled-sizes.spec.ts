import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build, type Rollup } from 'vite';
import { languageNames } from '../../src/widget/i18n/locales/index.ts';
import { jitter, readModules, weigh, weighClosure } from '../tools/sizes.js';
import { isBuilt, root } from './pack.ts';

test.skip(!isBuilt, 'dist/ is not complete: npm run build');

let chunks: readonly Rollup.OutputChunk[] = [];
test.beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-chat-app-'));
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
  await writeFile(join(folder, 'main.js'), "import 'agent-chat';");
  const built = (await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'agent-chat': `${root}dist/lib/agent-chat.js` } },
    build: { write: false },
  })) as Rollup.RollupOutput; // one build, not watched
  chunks = built.output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
  await rm(folder, { recursive: true });
});

/** Files of a chunk and of everything that it imports statically. */
function closureOf(chunk: Rollup.OutputChunk | undefined): Rollup.OutputChunk[] {
  const found = new Set(chunk ? [chunk] : []);
  for (const { imports } of found)
    for (const each of chunks) if (imports.includes(each.fileName)) found.add(each);
  return [...found];
}

test('in an app built by Vite, the widget weighs hardly more than as a script, in few files', () => {
  const launcher = closureOf(chunks.find(({ isEntry }) => isEntry));
  const panel = closureOf(chunks.find(({ fileName }) => /\/panel-/.test(fileName)));
  const answer = [...new Set([...launcher, ...panel])];
  const inApp = (files: readonly Rollup.OutputChunk[]): number =>
    files.reduce((sum, { code }) => sum + weigh(code), 0);
  expect(panel.length).toBeGreaterThan(0);
  expect(answer.length).toBeLessThanOrEqual(4);
  const modules = readModules(`${root}dist`);
  const asScript = (names: readonly string[]): number => weighClosure(modules, names);
  // Vite's helper for imports, and exports for the panel
  expect(inApp(launcher)).toBeLessThanOrEqual(asScript(['agent-chat']) + 0.7);
  // both weights jump with any change of the code
  expect(inApp(answer)).toBeLessThanOrEqual(asScript(['agent-chat', 'runtime']) + 1.9 + 2 * jitter);
  const languages = new RegExp(`/(${languageNames.join('|')})\\d*-`, 'i');
  expect(chunks.filter(({ fileName }) => !languages.test(fileName)).length).toBeLessThan(35);
});

test('what the launcher loads before the panel does not import the panel', () => {
  for (const name of ['locale', 'host-page']) {
    const part = chunks.find(({ fileName }) => fileName.includes(`/${name}-`));
    expect(part, name).toBeDefined();
    expect(closureOf(part).map(({ fileName }) => fileName)).not.toContainEqual(
      expect.stringMatching(/\/panel-/),
    );
  }
});
