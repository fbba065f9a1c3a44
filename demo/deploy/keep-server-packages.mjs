/**
 * Makes the libraries that the built service imports dependencies, at the versions the project is built with, so that
 * pruning what is for development leaves them in place. For images only; not for the package that is published.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importsOf } from '../../test/tools/stage-packages.js';

const file = new URL('../../package.json', import.meta.url);
const service = new URL('../../dist/service/', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
for (const name of importsOf(fileURLToPath(service), '.js')) {
  const version = manifest.devDependencies[name];
  if (version === undefined) continue;
  manifest.dependencies[name] = version;
  Reflect.deleteProperty(manifest.devDependencies, name);
}
delete manifest.peerDependencies;
delete manifest.peerDependenciesMeta;
writeFileSync(file, JSON.stringify(manifest, null, 2) + '\n');
