import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { StoredRunCalls } from '../../../src/service/decisions/run-calls.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import type { Run } from '../../../src/service/storage/runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { startTestRun } from '../storage/start-test-run.ts';

let folder: string;
let store: Store;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-chat-calls-'));
  store = openSqlite(folder);
  await migrate(store);
});
test.afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** The calls of a run. A wait for a change in its thread ends at once. */
function callsOf({ id, thread_id, tenant_id }: Run): StoredRunCalls {
  return new StoredRunCalls({
    store,
    owner: { runId: id, threadId: thread_id, tenantId: tenant_id },
    rows: [],
    isAnswer: false,
    auditCall: () => undefined,
    threadChanged: () => Promise.resolve(),
  });
}

test('an agent that goes on after the deletion of its thread leaves no calls', async () => {
  const { run } = await startTestRun(store);
  const calls = callsOf(run);
  const call = { name: 'book_berth', args: { name: 'Ada' }, state: 'running' } as const;
  await calls.add([call], 1_000);
  await deleteThread(store, run.thread_id);
  await expect(calls.add([call], 1_000)).rejects.toThrow('has ended');
  expect(await store.database.selectFrom('tool_calls').selectAll().execute()).toEqual([]);
});

test('a question stays open while the database is away, unless nobody waits for its answer', async () => {
  const { run } = await startTestRun(store);
  const question = { callId: '', title: 'Which berth?', server: 'berths', schema: {} };
  const { id } = await callsOf(run).ask(question, 60_000);
  const { database } = store;
  let reads = 0;
  store = {
    ...store,
    get database() {
      reads += 1;
      if (reads > 3) return database;
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    },
  };
  const { signal } = new AbortController();
  await database.updateTable('tool_calls').set({ state: 'approved', args: '{"berth":7}' }).execute();
  expect(await callsOf(run).answered(id, { signal, gone: signal })).toEqual({ berth: 7 });
  reads = 0;
  expect(await callsOf(run).answered(id, { signal, gone: AbortSignal.abort() })).toBe('expired');
});
