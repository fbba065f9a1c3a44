import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { serverPackages } from '../../src/service/errors/server-packages.ts';
import { isBuilt, pack, root, runIn } from './pack.ts';

test.skip(!isBuilt, 'dist/ is not complete: npm run build');

interface Manifest {
  readonly main: string;
  readonly types: string;
  readonly unpkg: string;
  readonly jsdelivr: string;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
  readonly exports: Record<string, string | { readonly default: string; readonly types: string }>;
}
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Manifest;

test('publint and are-the-types-wrong find nothing in the packed tarball', async () => {
  test.setTimeout(120_000);
  const { tarball, folder } = await pack();
  const publint = await runIn(root, 'npx', ['publint', 'run', tarball, '--strict']);
  expect(publint.output).toContain('All good!');
  const types = await runIn(root, 'npx', [
    'attw',
    tarball,
    '--profile',
    'esm-only',
    '--no-color',
    '--no-emoji',
  ]);
  expect(types.output).not.toMatch(/^(node16 \(from ESM\)|bundler): (?!OK|\(wildcard\))/m);
  expect(types.good).toBe(true);
  await rm(folder, { recursive: true });
});

test('Lit and zod are not bundled, so a host’s own copies are used', () => {
  const ranged = Object.entries(manifest.dependencies).filter(([, range]) => range.startsWith('^'));
  expect(ranged.map(([name]) => name).sort()).toEqual(['@lit/context', 'lit', 'zod']);
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  expect(lock.packages['']?.dependencies).toEqual(manifest.dependencies);
});

test('the package contains no builds of benchmarks and tests', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 20_000_000,
  });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  const rooms = new Set(packed?.files.map(({ path }) => path.split('/').slice(0, 2).join('/')));
  expect([...rooms].filter((room) => !/\.(js|ts|json)$/.test(room)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'demo/docs',
    'demo/shots',
    ...['chunks', 'demo', 'lib', 'service', 'third-party-notices.txt', 'types'].map((name) => `dist/${name}`),
  ]);
});

test('links of the packaged documents lead to packaged documents', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 20_000_000,
  });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  const files = packed?.files.map(({ path }) => path) ?? [];
  const dead = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(/\]\(([^):#\s]+\.md)/g)].map(([, target = '']) =>
        posix.join(posix.dirname(file), target),
      ),
    )
    .filter((target) => !files.includes(target));
  expect(dead).toEqual([]);
});

test('every entry of the package can be imported in Node and registers no element', async () => {
  const entries = Object.entries(manifest.exports)
    .filter(([name, target]) => typeof target === 'object' && !name.includes('*') && !name.endsWith('.js'))
    .map(([name]) => name.replace('.', 'agent-chat'));
  expect(entries).toContain('agent-chat/react');
  const script = `for (const entry of ${JSON.stringify(entries)}) await import(entry);
    const { de } = await import('agent-chat/locales/de');
    console.log([typeof document, typeof HTMLElement, Object.keys(de).length > 100].join(' '));`;
  const { output, good } = await runIn(root, 'node', ['--input-type=module', '-e', script]);
  expect(output).toContain('undefined undefined true');
  expect(good).toBe(true);
});

test('tools that ignore exports find the element (bundlers) and the script (CDNs)', () => {
  const { main, types, unpkg, jsdelivr } = manifest;
  const { default: file, types: declared } = Object(manifest.exports['.']) as Record<string, string>;
  expect([main, types]).toEqual([file, declared]);
  for (const address of [unpkg, jsdelivr]) expect(address).toBe('./dist/agent-chat.js');
});

test('a React server component can import the React component', () => {
  expect(readFileSync(`${root}dist/lib/react.js`, 'utf8')).toMatch(/^['"]use client['"];/);
});

/** Passes `undefined` for optional values, and its own object with three methods as a storage. */
const serverProgram = `import { createAgentClient, type AgentClient, type RequestOptions } from 'agent-chat/client';
  import { areaStorage, ChatSession, type StorageArea } from 'agent-chat/conversation';
  export function open(baseUrl: string, area: StorageArea, signal?: AbortSignal, fetch?: typeof globalThis.fetch) {
    const client: AgentClient = createAgentClient({ baseUrl, fetch, tokenProvider: undefined });
    const options: RequestOptions = { signal };
    client.runStream({ message: { content: 'Hello' } }, { ...options, onOpen: undefined });
    const storage = areaStorage({ area: () => area, key: 'visitor', limit: undefined });
    return new ChatSession({ client, settings: () => ({}), storage, online: undefined });
  }`;

test('the types compile strictly for a page with the types of ES2020', async () => {
  test.setTimeout(120_000);
  const folder = `${root}test/.results/page-types`;
  await mkdir(folder, { recursive: true });
  await writeFile(
    `${folder}/page.ts`,
    `import 'agent-chat'; import 'agent-chat/client'; import 'agent-chat/conversation';`,
  );
  const options =
    '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --target es2020 --module esnext';
  const { output } = await runIn(root, 'npx', [
    'tsc',
    ...options.split(' '),
    ...['--moduleResolution', 'bundler', '--lib', 'es2020,dom,dom.iterable', `${folder}/page.ts`],
  ]);
  await rm(folder, { recursive: true });
  expect(output.match(/^.*error TS.*$/gm)).toBe(null);
});

test('client and session compile without DOM types', async () => {
  test.setTimeout(120_000);
  const folder = `${root}test/.results/server-types`; // inside the package, so that its own name resolves to it
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/server.ts`, serverProgram);
  const options =
    '--ignoreConfig --pretty false --noEmit --strict --exactOptionalPropertyTypes --target es2022';
  const { output } = await runIn(root, 'npx', [
    'tsc',
    ...options.split(' '),
    ...['--lib', 'es2022', '--types', 'node', '--module', 'nodenext', `${folder}/server.ts`],
  ]);
  await rm(folder, { recursive: true });
  expect(output.match(/^.*error TS.*$/gm)).toBe(null);
});

function importsOf(folder: string): string[] {
  const names = new Set<string>();
  for (const file of readdirSync(root + folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(`${root}${folder}/${file}`, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*["']([^."'][^"']*)["']/g)) {
      if (!name.startsWith('node:') && !builtinModules.includes(name) && /^[@a-z][\w@./-]*$/.test(name))
        names.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return [...names].sort();
}

test('the imports of widget, client and session are exactly the dependencies', () => {
  const imported = importsOf('dist/lib').filter((name) => name !== 'react');
  expect(imported.filter((name) => !Object.hasOwn(manifest.dependencies, name))).toEqual([]);
  expect(Object.keys(manifest.dependencies).filter((name) => !imported.includes(name))).toEqual([]);
});

test('further imports of the service are in serverPackages, with the versions it is built with', () => {
  const imported = importsOf('dist/service').filter((name) => !Object.hasOwn(manifest.dependencies, name));
  expect(imported.sort()).toEqual(Object.keys(serverPackages).sort());
  for (const [name, line] of Object.entries(serverPackages))
    expect(`${manifest.devDependencies[name] ?? ''}.`.startsWith(`${line}.`), name).toBe(true);
});

test('React is the only peer dependency, and it is optional', () => {
  expect(manifest.peerDependencies).toEqual({ react: '>=16.8.0' });
  expect(manifest.peerDependenciesMeta).toEqual({ react: { optional: true } });
});

test('the lock file contains no registry URLs', () => {
  expect(readFileSync(`${root}package-lock.json`, 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});

test('the data for editors contains every attribute, event, slot and part', () => {
  const text = readFileSync(`${root}dist/custom-elements.json`, 'utf8');
  const { modules } = JSON.parse(text) as {
    modules: [{ declarations: [Record<string, readonly { name: string; description?: string }[]>] }];
  };
  const [declaration] = modules[0].declarations;
  for (const [key, least] of Object.entries({
    attributes: 30,
    events: 16,
    slots: 7,
    cssParts: 50,
    cssProperties: 15,
  })) {
    const rows = declaration[key] ?? [];
    expect(rows.length, key).toBeGreaterThanOrEqual(least);
    expect(rows.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  }
  expect(text.length).toBeLessThan(40_000);
});
