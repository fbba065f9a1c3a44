import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import { readSettings, SettingsError, type ServiceSettings } from '../../src/service/index.ts';
import { databaseError, isAway } from '../../src/service/storage/database-error.ts';
import { migrate } from '../../src/service/storage/migrate.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import { freePort } from '../tools/free-port.ts';
import { secret, startService } from './running-service.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-start-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The lines an operator reads when a service does not start. */
async function linesOf(changes: Partial<ServiceSettings>): Promise<readonly string[]> {
  const fault: unknown = await startService({ dataDir: join(directory, 'data'), ...changes }).then(
    async (running) => {
      await running.close();
      return new Error('it started');
    },
    (thrown: unknown) => thrown,
  );
  expect(fault, String(fault)).toBeInstanceOf(SettingsError);
  return (fault as SettingsError).errors;
}

function settingLines(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings({ JWT_SECRET: secret, ...environment });
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.errors;
    throw fault;
  }
  return [];
}

test('an invalid TRUST_PROXY is reported', () => {
  for (const wrong of ['banana', '10.0.0.0/99', '10.0.0.1,banana', '-1', '10.0.0.0/']) {
    expect(settingLines({ TRUST_PROXY: wrong }), wrong).toEqual([
      expect.stringMatching(/^TRUST_PROXY must be true, .*, not "/),
    ]);
  }
  for (const right of [
    'true',
    'false',
    '2',
    '10.0.0.0/8',
    '::1',
    'loopback, 192.0.2.7',
    '10.0.0.0/255.0.0.0',
  ])
    expect(settingLines({ TRUST_PROXY: right }), right).toEqual([]);
});

test('invalid URLs and paths are reported', () => {
  for (const path of ['.', '..'])
    expect(settingLines({ PRODUCT_PATH: path })).toEqual([expect.stringContaining('PRODUCT_PATH must be')]);
  for (const name of ['JWKS_URL', 'PUBLIC_URL', 'HAP_DETECTOR_URL']) {
    expect(settingLines({ [name]: 'https://ada:word@x.example/' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must not contain a user or password`)),
    ]);
  }
  for (const mark of ['?', '#'])
    expect(settingLines({ PUBLIC_URL: `https://x.example/${mark}a` })).toEqual([
      expect.stringContaining('PUBLIC_URL must not contain "?" or "#"'),
    ]);
  expect(
    settingLines({ DATABASE_URL: 'postgres://ada:word@x/db', PUBLIC_URL: ' https://x.example ' }),
  ).toEqual([]);
});

test('several hosts in a database URL are named as the fault', () => {
  for (const hosts of ['db-1,db-2', 'ada:pass@db-1:5432,db-2:5432'])
    expect(settingLines({ DATABASE_URL: `postgres://${hosts}/chat` })).toEqual([
      'DATABASE_URL must name one host, such as a virtual address that follows the primary',
    ]);
  expect(settingLines({ DATABASE_URL: 'postgres://ada:p,ss@db/chat?options=a,b' })).toEqual([]);
});

test('a password with / ? or # in a database URL is named as the fault, and not quoted', () => {
  for (const password of ['pa/ss', 'pa?ss', 'pa#ss', 'p@ss/w#rd'])
    expect(settingLines({ DATABASE_URL: `postgres://ada:${password}@127.0.0.1:5432/chat` })).toEqual([
      'DATABASE_URL must have / ? # in its user and password percent-encoded, as %2F %3F %23',
    ]);
  for (const url of ['postgres://ada:p%2Fss@x/db', 'postgres://ada:p@ss@x/db', 'postgres:///db?user=a@b'])
    expect(settingLines({ DATABASE_URL: url })).toEqual([]);
});

test('a byte order mark in a file is skipped, and an error in it is one line', async () => {
  const file = join(directory, 'marked.json');
  writeFileSync(file, '\ufeff{"agents":[{"id":"a","kind":"echo"}]}');
  const marked = await startService({ dataDir: join(directory, 'marked'), agentsFile: file });
  await marked.close();
  writeFileSync(file, '{"agents":[\n{"id":"a",\n"kind":x}]}');
  const lines = await linesOf({ agentsFile: file });
  expect(lines).toEqual([expect.stringContaining('cannot be read')]);
  expect(lines[0]).not.toContain('\n');
});

test('a port in use is reported with the remedy', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    expect(await linesOf({ port })).toEqual([
      `PORT ${port} is in use on 127.0.0.1; stop the other process, or set PORT to another port (0 picks a free one)`,
    ]);
  } finally {
    other.close();
  }
});

test('a host of another machine is reported', async () => {
  expect(await linesOf({ host: '192.0.2.1' })).toEqual([
    expect.stringMatching(/^HOST 192\.0\.2\.1 is not an address of this machine .* set it to 0\.0\.0\.0/),
  ]);
});

test('an unreachable PostgreSQL is reported without its password', async () => {
  const port = await freePort();
  const [line = '', ...more] = await linesOf({ databaseUrl: `postgres://me:hidden@127.0.0.1:${port}/chat` });
  expect(more).toEqual([]);
  expect(line).toContain(`DATABASE_URL 127.0.0.1:${port}/chat: does not respond; check the address`);
  expect(line).toContain('ECONNREFUSED');
  expect(line).not.toContain('hidden');
});

test('a connection that is reset is reported as unreachable, not as unreadable', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const fault: unknown = await new Promise((resolve) =>
    connect(port, '127.0.0.1').once('error', resolve).write('hello'),
  );
  const [line = ''] = await linesOf({ databaseUrl: `postgres://me@127.0.0.1:${port}/chat` });
  server.close();
  expect(isAway(fault)).toBe(true);
  // of statements that come before pg's pool has taken the connection away
  expect(isAway(new Error('Client has encountered a connection error and is not queryable'))).toBe(true);
  expect(line).toMatch(/: does not respond; check the address, .*ECONNRESET/);
});

test('a missing PostgreSQL socket is reported as unreachable, not as unreadable', async () => {
  const [line = ''] = await linesOf({ databaseUrl: `postgres:///chat?host=${directory}` });
  expect(line).toContain('DATABASE_URL /chat: does not respond; check the address');
  expect(line).toContain('ENOENT');
  const fault: unknown = await new Promise((resolve) =>
    connect(join(directory, '.s.PGSQL.5432')).once('error', resolve),
  );
  expect(isAway(fault)).toBe(true);
});

test('an ASSETS_DIR without the script is reported', async () => {
  expect(await linesOf({ assetsDir: directory })).toEqual([
    `ASSETS_DIR ${directory}: contains no agent-chat.js; set it to the directory of the built script, or remove it`,
  ]);
});

test('a data directory that is a file is reported', async () => {
  const dataDir = join(directory, 'file');
  writeFileSync(dataDir, '');
  expect(await linesOf({ dataDir })).toEqual([
    expect.stringContaining(`DATA_DIR ${dataDir}: is not a directory`),
  ]);
});

test('a database file that cannot be opened is reported', async () => {
  const file = join(directory, 'agent-chat.db');
  mkdirSync(file);
  expect(await linesOf({ dataDir: directory })).toEqual([
    expect.stringContaining(`DATA_DIR, file ${file}: is not writable; grant this user write access`),
  ]);
});

test('a read-only database file is reported', async () => {
  const first = join(directory, 'first');
  await (await startService({ dataDir: first })).close();
  const file = join(directory, 'agent-chat.db');
  // a copy: SQLite may take up the open file of a connection that is not collected yet, which may write
  copyFileSync(join(first, 'agent-chat.db'), file);
  chmodSync(file, 0o444);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    // Root may write anything: be somebody else, whose the rest of the directory is.
    for (const name of ['', ...readdirSync(directory)])
      if (name !== 'agent-chat.db') chownSync(join(directory, name), 65_534, 65_534);
    process.seteuid?.(65_534);
  }
  try {
    for (const _ of [1, 2]) {
      expect(await linesOf({ dataDir: directory })).toEqual([
        expect.stringContaining(`DATA_DIR, file ${file}: is not writable; grant this user write access`),
      ]);
    }
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a data directory that cannot be created is reported', async () => {
  test.skip(!existsSync('/proc/self'), 'there is no /proc here');
  for (const dataDir of ['/proc/chat', '/proc/chat/data'])
    expect(await linesOf({ dataDir })).toEqual([
      expect.stringContaining(`DATA_DIR ${dataDir}: is not writable`),
    ]);
});

test('a data directory is created with its parents, and "~" is rejected', async () => {
  const dataDir = join(directory, 'a', 'b');
  await (await startService({ dataDir })).close();
  expect(existsSync(join(dataDir, 'agent-chat.db'))).toBe(true);
  for (const wrong of ['~', '~/data'])
    expect(settingLines({ DATA_DIR: wrong })).toEqual([
      'DATA_DIR must not start with "~", which only a shell expands; use the full path',
    ]);
  expect(settingLines({ DATA_DIR: './~data' })).toEqual([]);
});

test('unreadable and untrusted PostgreSQL certificates are reported', async () => {
  const missing = join(directory, 'ca.pem');
  expect(await linesOf({ databaseUrl: `postgres://me@127.0.0.1:1/chat?sslrootcert=${missing}` })).toEqual([
    expect.stringMatching(/: refers to a file that cannot be read \(sslrootcert, .*ENOENT/),
  ]);
  const server = createServer((socket) => socket.once('data', () => socket.end('N')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const plain = await linesOf({ databaseUrl: `postgres://me@127.0.0.1:${port}/chat?sslmode=verify-full` });
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', note);
  await linesOf({ databaseUrl: `postgres://me@127.0.0.1:${port}/chat?sslmode=require` });
  process.off('warning', note);
  server.close();
  expect(warnings).toEqual([]);
  expect(plain).toEqual([expect.stringContaining('does not support TLS; remove sslmode from the URL')]);
  const untrusted = Object.assign(new Error('self-signed certificate'), {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(databaseError('DATABASE_URL db/chat', untrusted).message).toContain(
    'not trusted here; add the file',
  );
  const refused = Object.assign(
    new Error('no pg_hba.conf entry for host "10.0.0.7", user "chat", database "chat", no encryption'),
    { code: '28000' },
  );
  expect(databaseError('DATABASE_URL db/chat', refused).message).toContain('with TLS only; add ?sslmode=');
});

test('a damaged database is reported, and its directory is unlocked', async () => {
  const file = join(directory, 'agent-chat.db');
  writeFileSync(file, 'no database at all '.repeat(100));
  for (const _ of [1, 2]) {
    expect(await linesOf({ dataDir: directory })).toEqual([
      expect.stringContaining(`DATA_DIR, file ${file}: is damaged or not a database; restore a backup`),
    ]);
  }
});

test('a damaged lock file is not mistaken for another process', async () => {
  const file = join(directory, 'agent-chat.lock');
  writeFileSync(file, 'no database at all '.repeat(100));
  expect(await linesOf({ dataDir: directory })).toEqual([
    `DATA_DIR ${directory}: the lock file ${file} is damaged; it contains no data, so delete it`,
  ]);
});

test('a database of a newer version is reported, and its directory is unlocked', async () => {
  const store = await openStore(
    { databaseUrl: undefined, dataDir: directory, eventsUrl: undefined, runEventsTtl: 60 },
    () => undefined,
  );
  await migrate(store);
  await sql`insert into kysely_migration (name, timestamp) values ('2027-01-later', '')`.execute(
    store.database,
  );
  await store.close();
  for (const _ of [1, 2]) {
    expect(await linesOf({ dataDir: directory })).toEqual([
      expect.stringContaining(
        `DATA_DIR ${directory}: was written by a newer agent-chat (step 2027-01-later); run that version`,
      ),
    ]);
  }
});

test('an API key without a tenant is reported', async () => {
  const apiKeysFile = join(directory, 'keys.json');
  const hash = `sha256:${'0'.repeat(64)}`;
  writeFileSync(apiKeysFile, JSON.stringify({ keys: [{ id: 'a', hash, tenant_id: '', scope: 'run' }] }));
  expect(await linesOf({ apiKeysFile })).toEqual([
    `API_KEYS_FILE ${apiKeysFile}: keys.0.tenant_id must not be empty`,
  ]);
});

test('a file of API keys without its outer object is reported with the form that it must have', async () => {
  const apiKeysFile = join(directory, 'keys.json');
  const entry = { id: 'a', hash: `sha256:${'0'.repeat(64)}`, tenant_id: 't', scope: 'run' };
  for (const wrong of [[entry], entry, { keys: entry }]) {
    writeFileSync(apiKeysFile, JSON.stringify(wrong));
    expect(await linesOf({ apiKeysFile })).toEqual([
      expect.stringContaining(`API_KEYS_FILE ${apiKeysFile}: the file must be an object, like {"keys":[…]}`),
    ]);
  }
});

test('a number that is wrong is reported with what it means, and so with its unit', () => {
  expect(settingLines({ RUN_EVENTS_TTL: '30d' })).toEqual([
    'RUN_EVENTS_TTL must be a whole number from 1, not "30d": seconds for which the events of a finished run can be replayed',
  ]);
});
