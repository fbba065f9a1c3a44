import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type BrowserContext } from '@playwright/test';
import { sql } from 'kysely';
import { findDictionaryCompressor } from '../../src/service/assets/compression-dictionaries.ts';
import { openSqlite } from '../../src/service/storage/open-sqlite.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

const built = fileURLToPath(new URL('../../dist/', import.meta.url));
/** The placeholder in each of the releases, one after another. */
const placeholders = ['Write a message', 'Ask me anything', 'What would you like to know?'] as const;

let folder = '';
let service: ServiceProcess;
let host: PageServer;

test.beforeAll(async () => {
  test.skip(
    !(await findDictionaryCompressor()),
    `Node ${process.versions.node} has no Zstandard with dictionaries: 22.19 or 24.6`,
  );
  folder = await mkdtemp(join(tmpdir(), 'agent-chat-release-'));
  for (const part of ['agent-chat.js', 'chunks', 'demo'])
    await cp(join(built, part), join(folder, part), { recursive: true });
  service = await ServiceProcess.start({ ASSETS_DIR: folder, DATA_DIR: join(folder, 'data') });
  host = await PageServer.start();
});
test.afterAll(async () => {
  await host?.close();
  await service?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Starts the next release: another text and, at worst, another name for every chunk. */
async function upgrade(before: string, after: string): Promise<void> {
  const chunks = await readdir(join(folder, 'chunks'));
  const renamed = new Map(chunks.map((file) => [file, file.replace(/(.)(.{7})(?=\.js$)/, '$2$1')]));
  for (const file of ['agent-chat.js', ...chunks.map((chunk) => `chunks/${chunk}`)]) {
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll(before, after);
    const linked = text.replace(/[\w.-]+\.js/g, (name) => renamed.get(name) ?? name);
    await writeFile(join(folder, file), linked);
  }
  for (const [old, name] of renamed) await rename(join(folder, 'chunks', old), join(folder, 'chunks', name));
  await service.kill();
  await service.startAgain();
}

/** Gives the current release another version, as if it had been that one: all are built from one package here. */
async function renameRelease(name: string): Promise<string> {
  const { version } = (await (await fetch(`${service.origin}/agent-chat.json`)).json()) as {
    version: string;
  };
  await service.kill();
  const { database, close } = openSqlite(join(folder, 'data'));
  const renamed = (column: 'files' | 'path') =>
    sql<string>`replace(${sql.ref(column)}, ${`${version}/`}, ${`${name}/`})`;
  await database
    .updateTable('script_releases')
    .set({ files: renamed('files') })
    .execute();
  await database
    .updateTable('script_files')
    .set({ path: renamed('path') })
    .execute();
  await close();
  await service.startAgain();
  return version;
}

/**
 * Loads the script as if it had been stale at the former visit: the browser then used it once more, and meanwhile
 * requested the new one.
 */
const unpinned = (): string => `<script>
    fetch('${service.origin}/agent-chat.js', { cache: 'no-cache' }).then(() => {
      const script = Object.assign(document.createElement('script'), { crossOrigin: '', src: '${service.origin}/agent-chat.js' });
      document.body.append(script);
    });
  </script>`;

/** The tag of a page that pins a release. */
const pinned = (version: string): string =>
  `<script async crossorigin src="${service.origin}/agent-chat/${version}/agent-chat.js"></script>`;

/** Opens a page, chats, and returns the bytes that arrived for the script and its parts, headers included. */
async function visit(
  context: BrowserContext,
  script: string,
): Promise<{ script: number; parts: number; placeholder: string | null; encodings: string[] }> {
  host.pages.set('/', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <agent-chat agent-id="demo" base-url="${service.origin}" token="${await service.token()}" storage="none"></agent-chat>
      ${script}</body></html>`,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Set<string>();
  const parts = new Set<string>();
  const encodings: string[] = [];
  const bytes = { script: 0, parts: 0 };
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.url.endsWith('/agent-chat.js')) scripts.add(requestId);
    else if (/\/chunks\/.+\.js$/.test(response.url)) parts.add(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ headers }) => {
    if (headers['use-as-dictionary']) encodings.push(headers['content-encoding'] ?? '');
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes.script += encodedDataLength;
    else if (parts.has(requestId)) bytes.parts += encodedDataLength;
  });
  await page.goto(host.origin);
  const chat = new ChatPage(page);
  await chat.open();
  const placeholder = await chat.composer.getAttribute('placeholder');
  await chat.say('hello');
  await chat.growingAnswers();
  expect(await chat.lastAnswer()).not.toBe('');
  await page.close();
  return { ...bytes, placeholder, encodings };
}

test('after an upgrade of the service, a visitor loads of the script and its parts what has changed', async ({
  context,
}) => {
  const first = await visit(context, unpinned());
  expect(first.placeholder).toBe(placeholders[0]);
  expect(first.parts).toBeGreaterThan(50_000);
  // only the script's own revalidation
  const again = await visit(context, unpinned());
  expect(again.script).toBeLessThan(1_000);
  expect(again.parts).toBe(0);

  await upgrade(placeholders[0], placeholders[1]);
  const next = await visit(context, unpinned());
  expect(next.placeholder).toBe(placeholders[1]);
  expect(new Set(next.encodings)).toEqual(new Set(['dcz']));
  expect(next.script).toBeLessThan(2_500);
  expect(next.parts).toBeLessThan(4_000);
  expect((await visit(context, unpinned())).script).toBeLessThan(1_000);
});

test('a page that pins the next release loads of the script, too, what has changed', async ({ context }) => {
  const version = await renameRelease('0.0.1');
  const first = await visit(context, pinned('0.0.1'));
  expect(first.placeholder).toBe(placeholders[1]);
  expect(first.script).toBeGreaterThan(10_000);
  const again = await visit(context, pinned('0.0.1'));
  expect([again.script, again.parts]).toEqual([0, 0]);

  await upgrade(placeholders[1], placeholders[2]);
  const next = await visit(context, pinned(version));
  expect(next.placeholder).toBe(placeholders[2]);
  expect(new Set(next.encodings)).toEqual(new Set(['dcz']));
  expect(next.script).toBeLessThan(2_500);
  expect(next.parts).toBeLessThan(4_000);
});
