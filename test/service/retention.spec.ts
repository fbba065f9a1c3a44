import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CompiledQuery } from 'kysely';
import { migrate } from '../../src/service/storage/migrate.ts';
import { openSqlite } from '../../src/service/storage/open-sqlite.ts';
import { runsWithOldEvents, sweep } from '../../src/service/storage/retention.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { insertThread } from '../../src/service/storage/threads.ts';

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
  for (let place = 0; place < count; place += 1) {
    const { id } = await insertThread(store.database, values);
    await store.database
      .insertInto('run_events')
      .values({ run_id: id, ms: 1, sequence: 0, events: '' })
      .execute();
    await store.database
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
  await store.database.updateTable('threads').set({ updated_on: 1 }).execute();
}

const left = async (table: 'threads' | 'run_events') =>
  (await store.database.selectFrom(table).selectAll().execute()).length;

test('others have their turn while old threads and events are removed', async () => {
  await keepOldThreads(60);
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(12);
  expect([await left('threads'), await left('run_events')]).toEqual([0, 0]);
});

test('a service that stops does not wait for all that is old to be removed', async () => {
  await keepOldThreads(60);
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  await sweep(store, { runEventsTtl: 1, threadTtl: 1 }, stop.signal);
  expect(await left('threads')).toBe(60);
  expect(await left('run_events')).toBeGreaterThan(0);
});

test('old events are looked for among the events, not among the runs of years', async () => {
  const { sql, parameters } = runsWithOldEvents(store.database, 1).compile();
  const plan = await store.database.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  const details = plan.rows.map(({ detail }) => detail).join('\n');
  expect(details).toMatch(/SEARCH runs USING INDEX \S+ \(id=\?\)/);
  expect(details).not.toContain('runs_ended');
});
