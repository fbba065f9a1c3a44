// Finds a Chromium that starts, in the order of demo/docs/develop.md. Each step returns a path or nothing.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Arguments of a headless Chromium on a minimal machine. The sandbox is off only for root, which cannot use it. */
export const browserArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  // requests to other hosts go through this proxy, if one is set: see block-external-requests.ts
  ...(process.env.BLOCKING_PROXY ? [`--proxy-server=${process.env.BLOCKING_PROXY}`] : []),
];

const named = () => process.env.CHROME_PATH;
/** Ways to a headless shell. */
const shells = [
  () => systemBrowser(['chromium-headless-shell', 'chrome-headless-shell']),
  () => debianBrowser('chromium-headless-shell'),
];
/** Ways to a whole browser. */
const browsers = [
  playwrightBrowser,
  () => systemBrowser(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  () => '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  packagedBrowser,
  () => debianBrowser('chromium'),
  downloadedBrowser,
];

/** What was found: any browser, a whole one. */
const found = new Map();

/**
 * The path of a browser that starts. A headless shell is preferred: it is the same engine, without the processes and
 * services of a window, and takes a quarter less of the processor.
 * @param {{ isWhole?: boolean }} options `isWhole`: no headless shell, for what it lacks (a back/forward cache)
 * @returns {Promise<string>} absolute path
 * @throws {Error} with the one thing to install, when there is none
 */
export function findBrowser({ isWhole = false } = {}) {
  if (!found.has(isWhole)) found.set(isWhole, search(isWhole));
  return found.get(isWhole);
}

async function search(isWhole) {
  for (const step of [named, ...(isWhole ? [] : shells), ...browsers]) {
    try {
      const path = await step();
      if (path && isWhole && /headless.shell/.test(path)) continue;
      if (path && (await starts(path))) return path;
      if (path && step === named) {
        console.error(`CHROME_PATH (${path}) does not start; looking elsewhere.`);
      }
    } catch {
      // this step found none
    }
  }
  throw new Error(
    'No browser found. Install Chromium (Debian: apt-get install chromium) or set CHROME_PATH to a Chrome or Chromium.',
  );
}

async function starts(path) {
  if (!existsSync(path)) return false;
  try {
    await run(path, ['--version'], { timeout: 15_000 });
    return true;
  } catch {
    return false;
  }
}

async function playwrightBrowser() {
  const { chromium } = await import('playwright');
  return chromium.executablePath();
}

function systemBrowser(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
    }
  }
  return undefined;
}

async function packagedBrowser() {
  try {
    require.resolve('@sparticuz/chromium/package.json');
  } catch {
    return undefined;
  }
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}

function debianBrowser(name) {
  if (!process.env.CI || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.error(`Installing Debian’s ${name}, since CI is set (CHROME_PATH can name a browser) …`);
  const quiet = { stdio: 'ignore', timeout: 120_000 };
  execFileSync('apt-get', ['update'], quiet);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], quiet);
  return `/usr/bin/${name}`;
}

async function downloadedBrowser() {
  console.error('No browser found (CHROME_PATH can name one): downloading Chromium, for up to a minute …');
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore', timeout: 60_000 });
  return playwrightBrowser();
}
