import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { CompiledQuery } from 'kysely';
import { insertMessages } from '../../../src/service/storage/messages.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { backlogOf, startRetention, sweep } from '../../../src/service/storage/retention.ts';
import { expiredRuns } from '../../../src/service/storage/sqlite-event-log.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { nextClocks } from '../../../src/service/storage/threads.ts';
import { addUsage, dayOf } from '../../../src/service/storage/usage.ts';
import { insertThread } from './insert-thread.ts';

let directory: string;
let store: Store;
test.beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-retention-'));
  store = openSqlite(directory);
  await migrate(store);
});
test.afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

async function keepOldThreads(count: number): Promise<void> {
  const values = { tenantId: 'quay', subject: 'ada', agentId: 'echo' };
  await store.transaction(async (database) => {
    for (let place = 0; place < count; place += 1) {
      const { id } = await insertThread(store, database, values);
      await database
        .insertInto('run_events')
        .values({ run_id: id, ms: 1, sequence: 0, events: '' })
        .execute();
      await database
        .insertInto('runs')
        .values({
          id,
          thread_id: id,
          tenant_id: 'quay',
          author: 'ada',
          agent_id: 'echo',
          status: 'completed',
          message_id: id,
          owner: '',
          lease_until: 0,
          cancel_requested: 0,
          reader_seen: 0,
          created_on: 1,
          ended_on: 1,
        })
        .execute();
    }
    await database.updateTable('threads').set({ updated_on: 1 }).execute();
  });
}

const left = async (table: 'threads' | 'run_events') =>
  (await store.database.selectFrom(table).selectAll().execute()).length;

const messageCount = async () => (await store.database.selectFrom('messages').select('id').execute()).length;

test('other work continues while old threads and events are deleted', async () => {
  await keepOldThreads(200);
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(7); // slices grow: fewer turns on a fast machine
  expect([await left('threads'), await left('run_events')]).toEqual([0, 0]);
});

test('the usage of single visitors is deleted after a month by the first sweep, that of tenants is kept', async () => {
  const count = { runs: 1, inputTokens: 1, outputTokens: 1 };
  const added = {
    agents: [{ tenantId: 'quay', agentId: 'echo', ...count }],
    subjects: [{ tenantId: 'quay', subject: 'ada', ...count }],
  };
  const dayMs = 86_400_000;
  for (const days of [33, 30])
    await store.transaction((database) => addUsage(store, database, dayOf(Date.now() - days * dayMs), added));
  await sweep(store, { runEventsTtl: 1, threadTtl: 0 });
  const days = async (table: 'subject_usage' | 'usage') =>
    (await store.database.selectFrom(table).select('day').execute()).length;
  expect([await days('subject_usage'), await days('usage')]).toEqual([1, 2]);
});

test('a thread that gets a message during the sweep is kept', async () => {
  await keepOldThreads(2);
  const [thread] = await store.database.selectFrom('threads').select('id').execute();
  const transaction = store.transaction.bind(store);
  store.transaction = async (work, options) => {
    await nextClocks(store, store.database, [thread!.id]);
    return transaction(work, options);
  };
  await sweep(store, { runEventsTtl: 1e10, threadTtl: 1 });
  const kept = await store.database.selectFrom('threads').select('id').execute();
  expect(kept).toEqual([thread]);
});

test('one sweep deletes all that has expired, however much it is', async () => {
  const thread = {
    tenant_id: 'quay',
    subject: 'ada',
    agent_id: 'echo',
    clock: 1,
    created_on: 1,
    updated_on: 1,
  };
  const values = Array.from({ length: 2_010 }, (_, place) => ({ ...thread, id: `${place}` }));
  await store.database.insertInto('threads').values(values).execute();
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  expect(await left('threads')).toBe(0);
});

test('a thread with more messages than one transaction may delete is deleted in steps', async () => {
  await keepOldThreads(1);
  const [thread] = await store.database.selectFrom('threads').select('id').execute();
  const message = { threadId: thread!.id, tenantId: 'quay', author: 'ada', role: 'user' };
  const messages = Array.from({ length: 700 }, () => ({
    ...message,
    message: { content: 'x'.repeat(2_000) },
  }));
  await insertMessages(store, store.database, messages);
  await store.database.updateTable('threads').set({ updated_on: 1 }).execute();
  let longest = 0;
  const transaction = store.transaction.bind(store);
  store.transaction = async (work, options) => {
    const before = await messageCount();
    const result = await transaction(work, options);
    longest = Math.max(longest, before - (await messageCount()));
    return result;
  };
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  expect([await left('threads'), await messageCount()]).toEqual([0, 0]);
  expect(longest).toBeLessThan(300);
});

test('events of a run are kept until the run has ended and its time is over', async () => {
  await keepOldThreads(3);
  const [running, recent] = await store.database.selectFrom('runs').select('id').execute();
  const active = { status: 'running', ended_on: null } as const;
  await store.database.updateTable('runs').set(active).where('id', '=', running!.id).execute();
  await store.database
    .updateTable('runs')
    .set({ ended_on: Date.now() })
    .where('id', '=', recent!.id)
    .execute();
  await sweep(store, { runEventsTtl: 60, threadTtl: 0 });
  const kept = await store.database.selectFrom('run_events').select('run_id').execute();
  expect(kept.map((row) => row.run_id).sort()).toEqual([running!.id, recent!.id].sort());
});

test('without a time limit threads are kept forever', async () => {
  await keepOldThreads(1);
  await sweep(store, { runEventsTtl: 1, threadTtl: 0 });
  expect(await left('threads')).toBe(1);
});

test('a stop does not wait for the whole sweep', async () => {
  await keepOldThreads(60);
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 }, stop.signal);
  expect(await left('threads')).toBe(60);
  expect(await left('run_events')).toBeGreaterThan(0);
});

test('no sweep runs after the service has stopped', async () => {
  await keepOldThreads(60);
  const faults: unknown[] = [];
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const retention = startRetention(store, { runEventsTtl: 1, threadTtl: 1 }, (fault) => faults.push(fault));
    mock.timers.tick(60_000);
    await retention.stop();
    const kept = await left('run_events');
    expect(kept).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn += 1) await othersTurn();
    expect(await left('run_events')).toBe(kept);
  } finally {
    mock.timers.reset();
  }
  expect(faults).toEqual([]);
});

test('the backlog is the age of the oldest expired data, by kind, and nothing once it is removed', async () => {
  await keepOldThreads(3);
  const settings = { runEventsTtl: 3_600, threadTtl: 10 };
  const expired = await backlogOf(store, settings);
  const seconds = (performance.timeOrigin + performance.now()) / 1000;
  expect(Math.abs((expired.get('events') ?? 0) - (seconds - 3_600))).toBeLessThan(5);
  expect(Math.abs((expired.get('threads') ?? 0) - (seconds - 10 * 86_400))).toBeLessThan(5);
  await sweep(store, settings);
  expect(Object.fromEntries(await backlogOf(store, settings))).toEqual({ events: 0, threads: 0 });
});

test('the backlog grows while nothing is removed, as when a sweep hangs', async () => {
  const { now } = performance;
  const retention = startRetention(store, { runEventsTtl: 1, threadTtl: 1 }, () => undefined);
  try {
    expect(Object.fromEntries(retention.backlog())).toEqual({ events: 0, threads: 0 });
    performance.now = () => now.call(performance) + 600_000;
    expect(Math.round(retention.backlog().get('events') ?? 0)).toBe(600 - 120);
  } finally {
    performance.now = now;
    await retention.stop();
  }
});

test('an old thread with an active run is kept', async () => {
  await keepOldThreads(3);
  const [on] = await store.database.selectFrom('threads').select('id').execute();
  const running = { status: 'running', ended_on: null } as const;
  await store.database
    .updateTable('runs')
    .set(running)
    .where('thread_id', '=', on?.id ?? '')
    .execute();
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  expect(await store.database.selectFrom('threads').select('id').execute()).toEqual([on]);
});

test('an expired cancel intent is deleted', async () => {
  for (const [client_message_id, until] of [
    ['over', 1],
    ['still good', Date.now() + 60_000],
  ] as const) {
    const intent = { client_message_id, tenant_id: 'quay', author: 'ada', until };
    await store.database.insertInto('cancel_intents').values(intent).execute();
  }
  await sweep(store, { runEventsTtl: 1, threadTtl: 0 });
  const rows = await store.database.selectFrom('cancel_intents').select('client_message_id').execute();
  expect(rows).toEqual([{ client_message_id: 'still good' }]);
});

test('deleted data is not left in the database’s log', async () => {
  await keepOldThreads(1);
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  const log = readdirSync(directory).find((name) => name.endsWith('-wal'));
  expect(statSync(join(directory, String(log))).size).toBe(0);
});

test('the search for expired events reads only runs that still have events', async () => {
  const { sql, parameters } = expiredRuns(1, 10).compile(store.database);
  const plan = await store.database.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  expect(plan.rows.map(({ detail }) => detail)).toEqual([
    'SEARCH runs USING INDEX runs_with_events (ended_on<?)',
  ]);
});
