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

const steps = [
  ['CHROME_PATH', () => process.env.CHROME_PATH],
  ['a browser of Playwright', playwrightBrowser],
  ['a browser of the system', systemBrowser],
  ['a browser inside an installed package', packagedBrowser],
  ['Debian’s chromium', debianBrowser],
  ['a download by Playwright', downloadedBrowser],
];

let found;

/**
 * The path of a browser that starts.
 * @returns {Promise<string>} absolute path
 * @throws {Error} with the one thing to install, when there is none
 */
export function findBrowser() {
  found ??= search();
  return found;
}

async function search() {
  for (const [name, step] of steps) {
    try {
      const path = await step();
      if (path && (await starts(path))) return path;
      if (path && name === 'CHROME_PATH') {
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

function systemBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
    }
  }
  return ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find((path) => existsSync(path));
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

function debianBrowser() {
  if (!process.env.CI || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.error(
    'No browser found (CHROME_PATH can name one): installing Debian’s chromium, since CI is set …',
  );
  const quiet = { stdio: 'ignore', timeout: 300_000 };
  execFileSync('apt-get', ['update'], quiet);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet);
  return '/usr/bin/chromium';
}

async function downloadedBrowser() {
  console.error('No browser found (CHROME_PATH can name one): downloading Chromium, for up to a minute …');
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore', timeout: 60_000 });
  return playwrightBrowser();
}
