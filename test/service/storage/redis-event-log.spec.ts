import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, test } from '@playwright/test';
import { Redis } from 'ioredis';
import { readRun, type EventLog } from '../../../src/service/storage/event-log.ts';
import { openRedisEventLog } from '../../../src/service/storage/redis-event-log.ts';
import { start, type StoredEvent } from '../../../src/service/storage/run-events.ts';
import { startPostgres } from '../postgres.ts';
import { startRedis, type RedisServer } from '../redis.ts';
import { startService, until } from '../running-service.ts';

let server: RedisServer | undefined;
let log: EventLog;
let reports: string[];

test.beforeAll(async () => {
  server = await startRedis();
});
test.afterAll(() => server?.stop());
test.beforeEach(async () => {
  test.skip(server === undefined, 'there is no Redis here');
  reports = [];
  log = await open();
});
test.afterEach(() => (server ? log.close() : undefined));

const open = () =>
  openRedisEventLog({
    url: server?.url ?? '',
    ttlSeconds: 60,
    report: (_error, what) => reports.push(what),
  });
const event = (ms: number, name = 'message.delta'): StoredEvent => ({
  ms,
  sequence: 0,
  event: name,
  json: JSON.stringify({ text: `${ms}\t\n` }),
});
const append = (runId: string, ...events: StoredEvent[]) =>
  log.append(undefined as never, [{ runId, events }]); // Redis needs no database
const read = (runId: string, cursor = start) => readRun(log, { runId, cursor });

test('events after a cursor are read in order, and a repeated append changes nothing', async () => {
  await append('one', event(1), event(2));
  await append('one', event(3));
  await append('one', event(3));
  await append('other', event(1));
  expect(await read('one')).toEqual([event(1), event(2), event(3)]);
  expect(await read('one', event(1))).toEqual([event(2), event(3)]);
  expect(await read('one', event(3))).toEqual([]);
  expect(await read('none')).toEqual([]);
});

test('a follower on another instance is notified of new and removed events', async () => {
  const other = await open();
  const notified: string[] = [];
  const stop = other.follow((runIds) => notified.push(...(runIds ?? [])));
  await append('followed', event(1));
  await until(() => notified.includes('followed'));
  expect(await readRun(other, { runId: 'followed', cursor: start })).toEqual([event(1)]);
  await log.remove(undefined as never, [{ id: 'followed', isRecent: false }]);
  await until(() => notified.filter((id) => id === 'followed').length === 2);
  expect(await readRun(other, { runId: 'followed', cursor: start })).toEqual([]);
  stop();
  await other.close();
});

test('what an instance appends to a removed run is dropped, also when it had to wait', async () => {
  const other = await open();
  await append('gone', event(1));
  await log.remove(undefined as never, [{ id: 'gone', isRecent: true }]);
  await other.append(undefined as never, [{ runId: 'gone', events: [event(2)] }]);
  expect(await read('gone')).toEqual([]);
  const redis = new Redis(server?.url ?? '');
  expect(JSON.stringify(await redis.xrange('agent-chat:run:gone', '-', '+'))).not.toContain('text');
  expect(await redis.ttl('agent-chat:run:gone')).toBeGreaterThan(0);
  // of runs that ended long ago, nothing stays
  await append('old', event(1, 'done'));
  await log.remove(undefined as never, [{ id: 'old', isRecent: false }]);
  expect(await redis.exists('agent-chat:run:old')).toBe(0);
  await redis.quit();
  await other.close();
});

test('events of an ended run expire, those of an active one stay for a day; nothing comes after the end', async () => {
  await append('active', event(1));
  await append('ended', event(1), event(2, 'done'));
  await append('ended', event(3));
  const redis = new Redis(server?.url ?? '');
  expect(await redis.ttl('agent-chat:run:active')).toBeGreaterThan(86_000);
  await redis.quit();
  expect(await read('ended')).toEqual([event(1), event(2, 'done')]);
});

test('while Redis is away, events wait in memory, and the log is not ready', async () => {
  await append('waiting', event(1));
  await server?.stop();
  await append('waiting', event(2));
  await append('waiting', event(3));
  await expect(log.ping()).rejects.toThrow(/Redis|Connection|closed/);
  await server?.start();
  await until(() =>
    log.ping().then(
      () => true,
      () => false,
    ),
  );
  expect(await read('waiting')).toEqual([event(2), event(3)]); // the server had no files
  expect(reports).toContain('events could not be written to Redis; they wait in memory');
});

test('an instance without its Redis is not ready, and says why', async () => {
  const postgres = await startPostgres();
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const own = await startRedis();
  const running = await startService({
    databaseUrl: await postgres?.createDatabase(),
    eventsUrl: own?.url,
  });
  try {
    expect((await running.request('GET', '/readyz')).status).toBe(200);
    await own?.stop();
    const response = await running.request('GET', '/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('Redis is not responding');
  } finally {
    await own?.start(); // a service without Redis waits when it is closed
    await running.close();
    await own?.stop();
    await postgres?.stop();
  }
});

test('an unreachable server is reported in one line, with the setting that names it', async () => {
  const opening = openRedisEventLog({ url: 'redis://127.0.0.1:1', ttlSeconds: 60, report: () => undefined });
  await expect(opening).rejects.toMatchObject({
    errors: [expect.stringMatching(/^EVENTS_URL 127\.0\.0\.1:1: .*ECONNREFUSED/)],
  });
});

test('over TLS, the authority of sslrootcert is trusted, and no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-redis-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'ca.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const openssl = spawnSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${cert}`.split(' ').concat(subject),
  );
  test.skip(openssl.status !== 0, 'there is no OpenSSL here');
  const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    const redis = connect(Number(new URL(server?.url ?? '').port), '127.0.0.1');
    socket.on('error', () => redis.destroy()).pipe(redis);
    redis.on('error', () => socket.destroy()).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, resolve));
  const { port } = proxy.address() as AddressInfo; // it listens on a port
  const openAt = (query: string): Promise<EventLog> =>
    openRedisEventLog({ url: `rediss://localhost:${port}${query}`, ttlSeconds: 60, report: () => undefined });
  try {
    await (await openAt(`?sslrootcert=${cert}`)).close();
    await expect(openAt('')).rejects.toThrow(
      /^EVENTS_URL localhost:\d+: has a certificate that is not trusted here/,
    );
    await expect(openAt(`?sslrootcert=${cert}.old`)).rejects.toThrow(
      /refers to a file that cannot be read \(sslrootcert/,
    );
  } finally {
    proxy.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
