/**
 * Makes the libraries that the built service imports dependencies, at the versions the project is built with, so that
 * pruning what is for development leaves them in place. For images only; not for the package that is published.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);
const service = new URL('../../dist/service/', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
for (const name of importedBy(service)) {
  const version = manifest.devDependencies[name];
  if (version === undefined) continue;
  manifest.dependencies[name] = version;
  Reflect.deleteProperty(manifest.devDependencies, name);
}
delete manifest.peerDependencies;
delete manifest.peerDependenciesMeta;
writeFileSync(file, JSON.stringify(manifest, null, 2) + '\n');

function importedBy(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  const imports = scripts.flatMap((name) => [
    ...withoutComments(readFileSync(new URL(name, folder), 'utf8')).matchAll(
      /(?:from|import)\s*\(?\s*["']((?:@[\w-]+\/)?[\w-]+)/g,
    ),
  ]);
  return new Set(imports.map(([, name]) => name));
}

function withoutComments(text) {
  return text.replace(/^\s*\*.*$/gm, '');
}
