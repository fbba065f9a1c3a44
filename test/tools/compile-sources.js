import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outdir = join(root, 'node_modules/.cache/compiled-sources');

/**
 * Makes the imports of Playwright's tests load `src` and `demo` as esbuild compiles them. Playwright's own compiler
 * replaces private members by WeakMaps: the unit tests then take half as much processor time again.
 */
export async function compileSources() {
  // the workers start later, and find the files of the first process
  if (process.env.SOURCES_COMPILED !== '1') {
    await compile();
    process.env.SOURCES_COMPILED = '1';
  }
  register('./compiled-sources-hook.js', import.meta.url, {
    data: { root: pathToFileURL(join(root, '/')).href, compiled: pathToFileURL(join(outdir, '/')).href },
  });
}

async function compile() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src', 'demo'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    ),
    outbase: root,
    outdir,
    write: false,
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: [ownAddress],
    logLevel: 'error',
  });
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // another run may read it now
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
}

/** A source asks for the files beside it, which are not beside the compiled file. */
const ownAddress = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};
