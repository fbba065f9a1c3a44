import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import { LeaseKeeper } from '../../../src/service/runs/lease-keeper.ts';
import { createPartitions } from '../../../src/service/storage/event-partitions.ts';
import { readRun } from '../../../src/service/storage/event-log.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openPostgres } from '../../../src/service/storage/open-postgres.ts';
import { appendOwned, packTopics, unpackTopics } from '../../../src/service/storage/postgres-event-log.ts';
import { sweep } from '../../../src/service/storage/retention.ts';
import { insertRunEvents, start, type StoredEvent } from '../../../src/service/storage/run-events.ts';
import { findRun } from '../../../src/service/storage/runs.ts';
import type { Store, Topic } from '../../../src/service/storage/store.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { startPostgres, type Postgres } from '../postgres.ts';
import { createOldSchema, oldEvent } from './old-schema.ts';
import { startTestRun } from './start-test-run.ts';

let postgres: Postgres | undefined;
let store: Store;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
});
test.afterAll(() => postgres?.stop());
test.beforeEach(async () => {
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  store = await openPostgres((await postgres?.createDatabase()) ?? '', () => undefined);
});
test.afterEach(() => store.close());

async function ready(): Promise<void> {
  await migrate(store);
  await store.events.open();
}

async function begin(owner = 'this one'): Promise<{ runId: string; threadId: string }> {
  const { run, thread } = await startTestRun(store, { owner, leaseMs: 0 });
  return { runId: run.id, threadId: thread.id };
}

const delta = (ms: number): StoredEvent => ({ ms, sequence: 0, event: 'message.delta', json: `{"n":${ms}}` });
const read = (runId: string) => readRun(store.events, { runId, cursor: start });
const trim = (ttlSeconds: number) => store.events.trim({ ttlSeconds, signal: undefined });

/** Moves a run's events, as if they had been stored on another day. */
async function storeDaysAgo(runId: string, days: number): Promise<void> {
  const day = sql<number>`floor(extract(epoch from clock_timestamp()) / 86400)::integer - ${sql.lit(days)}`;
  await sql`update run_events set day = ${day} where run_id = ${runId}`.execute(store.database);
}

test('events of an older schema are kept, found beside new ones, and dropped with their day', async () => {
  await createOldSchema(store);
  await migrate(store);
  await createPartitions(store);
  await insertRunEvents(store, store.database, [{ runId: 'run', events: [delta(9)] }]);
  expect(await read('run')).toEqual([oldEvent, delta(9)]);
  await trim(60);
  expect(await read('run')).toEqual([oldEvent, delta(9)]);
});

test('partitions exist for the coming days, however often and by whom they are created', async () => {
  await migrate(store);
  await Promise.all([createPartitions(store), createPartitions(store), createPartitions(store)]);
  await createPartitions(store);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_inherits where inhparent = 'run_events'::regclass`.execute(
    store.database,
  );
  expect(rows[0]?.count).toBe(4);
});

test('a day is dropped by the clock of the database once its events have expired', async () => {
  await ready();
  const day = Math.floor(Date.now() / 86_400_000);
  await sql`alter table ${sql.ref(`run_events_until_${day}`)} rename to ${sql.ref(`run_events_until_${day - 3}`)}`.execute(
    store.database,
  );
  const { runId } = await begin();
  await insertRunEvents(store, store.database, [{ runId, events: [delta(1)] }]);
  const now = Date.now;
  Date.now = () => now() + 40 * 86_400_000; // this instance's clock is wrong
  try {
    await trim(10 * 86_400);
  } finally {
    Date.now = now;
  }
  expect(await read(runId)).toEqual([delta(1)]);
  await sql`update runs set created_on = 1`.execute(store.database);
  await trim(86_400);
  expect(await read(runId), 'the run is active').toEqual([delta(1)]);
  // expired a day after the end of that day
  const overdue = Date.now() / 1000 - (day - 1) * 86_400;
  expect(Math.abs((await store.events.overdue(86_400)) - overdue)).toBeLessThan(30);
  expect(await store.events.overdue(10 * 86_400)).toBe(0);
  await sql`update runs set status = 'completed', ended_on = 2`.execute(store.database);
  await trim(86_400);
  expect(await read(runId)).toEqual([]);
  expect(await store.events.overdue(86_400)).toBe(0);
});

test('while a day cannot be dropped, as during a backup, the rest is removed', async () => {
  await ready();
  const day = Math.floor(Date.now() / 86_400_000);
  const [kept, expired] = [`run_events_until_${day}`, `run_events_until_${day - 3}`];
  await sql`alter table ${sql.ref(kept)} rename to ${sql.ref(expired)}`.execute(store.database);
  await sql`insert into cancel_intents values ('quay', 'ada', 'message', 1)`.execute(store.database);
  await store.transaction(async (backup) => {
    await sql`lock table ${sql.ref(expired)} in access share mode`.execute(backup);
    await expect(sweep(store, { runEventsTtl: 86_400, threadTtl: 0 })).rejects.toThrow('lock timeout');
  });
  expect(await store.database.selectFrom('cancel_intents').selectAll().execute()).toEqual([]);
});

test('an event that was stored on two days is read once', async () => {
  await ready();
  await insertRunEvents(store, store.database, [{ runId: 'run', events: [delta(1), delta(2)] }]);
  await storeDaysAgo('run', 1);
  await insertRunEvents(store, store.database, [
    { runId: 'run', events: [delta(1), delta(2)] },
    { runId: 'run', events: [delta(3)] },
  ]);
  expect(await read('run')).toEqual([delta(1), delta(2), delta(3)]);
});

test('only the owner of an active run appends to it, and followers are told', async () => {
  await ready();
  const [mine, ended, foreign] = [await begin(), await begin(), await begin('another')];
  const deleted = await begin();
  await sql`update runs set status = 'completed' where id = ${ended.runId}`.execute(store.database);
  await deleteThread(store, deleted.threadId);
  const heard: Topic[] = [];
  store.listen((topic) => heard.push(topic));
  const ids = [mine, ended, foreign, deleted].map(({ runId }) => runId);
  const batches = ids.map((runId) => ({ runId, events: [delta(1)] }));
  const notices = packTopics(ids.map((id): Topic => `run:${id}`));
  expect(notices).toHaveLength(1);
  expect(await appendOwned(store, 'this one', { batches, notices })).toEqual(new Set([mine.runId]));
  expect(await read(mine.runId)).toEqual([delta(1)]);
  for (const runId of ids.slice(1)) expect(await read(runId)).toEqual([]);
  await expect.poll(() => heard).toContain(`run:${mine.runId}`);
});

test('many topics fit into few notifications below the limit of PostgreSQL', () => {
  const topics = Array.from({ length: 1_000 }, (_, place): Topic => `run:${String(place).padStart(36, '0')}`);
  const notices = packTopics(topics);
  expect(notices.length).toBeLessThan(10);
  for (const notice of notices) expect(notice.length).toBeLessThan(8_000);
  expect(notices.flatMap(unpackTopics)).toEqual(topics);
});

test('one lease covers all runs of an instance; without it, another instance ends them after a while', async () => {
  await ready();
  const keeper = (owner: string, leaseMs: number): LeaseKeeper =>
    new LeaseKeeper({
      store,
      owner,
      leaseMs,
      onCancelled: () => undefined,
      onOrphanEnded: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
  const owner = keeper('owner', 60_000);
  await owner.open();
  const runs = [await begin('owner'), await begin('owner')];
  const other = keeper('other', 60_000);
  await other.open();
  for (const { runId } of runs)
    expect(await findRun(store.database, runId)).toMatchObject({ status: 'running' });
  await owner.close();
  await other.close();
  const fresh = keeper('fresh', 60_000);
  await fresh.open(); // maybe just as the database is back: the owner gets time to renew its lease
  for (const { runId } of runs)
    expect(await findRun(store.database, runId)).toMatchObject({ status: 'running' });
  await fresh.close();
  const later = keeper('later', 300);
  await later.open();
  for (const { runId } of runs) {
    await expect.poll(() => findRun(store.database, runId)).toMatchObject({ status: 'expired' });
    expect((await read(runId)).map(({ event }) => event)).toEqual(['run.expired', 'done']);
  }
  await later.close();
});
