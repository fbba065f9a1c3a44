// Packs the two packages of this repository: `npm run pack`, or `npm run pack -- FOLDER [@SCOPE]`. Needs a build, which
// npm starts before (`prepack`). The packages as folders are in `.staged` of that folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { placeholdersIn } from './addresses.js';
import { stagePackages } from './stage-packages.js';

const destination = resolve(process.argv[2] ?? 'dist/packages');
const packages = await stagePackages(join(destination, '.staged'), process.argv[3]);
for (const { folder } of packages) {
  const words = ['pack', '--json', '--pack-destination', destination];
  const [{ filename, size, unpackedSize }] = JSON.parse(execFileSync('npm', words, { cwd: folder }));
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  console.log(`${destination}/${filename}  ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked`);
}
const unset = placeholdersIn(JSON.parse(readFileSync('package.json', 'utf8')));
if (unset.length > 0)
  console.warn(`Before you publish, set ${unset.join(', ')} in package.json: demo/docs/publish.md`);
