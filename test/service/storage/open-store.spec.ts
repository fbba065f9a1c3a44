import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openStore } from '../../../src/service/storage/open-store.ts';
import { freePort } from '../../tools/free-port.ts';
import { startPostgres, type Postgres } from '../postgres.ts';
import { collect, say, spelled, startService, until } from '../running-service.ts';
import { startWire } from '../wire.ts';

let postgres: Postgres | undefined;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
});
test.afterAll(() => postgres?.stop());

test('a start waits for a database that comes later', async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const address = new URL((await postgres?.createDatabase()) ?? '');
  const wire = await startWire(Number(address.port));
  address.port = String(wire.port);
  await wire.cut();
  const reports: string[] = [];
  const opening = openStore({ databaseUrl: address.href, dataDir: '', databaseWait: 60 }, (_error, what) =>
    reports.push(what),
  );
  await until(() => reports.length > 0);
  await wire.mend();
  const store = await opening;
  await store.ping();
  await store.close();
  await wire.cut();
  expect(reports).toEqual(['the database is not responding; waiting up to 60 seconds']);
});

test('a database that does not come is one line with the seconds', async () => {
  const databaseUrl = `postgres://me:hidden@127.0.0.1:${await freePort()}/chat`;
  const opening = openStore({ databaseUrl, dataDir: '', databaseWait: 1 }, () => undefined);
  await expect(opening).rejects.toMatchObject({
    errors: [
      expect.stringMatching(/^DATABASE_URL 127\.0\.0\.1:\d+\/chat: does not respond;.*; waited 1 seconds$/),
    ],
  });
});

test('a wrong user is not waited for', async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const address = new URL((await postgres?.createDatabase()) ?? '');
  address.pathname = '/no-such-database';
  const began = performance.now();
  const opening = openStore({ databaseUrl: address.href, dataDir: '', databaseWait: 60 }, () => undefined);
  await expect(opening).rejects.toThrow('refers to a database that does not exist');
  expect(performance.now() - began).toBeLessThan(30_000);
});

test('a store that was only migrated closes its connections: the command migrate ends at once', async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const store = await openStore(
    { databaseUrl: (await postgres?.createDatabase()) ?? '', dataDir: '' },
    () => undefined,
  );
  await migrate(store);
  expect(store.connections?.()?.open).toBeGreaterThan(0);
  await store.close();
  expect(store.connections?.()?.open).toBe(0);
});

test('a statement may take four seconds, one of a migration or a clean-up any time', async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const store = await openStore(
    { databaseUrl: (await postgres?.createDatabase()) ?? '', dataDir: '' },
    () => undefined,
  );
  const statement = sql`select pg_sleep(5)`;
  const answers = await Promise.allSettled([
    statement.execute(store.database),
    statement.execute(store.unlimited.database),
  ]);
  expect(answers).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ code: 'ETIMEDOUT' }) },
    { status: 'fulfilled', value: expect.anything() },
  ]);
  await store.close();
});

test('a database that became a standby: not ready, runs get 503, and all is well once it can be written', async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const databaseUrl = (await postgres?.createDatabase()) ?? '';
  const running = await startService({ databaseUrl });
  const admin = await openStore({ databaseUrl, dataDir: '' }, () => undefined);
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    const name = sql.ref(new URL(databaseUrl).pathname.slice(1));
    await sql`set session characteristics as transaction read write`.execute(admin.database);
    await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(isReadOnly ? 'on' : 'off')}`.execute(
      admin.database,
    );
    // the setting is for new connections
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(admin.database);
  };
  try {
    await setReadOnly(true);
    await until(async () => (await running.request('GET', '/readyz')).status === 503);
    const refused = await running.request('POST', '/api/v1/hub/runs/stream', {
      body: say('hello', { agent_id: 'echo' }),
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({
      detail: [{ loc: ['server'], msg: 'the database is read-only', type: 'unavailable' }],
    });
    await setReadOnly(false);
    await until(async () => (await running.request('GET', '/readyz')).status === 200);
    expect(spelled(await collect(running.client().runStream(say('back', { agent_id: 'echo' }))))).toBe(
      'back',
    );
  } finally {
    await admin.close();
    await running.close();
  }
});
