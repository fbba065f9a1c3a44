// Builds what the bench runs: the script-tag widget, and the parser the usual way uses.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function buildForBench() {
  execFileSync(process.execPath, ['test/tools/build.js', 'script'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: `${root}/dist/bench`,
      emptyOutDir: true,
      lib: {
        entry: `${root}/node_modules/markdown-it/dist/markdown-it.mjs`,
        formats: ['es'],
        fileName: () => 'markdown-it.js',
      },
    },
  });
}
