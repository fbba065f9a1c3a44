// Brings peers from the package registry into a folder of their own, which is gone when the process ends: they are
// measured, never depended on.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { peers } from './list.js';

const run = promisify(execFile);

/**
 * Installs and bundles peers.
 * @param {{ name: string, version?: string }[]} wanted
 * @returns {Promise<{ folder: string, versions: Record<string, string> }>} `folder` has one of each peer's name with
 *   what its page loads; `versions` says what came
 * @throws {Error} that says what to do, when the registry does not give them
 */
export async function installPeers(wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-chat-peers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const versions = {};
  for (const { name, version } of wanted) {
    const place = join(folder, 'installed', name);
    mkdirSync(place, { recursive: true });
    await install(name, version, place);
    versions[name] = JSON.parse(
      readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8'),
    ).version;
    await bundle(name, place, join(folder, 'pages', name));
  }
  return { folder: join(folder, 'pages'), versions };
}

async function install(name, version, place) {
  const [own, ...others] = peers[name].packages;
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const packages = [version ? `${own}@${version}` : own, ...others];
  try {
    await run('npm', ['install', ...options, ...patience, '--prefix', place, ...packages], { cwd: place });
  } catch (error) {
    throw new Error(explainFailure(packages[0], error.stderr || error.message), { cause: error });
  }
}

/** npm's codes for a registry that does not answer. */
const unreachable =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|E\w*TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|E5\d\d)$/;

/**
 * What to do when npm has failed.
 * @param {string} wanted name or name@version
 * @param {string} output what npm said
 */
export function explainFailure(wanted, output) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1];
  if (code === 'E404' || code === 'ETARGET') {
    return `The package registry has no ${wanted}. Name another version, or none for the newest.`;
  }
  if (unreachable.test(code)) {
    return `${wanted} could not be installed: the package registry cannot be reached (${code}). Check the network and npm's registry setting, or run the bench without --peers.`;
  }
  return `${wanted} could not be installed:\n${output.trim()}`;
}

/** As a customer's bundler would: production, minified. */
async function bundle(name, place, outDir) {
  const entry = join(place, 'entry.js');
  writeFileSync(entry, peers[name].entry);
  await build({
    root: place,
    base: './',
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: () => `${name}.js`, cssFileName: name },
      rolldownOptions: { output: { minify: true, chunkFileNames: '[name]-[hash].js' } },
    },
  });
}
