// Writes an SBOM (CycloneDX) of each package beside its tarball: `npm run sbom`, after `npm run pack`. The versions are
// those of package-lock.json, with which the packages are tested.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const packages = resolve(process.argv[2] ?? 'dist/packages');
const { overrides } = JSON.parse(readFileSync('package.json', 'utf8'));

for (const name of readdirSync(join(packages, '.staged'))) {
  const work = mkdtempSync(join(tmpdir(), 'agent-chat-sbom-'));
  const folder = join(work, name); // npm names the SBOM after it
  mkdirSync(folder);
  const manifest = JSON.parse(readFileSync(join(packages, '.staged', name, 'package.json'), 'utf8'));
  // optional peers are not installed with the package
  const { peerDependencies: _peers, peerDependenciesMeta: _meta, ...own } = manifest;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, overrides }));
  copyFileSync('package-lock.json', join(folder, 'package-lock.json'));
  copyFileSync('.npmrc', join(folder, '.npmrc'));
  const npm = (...words) => execFileSync('npm', words, { cwd: folder, maxBuffer: 100_000_000 });
  npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  const sbom = npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--package-lock-only');
  const file = join(packages, `${name}.cdx.json`);
  writeFileSync(file, sbom);
  rmSync(work, { recursive: true });
  console.log(`${file}  ${JSON.parse(sbom).components.length} components`);
}
