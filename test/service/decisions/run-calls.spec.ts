import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { StoredRunCalls } from '../../../src/service/decisions/run-calls.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { startTestRun } from '../storage/start-test-run.ts';

test('an agent that goes on after the deletion of its thread leaves no calls', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-chat-calls-'));
  const store = openSqlite(folder);
  await migrate(store);
  const { run } = await startTestRun(store);
  const calls = new StoredRunCalls({
    store,
    owner: { runId: run.id, threadId: run.thread_id, tenantId: run.tenant_id },
    rows: [],
    isAnswer: false,
    auditCall: () => undefined,
    threadChanged: () => Promise.resolve(),
  });
  const call = { name: 'book_berth', args: { name: 'Ada' }, state: 'running' } as const;
  await calls.add([call], 1_000);
  await deleteThread(store, run.thread_id);
  await expect(calls.add([call], 1_000)).rejects.toThrow('has ended');
  expect(await store.database.selectFrom('tool_calls').selectAll().execute()).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true });
});
