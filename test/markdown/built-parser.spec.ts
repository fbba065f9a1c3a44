import { expect, test } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, loadConfigFromFile, type Plugin } from 'vite';
import * as source from '../../src/markdown/index.ts';
import { corpus } from '../tools/corpora.ts';
import { samples } from './samples.ts';

/*
 * The script replaces the dependencies of markdown-it by a small file of ours. This builds the parser alone in the same
 * way; it must read every text as the unchanged one does.
 */
const steps = ['parser-dependencies'];
const folder = mkdtempSync(join(tmpdir(), 'parser-'));

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function builtParser(): Promise<typeof source> {
  const config = await loadConfigFromFile({ command: 'build', mode: 'script' });
  const plugins = (config?.config.plugins ?? []).flat() as Plugin[];
  const own = plugins.filter(({ name }) => steps.includes(name));
  expect(own.map(({ name }) => name)).toEqual(steps);
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    plugins: own,
    build: {
      outDir: folder,
      target: 'es2022',
      lib: { entry: { runtime: join(process.cwd(), 'src/markdown/index.ts') }, formats: ['es'] },
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  return (await import(pathToFileURL(join(folder, 'runtime.mjs')).href)) as typeof source;
}

test('the parser as the script carries it reads every text as the whole one does, whole and in pieces', async () => {
  const built = await builtParser();
  await Promise.all([source.loadEntities(), built.loadEntities()]);
  const texts = [
    ...samples,
    ...['commonmark', 'gfm'].flatMap(
      (name) => corpus<{ readonly markdown: string }>(name)?.cases.map(({ markdown }) => markdown) ?? [],
    ),
  ];
  for (const text of texts) {
    const blocks = source.parseDocument(text);
    expect(built.parseDocument(text), text).toEqual(blocks);
    const inPieces = ({ MarkdownStream }: typeof source): readonly source.Block[] => {
      const stream = new MarkdownStream();
      for (let end = 3; end < text.length; end += 3) stream.update(text.slice(0, end), { open: true });
      stream.update(text, { open: false });
      return stream.blocks;
    };
    expect(inPieces(built), text).toEqual(inPieces(source));
  }
  expect(texts.length).toBeGreaterThan(samples.length - 1);
});
