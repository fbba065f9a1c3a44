import { spawn, type ChildProcess } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { pack, root, runIn, type Packed } from '../package/pack.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { freePort } from '../tools/free-port.ts';
import { PageServer } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

test.describe.configure({ timeout: 600_000 });

/** INSTALLS=1 installs from scratch, which needs a registry and minutes, and prints the rows of demo/docs/starters.md. */
const installs = process.env['INSTALLS'] ? test : test.skip;
const secret = 'a secret of at least thirty-two characters';

interface App {
  /** Starter that the app begins as; without one, an app of a page and a script. */
  readonly starter?: string;
  /** Oldest Node that the framework's own manifests accept. */
  readonly node: number;
  /** Versions that differ from those of the starter, or all packages of an app without one. */
  readonly packages: Readonly<Record<string, string>>;
  /** Files beside those of the starter. */
  readonly files?: Readonly<Record<string, string>>;
  readonly build?: readonly string[];
  /** Starts the app on the port; without it, the files of `folder` are served as they are. */
  readonly start?: (port: string) => readonly string[];
  readonly folder?: string;
}

const entry = "import 'agent-chat';";
const html = (script: string): string =>
  `<!doctype html><html lang="en"><title>Harbour</title><h1>Harbour</h1>
<agent-chat base-url="http://localhost:8787" agent-id="demo" token-url="http://localhost:8787/demo/token"></agent-chat>
${script}`;
const bundle = {
  'src/main.js': entry,
  'dist/index.html': html('<script type="module" src="main.js"></script>'),
};
const start = (...words: string[]) => ({ start: () => words });
const npmStart = { build: ['npm', 'run', 'build'], ...start('npm', 'start') };
const previewOn = (port: string): string[] => ['npm', 'start', '--', '--port', port];

const apps: Readonly<Record<string, App>> = {
  'plain HTML, the script tag': {
    node: 20.19,
    packages: {},
    files: { 'index.html': html('<script async src="http://localhost:8787/agent-chat.js"></script>') },
    folder: '.',
  },
  'Vite 8': { starter: 'vite', node: 20.19, packages: {}, build: ['npm', 'run', 'build'], start: previewOn },
  'Next.js 16': { starter: 'next', node: 20.9, packages: {}, ...npmStart },
  'Next.js 15': { starter: 'next', node: 20.9, packages: { next: '^15.0.0' }, ...npmStart },
  'Nuxt 4': { starter: 'nuxt', node: 22.19, packages: {}, ...npmStart },
  'SvelteKit 3': { starter: 'sveltekit', node: 22.17, packages: {}, ...npmStart },
  'Angular 22': {
    starter: 'angular',
    node: 22.22,
    packages: {},
    build: ['npm', 'run', 'build'],
    folder: 'dist/app/browser',
  },
  'Astro 7': { starter: 'astro', node: 22.12, packages: {}, ...npmStart },
  'webpack 5': {
    node: 20.19,
    packages: { webpack: '^5.0.0', 'webpack-cli': '^6.0.0' },
    files: {
      ...bundle,
      'webpack.config.cjs':
        "module.exports = { entry: './src/main.js', mode: 'production', output: { filename: 'main.js' } };",
    },
    build: ['npx', 'webpack'],
    folder: 'dist',
  },
  esbuild: {
    node: 20.19,
    packages: { esbuild: '^0.27.0' },
    files: bundle,
    build: [
      'npx',
      ...'esbuild src/main.js --bundle --minify --splitting --format=esm --outdir=dist'.split(' '),
    ],
    folder: 'dist',
  },
  'esbuild, one file': {
    node: 20.19,
    packages: { esbuild: '^0.27.0' },
    files: bundle,
    build: ['npx', ...'esbuild src/main.js --bundle --minify --outfile=dist/main.js'.split(' ')],
    folder: 'dist',
  },
  'import map': {
    node: 20.19,
    packages: {},
    files: {
      'index.html': html(`<script type="importmap">
{ "imports": { "agent-chat": "/node_modules/agent-chat/dist/lib/agent-chat.js" } }
</script><script type="module">${entry}</script>`),
    },
    folder: '.',
  },
};

let packed: Packed;
let service: ServiceProcess;
test.beforeAll(async () => {
  if (!process.env['INSTALLS']) return;
  [packed, service] = await Promise.all([
    pack(),
    ServiceProcess.start({ JWT_SECRET: secret, RATE_LIMIT: '0' }),
  ]);
});
test.afterAll(async () => {
  if (!process.env['INSTALLS']) return;
  await Promise.all([service.stop(), rm(packed.folder, { recursive: true, force: true })]);
});

for (const [name, app] of Object.entries(apps)) {
  installs(`journey 6: installed into ${name} it builds and chats`, async ({ page }) => {
    test.skip(isOlderThan(app.node), `${name} needs Node ${app.node}`);
    const place = join(packed.folder, name.replace(/\W+/g, '-'));
    await writeApp(place, app);
    await run(place, ['npm', 'install', '--no-audit', '--no-fund']);
    if (app.build) await run(place, app.build);
    const site = await (app.start ? startSite(place, app.start) : serveFolder(join(place, app.folder ?? '')));
    try {
      const { atLoad, untilAnswer, failed } = await chatAndWeigh(page, site.origin);
      expect(failed).toEqual([]);
      console.log(`| ${name} | ${atLoad} | ${untilAnswer} |`);
    } finally {
      await site.stop();
    }
  });
}

function isOlderThan(needed: number): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = String(needed).split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

/** The files of an app in a fresh folder, with the addresses and the secret of the service under test. */
async function writeApp(place: string, { starter, packages, files = {} }: App): Promise<void> {
  await mkdir(place, { recursive: true });
  if (starter) await cp(`${root}demo/starters/${starter}`, place, { recursive: true });
  const own = starter
    ? (JSON.parse(await readFile(`${place}/package.json`, 'utf8')) as { dependencies: object })
    : { name: 'app', private: true, dependencies: {} };
  const dependencies = { ...own.dependencies, ...packages, 'agent-chat': `file:${packed.widget}` };
  await writeFile(`${place}/package.json`, JSON.stringify({ ...own, dependencies }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  if (existsSync(`${place}/.env.example`)) await cp(`${place}/.env.example`, `${place}/.env`);
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    const adapted = text.replaceAll('localhost:8787', `localhost:${service.port}`);
    await writeFile(path, adapted.replace(/(JWT_SECRET=)$/m, `$1"${secret}"`));
  }
}

async function run(place: string, [program = '', ...words]: readonly string[]): Promise<void> {
  const { good, output } = await runIn(place, program, words);
  expect(good, output.slice(-3000)).toBe(true);
}

interface Site {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

async function startSite(place: string, words: (port: string) => readonly string[]): Promise<Site> {
  const port = String(await freePort());
  const [program = '', ...rest] = words(port);
  const origin = `http://localhost:${port}`;
  const variables = existsSync(`${place}/.env`) ? await readFile(`${place}/.env`, 'utf8') : '';
  const settings = [...variables.matchAll(/^(\w+)="?(.*?)"?$/gm)].map(([, key, value]) => [key, value]);
  const child: ChildProcess = spawn(program, rest, {
    cwd: place,
    env: { ...process.env, ...Object.fromEntries(settings), PORT: port, HOST: 'localhost' },
    stdio: 'ignore',
    detached: true, // ends with its children
  });
  await expect
    .poll(async () => (await fetch(origin).catch(() => undefined))?.status, { timeout: 60_000 })
    .toBe(200);
  const stop = async (): Promise<void> => void process.kill(-(child.pid ?? 0), 'SIGKILL');
  return { origin, stop };
}

async function serveFolder(folder: string): Promise<Site> {
  const server = await PageServer.start();
  server.answer = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', server.origin);
    if (pathname === '/chat-token') {
      response.end(JSON.stringify({ token: await service.token() }));
      return true;
    }
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file) || !statSync(file).isFile()) return false;
    const type = extname(file) === '.html' ? 'text/html; charset=utf-8' : 'text/javascript';
    createReadStream(file).pipe(response.setHeader('content-type', type));
    return true;
  };
  return { origin: server.otherOrigin, stop: () => server.close() };
}

/** Opens the page, asks, and weighs the scripts (kB, brotli) before the chat opens and when the answer is complete. */
async function chatAndWeigh(
  page: Page,
  origin: string,
): Promise<{ atLoad: number; untilAnswer: number; failed: readonly string[] }> {
  const scripts = new Map<string, Promise<number>>();
  const failed: string[] = [];
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    const bytes = response.body().then((body) => brotliCompressSync(body).length);
    scripts.set(
      response.url(),
      bytes.catch(() => 0),
    );
  });
  page.on('requestfailed', (request) =>
    failed.push(`${request.url()} ${request.failure()?.errorText ?? ''}`),
  );
  page.on('console', (message) => {
    if (message.type() !== 'log' && message.type() !== 'debug') failed.push(message.text());
  });
  page.on('pageerror', (error) => failed.push(error.message));
  const weigh = async (): Promise<number> => {
    const sizes = await Promise.all(scripts.values());
    return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10;
  };
  await page.goto(origin, { waitUntil: 'networkidle' });
  const chat = new ChatPage(page);
  await chat.launcher.waitFor();
  const atLoad = await weigh();
  await chat.open();
  await chat.say('hello');
  await expect(chat.element.locator('agent-chat-turn-actions')).toHaveCount(1, { timeout: 30_000 });
  await expect.poll(() => chat.lastAnswer()).not.toBe('');
  await page.waitForLoadState('networkidle');
  return { atLoad, untilAnswer: await weigh(), failed };
}
