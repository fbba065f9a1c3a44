import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { openSqlite } from '../../src/service/storage/open-sqlite.ts';
import { openPostgres } from '../../src/service/storage/open-postgres.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startRedis, type RedisServer } from './redis.ts';
import { atOnce, collect, say, startService, until, type RunningService } from './running-service.ts';

interface Export {
  readonly usage: { runs: number }[];
  readonly threads: {
    readonly messages: { content: unknown }[];
    readonly notifications: unknown[];
    readonly runs: { status: string; events: { id: string; event: string }[] }[];
  }[];
}

const path = (subject: string): string => `/api/v1/hub/subjects/${encodeURIComponent(subject)}`;
const anna = 'anna/ö 7'; // a subject that has to be encoded

/** Every row of every table, as text. Closes the store. */
async function everyRow(store: Store): Promise<Record<string, string>> {
  try {
    const tables = (await store.database.introspection.getTables()).map(({ name }) => name);
    const all: Record<string, string> = {};
    for (const name of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.database);
      all[name] = JSON.stringify(rows);
    }
    return all;
  } finally {
    await store.close();
  }
}

/** Every entry of every stream in Redis, as text. */
async function everyStream(url: string): Promise<Record<string, string>> {
  const client = new Redis(url);
  const all: Record<string, string> = {};
  for (const key of await client.keys('*')) {
    expect(await client.type(key), key).toBe('stream');
    all[key] = JSON.stringify(await client.xrange(key, '-', '+'));
  }
  await client.quit();
  return all;
}

async function live(running: RunningService, subject: string, secretText: string): Promise<string> {
  const client = running.client(subject);
  const events = await collect(client.runStream(say(secretText, { agent_id: 'echo', ...atOnce })));
  const threadId = String(events[0]?.data['thread_id']);
  await client.createNotification({ thread_id: threadId });
  await collect(client.runStream(say('/approve', { agent_id: 'demo', thread_id: threadId, ...atOnce })));
  await client.postCallback(threadId, { content: `${secretText} again` });
  await client.extensions.cancelRun('a-message-to-come').catch(() => undefined);
  return threadId;
}

/** @param elsewhere starts another instance */
function suite(
  engine: string,
  start: () => Promise<RunningService>,
  readAll: () => Promise<Record<string, string>>,
  elsewhere = start,
): void {
  test(`${engine}: the data of a person is exported, and erased from every table`, async () => {
    test.setTimeout(120_000);
    const running = await start();
    const other = elsewhere === start ? running : await elsewhere();
    const ask = (method: string, subject: string) =>
      running.request(method, path(subject), { token: running.serverKey });
    const slow = new AbortController();
    try {
      await live(running, anna, 'my blue boat');
      await live(running, 'berta', 'my red boat');
      const exported = (await (await ask('GET', anna)).json()) as Export;
      expect(exported).toMatchObject({ subject: anna, tenant_id: 'quay', usage: [{ runs: 2 }] });
      const [thread] = exported.threads;
      expect(exported.threads).toHaveLength(1);
      expect(JSON.stringify(thread?.messages)).toContain('my blue boat again');
      expect(thread?.notifications).toHaveLength(1);
      expect(thread?.runs[0]?.events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['run.started', 'message.delta', 'done']),
      );
      expect(JSON.stringify(exported)).not.toContain('red boat');

      // a run is under way while the person is erased, on another instance if there is one
      const pace = { additional_parameters: { delay_ms: 50, chunk_length: 1 } };
      const request = say('my blue boat sails on and on and on', { agent_id: 'echo', ...pace });
      const stream = other.client(anna).runStream(request, { signal: slow.signal });
      const events = stream[Symbol.asyncIterator]();
      await events.next();
      const erased = await ask('DELETE', anna);
      expect(erased.status).toBe(200);
      expect(await erased.json()).toMatchObject({ subject: anna, notifications: 1 });
      slow.abort();
      const nothing = (await (await ask('GET', anna)).json()) as Export;
      expect(nothing).toMatchObject({ threads: [], usage: [] });
      const twice = await ask('DELETE', anna);
      expect(await twice.json()).toEqual({
        subject: anna,
        threads: 0,
        messages: 0,
        runs: 0,
        notifications: 0,
        decisions: 0,
      });
      const berta = (await (await ask('GET', 'berta')).json()) as Export;
      expect(JSON.stringify(berta)).toContain('my red boat');
    } finally {
      slow.abort();
      if (other !== running) await other.close();
      await running.close();
    }
    const all = await readAll();
    for (const [name, rows] of Object.entries(all)) {
      expect(rows, name).not.toContain('blue boat');
      expect(rows, name).not.toContain(anna);
    }
    expect(all['subject_usage']).toContain('berta');
    expect(JSON.stringify(all)).toContain('my red');
  });
}

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-people-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

suite(
  'SQLite',
  () => startService({ dataDir: directory }),
  () => everyRow(openSqlite(directory)),
);

let postgres: Postgres | undefined;
let database = '';
let redis: RedisServer | undefined;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
  database = (await postgres?.createDatabase()) ?? '';
});
test.afterAll(async () => {
  await postgres?.stop();
  await redis?.stop();
});

test.describe(() => {
  test.beforeEach(() => test.skip(postgres === undefined, 'there is no PostgreSQL here'));
  suite(
    'PostgreSQL',
    () => startService({ databaseUrl: database, dataDir: directory }),
    async () => everyRow(await openPostgres(database, () => undefined)),
    () => startService({ databaseUrl: database }),
  );
});

test.describe(() => {
  test.beforeAll(async () => {
    redis = await startRedis();
  });
  test.beforeEach(() => {
    test.skip(postgres === undefined, 'there is no PostgreSQL here');
    test.skip(redis === undefined, 'there is no Redis here');
  });
  const start = () => startService({ databaseUrl: database, eventsUrl: redis?.url, dataDir: directory });
  suite(
    'PostgreSQL and Redis',
    start,
    async () => ({
      ...(await everyRow(await openPostgres(database, () => undefined))),
      ...(await everyStream(redis?.url ?? '')),
    }),
    () => startService({ databaseUrl: database, eventsUrl: redis?.url }),
  );

  test('while Redis is away, a person is not half erased: 503, and all of it later', async () => {
    const running = await start();
    const erase = () => running.request('DELETE', path('carla'), { token: running.serverKey });
    try {
      await live(running, 'carla', 'my green boat');
      await redis?.stop();
      const refused = await erase();
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ detail: [{ type: 'unavailable' }] });
      await redis?.start();
      await until(async () => (await fetch(`${running.address}/readyz`)).status === 200);
      expect(await (await erase()).json()).toMatchObject({ threads: 1, runs: 2 });
    } finally {
      await running.close();
    }
  });
});

test('only a server with the scope "admin" administers', async () => {
  const running = await startService({ dataDir: directory });
  try {
    const token = await running.token('ada', { scopes: ['run', 'admin'] });
    for (const method of ['GET', 'DELETE']) {
      expect((await running.request(method, path('ada'), { token })).status).toBe(403);
      expect((await running.request(method, path('ada'), { token: null })).status).toBe(401);
      const wrong = await running.request(method, path('key:backend'), { token: running.serverKey });
      expect(wrong.status).toBe(422);
    }
  } finally {
    await running.close();
  }
});

test('administrative acts, deletions and changes of a config leave an audit line without text', async () => {
  const auditFile = join(directory, 'audit.jsonl');
  const running = await startService({ dataDir: directory, auditFile });
  try {
    const threadId = await live(running, 'ada', 'my blue boat');
    const client = running.client('ada');
    await client.putEmbeddedChatConfig('echo', { layout: { primary_color: '#123456' } });
    await client.deleteNotifications(threadId);
    await running.request('DELETE', `/api/v1/hub/threads/${threadId}`);
    await (await running.request('GET', path('ada'), { token: running.serverKey })).text();
    await running.request('DELETE', path('ada'), { token: running.serverKey });
  } finally {
    await running.close();
  }
  const text = readFileSync(auditFile, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; time: string; actor: unknown });
  const visitor = { kind: 'visitor', id: 'ada' };
  const server = { kind: 'server', id: 'backend' };
  expect(lines.map(({ action, actor }) => [action, actor])).toEqual([
    ['keys.loaded', { kind: 'operator' }],
    ['config.changed', visitor],
    ['notifications.deleted', visitor],
    ['thread.deleted', visitor],
    ['subject.exported', server],
    ['subject.erased', server],
  ]);
  for (const { time } of lines) expect(Number.isNaN(Date.parse(time))).toBe(false);
  expect(text).not.toMatch(/boat|#123456/);
  expect(existsSync(auditFile)).toBe(true);
});
