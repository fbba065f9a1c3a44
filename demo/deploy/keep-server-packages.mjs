/**
 * Turns the optional peers that the service needs into dependencies, at the versions the project is built with, so that
 * pruning what is for development leaves them in place. For images only; not for the package that is published.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const uiOnly = new Set(['react', 'vue']);
for (const name of Object.keys(manifest.peerDependencies ?? {})) {
  const version = manifest.devDependencies[name];
  if (version === undefined || uiOnly.has(name)) continue;
  manifest.dependencies[name] = version;
  delete manifest.devDependencies[name];
}
delete manifest.peerDependencies;
delete manifest.peerDependenciesMeta;
writeFileSync(file, JSON.stringify(manifest, null, 2) + '\n');
