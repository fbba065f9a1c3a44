import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { expect, test } from '@playwright/test';
import { onDemand, serverPackages, versioned } from '../../src/service/errors/server-packages.ts';
import { importsOf } from '../tools/stage-packages.js';
import { isBuilt, pack, root, runIn, type Packed } from './pack.ts';

test.skip(!isBuilt, 'dist/ is not complete: npm run build');

interface Manifest {
  readonly main: string;
  readonly types: string;
  readonly unpkg: string;
  readonly jsdelivr: string;
  readonly bin?: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
  readonly exports: Record<string, string | { readonly default: string; readonly types: string }>;
}
const manifest = manifestIn(root);

let packed: Packed;
test.beforeAll(async () => {
  packed = await pack();
});
test.afterAll(() => rm(packed.folder, { recursive: true }));

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Runs a command of an installed package. */
const runTool = (name: string, words: readonly string[]) =>
  runIn(root, process.execPath, [`${root}node_modules/.bin/${name}`, ...words]);

for (const name of ['widget', 'service'] as const) {
  test(`publint and are-the-types-wrong find nothing in the packed ${name}`, async () => {
    test.setTimeout(120_000);
    const publint = await runTool('publint', ['run', packed[name], '--strict']);
    expect(publint.output).toContain('All good!');
    const options = ['--profile', 'esm-only', '--no-color', '--no-emoji'];
    const types = await runTool('attw', [packed[name], ...options]);
    expect(types.output).not.toMatch(/^(node16 \(from ESM\)|bundler): (?!OK|\(wildcard\))/m);
    expect(types.good, types.output.slice(-900)).toBe(true);
  });
}

test('the dependencies of the widget are ranges, so that npm installs each once', () => {
  expect(Object.values(manifest.dependencies).filter((range) => !range.startsWith('^'))).toEqual([]);
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  expect(lock.packages['']?.dependencies).toEqual(manifest.dependencies);
});

test('each package contains its own part of the build, and the documents', () => {
  const rooms = (folder: string): string[] =>
    [...new Set(filesIn(folder).map((path) => path.split('/').slice(0, 2).join('/')))].sort();
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md'];
  const script = ['dist/agent-chat.js', 'dist/chunks', 'dist/third-party-notices.txt'];
  const editors = ['dist/agent-chat.d.ts', 'dist/custom-elements.json', 'dist/html-custom-data.json'];
  expect(rooms(packed.widgetFolder)).toEqual(
    [...documents, 'demo/docs', ...script, ...editors, 'dist/lib', 'dist/types', 'package.json'].sort(),
  );
  expect(rooms(packed.serviceFolder)).toEqual(
    [
      ...documents,
      'demo/deploy',
      'demo/docs',
      ...script,
      'dist/demo',
      'dist/service',
      'dist/types',
      'package.json',
    ].sort(),
  );
});

test('the image of the service package is made from what the package contains, with every optional library', () => {
  const folder = packed.serviceFolder;
  const image = readFileSync(`${folder}/demo/deploy/Dockerfile`, 'utf8');
  const copied = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied.length).toBeGreaterThan(0);
  for (const name of copied) expect(existsSync(join(folder, name)), name).toBe(true);
  const [, extras = ''] = /EXTRAS="([^"]+)"/.exec(image) ?? [];
  expect(extras.split(' ').sort()).toEqual(onDemand.map(versioned).sort());
  const compose = readFileSync(`${folder}/demo/deploy/compose.yaml`, 'utf8');
  for (const [, name = ''] of compose.matchAll(/- \.\/([\w.]+):/g))
    expect(existsSync(join(folder, 'demo/deploy', name)), name).toBe(true);
});

test('the widget contains no declaration of the service, and the service none of the widget', () => {
  expect(filesIn(packed.widgetFolder).filter((file) => /types\/(service|embed)\//.test(file))).toEqual([]);
  expect(filesIn(packed.serviceFolder).filter((file) => /types\/(widget|react)\//.test(file))).toEqual([]);
});

test('npm packs every file of the folder', async () => {
  for (const name of ['widget', 'service'] as const) {
    const { output } = await runIn(root, 'tar', ['-tzf', packed[name]]);
    const inTarball = output
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    expect(inTarball.sort()).toEqual(filesIn(packed[`${name}Folder`]).sort());
  }
});

test('links of the packaged documents lead to packaged documents', () => {
  for (const folder of [packed.widgetFolder, packed.serviceFolder]) {
    const files = filesIn(folder);
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readFileSync(join(folder, file), 'utf8').matchAll(/\]\(([^):#\s]+\.md)/g)].map(
          ([, target = '']) => posix.join(posix.dirname(file), target),
        ),
      )
      .filter((target) => !files.includes(target));
    expect(dead).toEqual([]);
  }
});

test('the pictures of the packaged README are in the package', () => {
  const readme = readFileSync(`${packed.widgetFolder}/README.md`, 'utf8');
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((path) => !filesIn(packed.widgetFolder).includes(path))).toEqual([]);
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

test('client and session report refusals, read any framing and make every call in Node, where nothing can be drawn', async () => {
  const script = `import { createAgentClient } from 'agent-chat/client';
    import { ChatSession } from 'agent-chat/conversation';
    const client = createAgentClient({
      baseUrl: 'http://service.example',
      identifierPrefix: 'own_',
      tokenProvider: () => 'token',
      fetch: async (url) => String(url).includes('/threads') ? Response.json({ threads: [] }) : Response.json({ detail: [] }, { status: 404 }),
    });
    const { threads } = await client.extensions.listThreads();
    const refused = await client.postCallback('6e0d3f2a-5d0f-4f0e-9a39-3d5d2d1f7c11', { role: 'user', content: 'Ahoy' }).catch((error) => error);
    const session = new ChatSession({ client, settings: () => ({ agentId: 'a' }) });
    await session.send('Ahoy');
    const lines = async () => new Response('{"id":"1","event":"run.started","data":{}}\\n{"id":"2","event":"done","data":{}}');
    const kinds = [];
    for await (const { event } of createAgentClient({ baseUrl: 'http://service.example', fetch: lines }).runStream({ message: { content: 'Ahoy' } }))
      kinds.push(event);
    console.log(JSON.stringify([threads, refused.name, refused.status, session.conversation.runs[0].failure.kind, kinds]));
    session.dispose();`;
  const { output } = await runIn(root, 'node', ['--input-type=module', '-e', script]);
  expect(output.trim()).toBe('[[],"HttpError",404,"not-found",["run.started","done"]]');
  const reached = new Set(['client.js', 'conversation.js', 'protocol.js']);
  for (const file of reached) {
    const text = readFileSync(`${root}dist/lib/${file}`, 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()"(\.{1,2}\/[^"]+)"/g))
      reached.add(posix.join(posix.dirname(file), path));
  }
  const names = [...reached].map((file) => posix.basename(file, '.js'));
  expect(
    names.filter(
      (name) =>
        !/^(client|conversation|protocol|rolldown-runtime|merge-history|run-stream-decoder|session|session-later|shared|base|tool-approval)$/.test(
          name,
        ),
    ),
  ).toEqual([]);
});

test('tools that ignore exports find the element (bundlers) and the script (CDNs)', () => {
  const { main, types, unpkg, jsdelivr } = manifest;
  const { default: file, types: declared } = Object(manifest.exports['.']) as Record<string, string>;
  expect([main, types]).toEqual([file, declared]);
  for (const address of [unpkg, jsdelivr]) expect(address).toBe('./dist/agent-chat.js');
});

test('Lit is in the widget: a host’s bundler would take its build for development', () => {
  expect(readFileSync(`${root}dist/lib/parts/panel.js`, 'utf8')).toContain('createPolicy("agent-chat"');
  expect(importsOf(`${root}dist/lib`, '.js')).toEqual(['react', 'zod']);
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

test('the React component has the build of its library for pages: the one for servers sets no property', () => {
  expect(readFileSync(`${root}dist/lib/react.js`, 'utf8')).toContain('.useLayoutEffect(');
});

test('the types compile strictly for a page with the types of ES2020', async () => {
  test.setTimeout(120_000);
  const folder = `${root}test/.results/page-types`;
  await mkdir(folder, { recursive: true });
  await writeFile(
    `${folder}/page.ts`,
    `import 'agent-chat'; import 'agent-chat/client'; import 'agent-chat/conversation';`,
  );
  const options =
    '--ignoreConfig --pretty false --noEmit --singleThreaded --strict --exactOptionalPropertyTypes --target es2020 --module esnext';
  const { output } = await runTool('tsc', [
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
    '--ignoreConfig --pretty false --noEmit --singleThreaded --strict --exactOptionalPropertyTypes --target es2022';
  const { output } = await runTool('tsc', [
    ...options.split(' '),
    ...['--lib', 'es2022', '--types', 'node', '--module', 'nodenext', `${folder}/server.ts`],
  ]);
  await rm(folder, { recursive: true });
  expect(output.match(/^.*error TS.*$/gm)).toBe(null);
});

test('the imports of widget, client and session, and of their types, are the dependencies of the widget', () => {
  const frameworks = ['react', 'svelte', 'vue'];
  const imported = importsOf(`${packed.widgetFolder}/dist`).filter((name) => !frameworks.includes(name));
  const { dependencies, bin } = manifestIn(packed.widgetFolder);
  expect(Object.keys(dependencies).sort()).toEqual(imported);
  expect(bin).toBe(undefined);
});

test('the imports of the service and of its types are its dependencies, or optional peers of any version', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, bin } = manifestIn(packed.serviceFolder);
  const imported = ['service', 'types'].flatMap((part) => importsOf(`${packed.serviceFolder}/dist/${part}`));
  const heldBack = ['light-my-request'];
  expect([...Object.keys(dependencies), ...onDemand].sort()).toEqual(
    [...new Set([...imported, ...heldBack])].sort(),
  );
  expect(peerDependencies).toEqual(Object.fromEntries(onDemand.map((name) => [name, '*'])));
  expect(Object.values(peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
  expect(bin).toEqual({
    'agent-chat': './dist/service/cli.js',
    'agent-chat-service': './dist/service/cli.js',
  });
});

test('the types of the service need no optional peer', () => {
  const entry = `${packed.serviceFolder}/dist/types/service/index.d.ts`;
  const files = new Set([entry]);
  const names = new Set<string>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(/^\s*\*.*$/gm, ''); // without comments
    for (const [, name = ''] of text.matchAll(/(?:from |import\()["']([^"']+)["']/g))
      if (name.startsWith('.')) files.add(join(file, '..', name.replace(/\.ts$/, '.d.ts')));
      else if (!name.startsWith('node:')) names.add(name);
  }
  expect(files.size).toBeGreaterThan(10);
  expect([...names].filter((name) => onDemand.some((peer) => `${name}/`.startsWith(`${peer}/`)))).toEqual([]);
});

test('the service supports the versions of its libraries that it is built with', () => {
  const { dependencies, devDependencies } = manifest;
  const imported = importsOf(`${root}dist/service`).filter((name) => !Object.hasOwn(dependencies, name));
  expect(imported).toEqual(Object.keys(serverPackages).sort());
  for (const [name, line] of Object.entries(serverPackages))
    expect(`${devDependencies[name] ?? ''}.`.startsWith(`${line}.`), name).toBe(true);
});

test('React is the only peer dependency of the widget, and it is optional', () => {
  const { peerDependencies, peerDependenciesMeta } = manifestIn(packed.widgetFolder);
  expect(peerDependencies).toEqual({ react: '>=16.8.0' });
  expect(peerDependenciesMeta).toEqual({ react: { optional: true } });
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
