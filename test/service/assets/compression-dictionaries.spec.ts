import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from '@playwright/test';
import {
  chunkName,
  findDictionaryCompressor,
  type DictionaryCompressor,
} from '../../../src/service/assets/compression-dictionaries.ts';
import { ReleaseFiles } from '../../../src/service/assets/release-files.ts';
import { assetRoutes } from '../../../src/service/routes/assets.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { version } from '../../../src/service/version.ts';

const magic = Buffer.from('5e2a4d1820000000', 'hex');
const browser = { 'accept-encoding': 'gzip, deflate, br, zstd, dcb, dcz' };
const before = {
  panel: 'export const panel = "before";\n'.repeat(40),
  forms: 'export const forms = 1;\n'.repeat(40),
};
const now = {
  panel: 'export const panel = "now";\n'.repeat(40),
  forms: 'export const forms = 2;\n'.repeat(40),
};

let directory: string;
let store: Store;
let releases: ReleaseFiles;
let compressions: number;

/** In place of Zstandard, which Node 20 lacks. */
const compress: DictionaryCompressor = async (body, dictionary) => {
  compressions += 1;
  return Buffer.concat([Buffer.from('difference to '), dictionary, body]);
};

const scriptOf = (name: string): string => `// ${name}\n`.repeat(100);
const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64');
const having = (content: string | Buffer) => ({ ...browser, 'available-dictionary': `:${hashOf(content)}:` });

async function release(name: string, panel: string, parts: typeof now): Promise<string> {
  const built = join(directory, name);
  mkdirSync(join(built, 'chunks'), { recursive: true });
  writeFileSync(join(built, 'agent-chat.js'), scriptOf(name));
  writeFileSync(join(built, 'chunks', panel), parts.panel);
  writeFileSync(join(built, 'chunks', `forms-${name.padEnd(8, '_')}.js`), parts.forms);
  await releases.add(built, name === 'now' ? version : '0.0.1');
  return built;
}

async function serve(
  compressWithDictionary: DictionaryCompressor | undefined = compress,
): Promise<FastifyInstance> {
  const app = fastify();
  assetRoutes(app, { directory: join(directory, 'now'), releases, compressWithDictionary });
  await app.ready();
  return app;
}

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-dictionaries-'));
  store = openSqlite(join(directory, 'data'));
  await migrate(store);
  releases = new ReleaseFiles(store);
  await release('before', 'panel-AAAA1111.js', before);
  await release('now', 'panel--BB_2222.js', now);
});
test.afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  compressions = 0;
});

const panelNow = '/chunks/panel--BB_2222.js';

test('a chunk is the dictionary for the chunk of the same name in other releases', async () => {
  const app = await serve();
  const offer = async (url: string) =>
    (await app.inject({ url, headers: browser })).headers['use-as-dictionary'];
  expect(await offer(panelNow)).toBe('match="panel-*.js"');
  expect(await offer('/chunks/panel-AAAA1111.js')).toBe('match="panel-*.js"');
  expect(await offer(`/agent-chat/${version}${panelNow}`)).toBe('match="/*/panel-*.js"');
});

test('a script is the dictionary for that of another release, pinned or not', async () => {
  const app = await serve();
  const addresses = ['/agent-chat.js', `/agent-chat/${version}/agent-chat.js`];
  const offer = async (url: string) =>
    (await app.inject({ url, headers: browser })).headers['use-as-dictionary'];
  expect(await offer('/agent-chat.js')).toBe('match="agent-chat.js"');
  for (const release of [version, '0.0.1'])
    expect(await offer(`/agent-chat/${release}/agent-chat.js`)).toBe('match="/*/agent-chat.js"');
  for (const url of addresses) {
    const { headers, rawPayload } = await app.inject({ url, headers: having(scriptOf('before')) });
    expect(headers).toMatchObject({
      'content-encoding': 'dcz',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding, Available-Dictionary',
    });
    expect(rawPayload.subarray(40).toString()).toBe(`difference to ${scriptOf('before')}${scriptOf('now')}`);
  }
});

test('a browser that has the former chunk gets the difference to it', async () => {
  const app = await serve();
  const { headers, rawPayload } = await app.inject({ url: panelNow, headers: having(before.panel) });
  expect(headers).toMatchObject({
    'content-encoding': 'dcz',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding, Available-Dictionary',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'use-as-dictionary': 'match="panel-*.js"',
  });
  expect(headers['etag']).toBeUndefined();
  expect(rawPayload.subarray(0, 8)).toEqual(magic);
  expect(rawPayload.subarray(8, 40).toString('base64')).toBe(hashOf(before.panel));
  expect(rawPayload.subarray(40).toString()).toBe(`difference to ${before.panel}${now.panel}`);
});

test('each pair of chunks is compressed once', async () => {
  const app = await serve();
  const ask = () => app.inject({ url: panelNow, headers: having(before.panel) });
  const all = [...(await Promise.all([ask(), ask(), ask()])), await ask()];
  expect(new Set(all.map(({ payload }) => payload)).size).toBe(1);
  expect(compressions).toBe(1);
});

test('every answer for a chunk says that it depends on the dictionary', async () => {
  const app = await serve();
  const known = (await app.inject({ url: panelNow, headers: browser })).headers['etag'] ?? '';
  for (const headers of [{}, browser, having(before.panel), { ...browser, 'if-none-match': String(known) }])
    expect((await app.inject({ url: panelNow, headers })).headers['vary']).toBe(
      'Accept-Encoding, Available-Dictionary',
    );
});

test('a chunk that the browser already has is not sent, with a dictionary or without', async () => {
  const app = await serve();
  const known = (await app.inject({ url: panelNow, headers: browser })).headers['etag'] ?? '';
  const again = await app.inject({
    url: panelNow,
    headers: { ...having(before.panel), 'if-none-match': String(known) },
  });
  expect(again.statusCode).toBe(304);
  expect(again.headers['content-encoding']).toBeUndefined();
});

const validHash = hashOf(before.panel);
for (const [what, headers] of Object.entries({
  'an unknown hash': having('never served'),
  'the hash of a chunk of another name': having(before.forms),
  'the hash of a file that is no chunk': having(scriptOf('before')),
  'a hash without colons': { ...browser, 'available-dictionary': validHash },
  'a hash in another alphabet': { ...browser, 'available-dictionary': `:${'-_'.repeat(21)}-=:` },
  hexadecimal: {
    ...browser,
    'available-dictionary': `:${Buffer.from(validHash, 'base64').toString('hex')}:`,
  },
  'two hashes': { ...browser, 'available-dictionary': `:${validHash}:, :${validHash}:` },
  'the path of a file': { ...browser, 'available-dictionary': ':../../../../etc/passwd:' },
  nothing: { ...browser, 'available-dictionary': '' },
  'a very long value': { ...browser, 'available-dictionary': `:${'A'.repeat(8000)}=:` },
  'an identifier only': { ...browser, 'dictionary-id': '"panel"' },
  'a browser without dcz': { ...having(before.panel), 'accept-encoding': 'gzip, br, zstd, dcb' },
  'a browser that rejects dcz': { ...having(before.panel), 'accept-encoding': 'br, dcz;q=0' },
})) {
  test(`${what} in place of a dictionary: the chunk is sent whole`, async () => {
    const app = await serve();
    const response = await app.inject({ url: panelNow, headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-encoding']).toBe('br');
    expect(zlib.brotliDecompressSync(response.rawPayload).toString()).toBe(now.panel);
    expect(compressions).toBe(0);
  });
}

test('a chunk is sent whole when compressing with a dictionary fails', async () => {
  const app = await serve(() => Promise.reject(new Error('out of memory')));
  const response = await app.inject({ url: panelNow, headers: having(before.panel) });
  expect(response.headers['content-encoding']).toBe('br');
  expect(zlib.brotliDecompressSync(response.rawPayload).toString()).toBe(now.panel);
});

test('without a compressor, nothing is offered', async () => {
  const app = fastify();
  assetRoutes(app, { directory: join(directory, 'now'), releases, compressWithDictionary: undefined });
  const { headers } = await app.inject({ url: panelNow, headers: having(before.panel) });
  expect(headers['use-as-dictionary']).toBeUndefined();
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
});

test('names with a hash are those of chunks', () => {
  expect(chunkName('chunks/runtime-BVi9h-x_.js')).toBe('runtime');
  expect(chunkName('chunks/forms--iPMmHDy.js')).toBe('forms');
  expect(chunkName('chunks/content-pt-br-BQQ3WTiJ.js')).toBe('content-pt-br');
  for (const path of [
    'agent-chat.js',
    'chunks/panel.js',
    'chunks/panel-AAAA.js',
    'chunks/a/panel-AAAA1111.js',
    'chunks/"x"-AAAA1111.js',
    'chunks/a\nb-AAAA1111.js',
  ])
    expect(chunkName(path), path).toBeUndefined();
});

test('Node compresses with a dictionary from 22.19 and 24.6 on', async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const real = await findDictionaryCompressor();
  expect(real !== undefined).toBe(
    major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19),
  );
  test.skip(!real, `Node ${process.versions.node} has no Zstandard with dictionaries`);
  const frame = await real?.(Buffer.from(now.panel), Buffer.from(before.panel));
  // not in the types of Node 20
  const { zstdDecompressSync } = zlib as unknown as {
    zstdDecompressSync(body: Buffer, options: { dictionary: Buffer }): Buffer;
  };
  const dictionary = Buffer.from(before.panel);
  expect(frame?.length).toBeLessThan(100);
  expect(zstdDecompressSync(frame ?? Buffer.of(), { dictionary }).toString()).toBe(now.panel);
});
