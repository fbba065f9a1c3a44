import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Database, Store } from './store.ts';
import type { ThreadsTable } from './tables.ts';

/** A stored thread. */
export type Thread = Selectable<ThreadsTable>;

/**
 * What a caller has access to: a visitor's own threads, or the whole tenant for an API key (`subject`
 * undefined).
 */
export interface Reach {
  readonly tenantId: string;
  readonly subject: string | undefined;
}

/** Finds a thread that the caller has access to. Missing and foreign threads are handled alike. */
export async function findThread(database: Database, id: string, reach: Reach): Promise<Thread | undefined> {
  const thread = await database
    .selectFrom('threads')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst();
  if (thread?.tenant_id !== reach.tenantId) return undefined;
  if (reach.subject !== undefined && thread.subject !== reach.subject) return undefined;
  return thread;
}

/** Creates a thread. */
export async function insertThread(
  database: Database,
  values: { tenantId: string; subject: string; agentId: string },
): Promise<Thread> {
  const now = Date.now();
  const thread: Thread = {
    id: randomUUID(),
    tenant_id: values.tenantId,
    subject: values.subject,
    agent_id: values.agentId,
    clock: now,
    created_on: now,
    updated_on: now,
  };
  await database.insertInto('threads').values(thread).execute();
  return thread;
}

/**
 * Returns the next position in a thread. Locks the thread's row until the transaction ends, so positions are
 * committed in order and readers miss nothing.
 */
export async function nextClock(database: Database, threadId: string): Promise<number | undefined> {
  const now = Date.now();
  const row = await database
    .updateTable('threads')
    .set({ clock: sql<number>`case when clock >= ${now} then clock + 1 else ${now} end`, updated_on: now })
    .where('id', '=', threadId)
    .returning('clock')
    .executeTakeFirst();
  return row?.clock;
}

/** Deletes a thread with all its data. */
export async function deleteThread(store: Store, threadId: string): Promise<void> {
  await store.transaction(async (database, announce) => {
    const running = await database
      .updateTable('runs')
      .set({ cancel_requested: 1 })
      .where('thread_id', '=', threadId)
      .where('status', '=', 'running')
      .returning('id')
      .execute();
    for (const run of running) announce(`cancel:${run.id}`);
    await deleteThreads(database, [threadId]);
    announce(`thread:${threadId}`);
  });
  await store.eraseDeleted();
}

/**
 * Deletes threads and all their data. Deletes the threads first and locks their runs before the events, so
 * concurrent inserts cannot leave data behind.
 */
export async function deleteThreads(database: Database, threadIds: readonly string[]): Promise<void> {
  if (threadIds.length === 0) return;
  await database.deleteFrom('threads').where('id', 'in', threadIds).execute();
  await database
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('thread_id', 'in', threadIds)
    .execute();
  const runs = database.selectFrom('runs').select('id').where('thread_id', 'in', threadIds);
  await database.deleteFrom('run_events').where('run_id', 'in', runs).execute();
  await database.deleteFrom('runs').where('thread_id', 'in', threadIds).execute();
  await database.deleteFrom('messages').where('thread_id', 'in', threadIds).execute();
  await database.deleteFrom('notifications').where('thread_id', 'in', threadIds).execute();
  await database.deleteFrom('tool_calls').where('thread_id', 'in', threadIds).execute();
}
