// Writes the copyright notices of the libraries in a build to a file next to it, as their licences require.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Where the notices are, in the directory of the build. */
export const noticesFile = 'third-party-notices.txt';

interface Package {
  readonly name: string;
  readonly version: string;
}

/** Directory of the package that a module belongs to. */
const packageOf = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * Directories of the packages that modules belong to, each once.
 * @param ids paths of modules, as a bundler names them
 */
export function packagesOf(ids: Iterable<string>): readonly string[] {
  const found = Array.from(ids, (id) => packageOf.exec(id)?.[1]);
  return [...new Set(found.filter((directory) => directory !== undefined))].sort();
}

/** Licences of packages that are published without theirs, copied from their repositories. */
const missingLicences: Readonly<Record<string, URL>> = {
  '@cfworker/json-schema': new URL('licences/cfworker-json-schema.txt', import.meta.url),
};

/**
 * Name, version and licence text of a package.
 * @throws Error when neither the package nor `missingLicences` has a licence
 */
export function noticeOf(directory: string): string {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Package;
  const own = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each));
  const file = own ? join(directory, own) : missingLicences[name];
  if (!file) throw new Error(`${name} ${version} has no licence beside its package.json`);
  return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

/** Writes the notices for a build, in its directory or another file. */
export function thirdPartyNotices(fileName = noticesFile): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const source = packagesOf(ids)
        .map(noticeOf)
        .join(`\n${'-'.repeat(80)}\n\n`);
      if (source) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
