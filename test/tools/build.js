// Builds the embed script, library, type declarations, service and demo into dist/, and prints the sizes of the script.
// `node test/tools/build.js script service` builds only those; `--quiet` prints two lines.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { customElementsManifest, htmlCustomData } from './reference-tables.js';
import { readReference } from './reference.js';
import { sizeTable } from './sizes.js';

const all = ['script', 'library', 'service', 'demo', 'docs'];
const words = process.argv.slice(2);
const isQuiet = words.includes('--quiet');
const named = words.filter((word) => !word.startsWith('--'));
const wanted = named.length > 0 ? named : [...all, 'types'];
const startedAt = Date.now();
if (isQuiet) console.log('Building the widget, the service and the playground …');
const compiler = 'node_modules/@typescript/native/bin/tsc';

if (wanted.includes('script')) {
  rmSync('dist/agent-chat.js', { force: true });
  rmSync('dist/chunks', { recursive: true, force: true });
}
for (const mode of all) {
  if (!wanted.includes(mode)) continue;
  if (mode === 'demo' && !existsSync('demo/index.html')) continue;
  // the library's entries export what the widget loads on demand
  const checks = { pluginTimings: false, ineffectiveDynamicImport: mode !== 'library' };
  const rolldownOptions = { checks };
  await build({ mode, logLevel: isQuiet ? 'error' : 'warn', build: { rolldownOptions } });
}
if (wanted.includes('types')) {
  rmSync('dist/types', { recursive: true, force: true });
  // only emit: `npm run check:types` checks the types, and --noCheck halves the time
  execFileSync(process.execPath, [compiler, '-p', 'test/tools/types.tsconfig.json', '--noCheck'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync('dist/agent-chat.d.ts', 'export {};\n');
}
if (wanted.includes('library')) {
  mkdirSync('dist', { recursive: true });
  const reference = await readReference();
  writeFileSync('dist/custom-elements.json', `${JSON.stringify(customElementsManifest(reference))}\n`);
  writeFileSync('dist/html-custom-data.json', `${JSON.stringify(htmlCustomData(reference), null, 1)}\n`);
}
if (isQuiet) console.log(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
else if (wanted.includes('script')) console.log(sizeTable('dist'));
