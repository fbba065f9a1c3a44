import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { insertNotification } from '../../../src/service/storage/notifications.ts';
import { openPostgres } from '../../../src/service/storage/open-postgres.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { startPostgres } from '../postgres.ts';
import { startTestRun } from './start-test-run.ts';

/** Deletes a thread after a request has found it, and before its notification is stored. */
async function checkDeletion(store: Store): Promise<void> {
  await migrate(store);
  await store.events.open();
  const { thread } = await startTestRun(store);
  await deleteThread(store, thread.id);
  const stored = await insertNotification(
    store,
    thread,
    { thread_id: thread.id, message: 'Hi' },
    JSON.stringify,
  );
  expect(stored).toBe('no-thread');
  expect(await store.database.selectFrom('notifications').selectAll().execute()).toEqual([]);
}

test('a notification for a thread that was just deleted is not stored, in the embedded database', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-notifications-'));
  const store = openSqlite(directory);
  await checkDeletion(store);
  await store.close();
  rmSync(directory, { recursive: true });
});

test('a notification for a thread that was just deleted is not stored, in PostgreSQL', async () => {
  test.setTimeout(300_000);
  const postgres = await startPostgres();
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  if (!postgres) return;
  const store = await openPostgres(await postgres.createDatabase(), () => undefined);
  await checkDeletion(store);
  await store.close();
  await postgres.stop();
});
