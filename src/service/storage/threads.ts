import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { jsonRows } from './json-rows.ts';
import type { Database, Store } from './store.ts';
import type { ThreadsTable } from './tables.ts';

/** After the end of a run, its instance may append the last events for so long, if Redis was away. */
const recentMs = 86_400_000;

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
  return thread && isWithin(thread, reach) ? thread : undefined;
}

/** Finds threads that callers have access to, in the order of the keys; none for `undefined`. See `findThread`. */
export async function findThreads(
  database: Database,
  keys: readonly ({ readonly id: string; readonly reach: Reach } | undefined)[],
): Promise<readonly (Thread | undefined)[]> {
  const ids = [...new Set(keys.flatMap((key) => key?.id.toLowerCase() ?? []))];
  if (ids.length === 0) return [];
  const rows = await database.selectFrom('threads').selectAll().where('id', 'in', ids).execute();
  const found = new Map(rows.map((thread) => [thread.id, thread]));
  return keys.map((key) => {
    const thread = key && found.get(key.id.toLowerCase());
    return thread && isWithin(thread, key.reach) ? thread : undefined;
  });
}

/** Locks a thread, so nobody deletes it before the transaction ends. Returns whether it exists. */
export async function holdThread({ shared }: Store, database: Database, id: string): Promise<boolean> {
  const thread = database.selectFrom('threads').select('id').where('id', '=', id);
  return (await (shared ? thread.forKeyShare() : thread).executeTakeFirst()) !== undefined;
}

function isWithin(thread: Thread, { tenantId, subject }: Reach): boolean {
  return thread.tenant_id === tenantId && (subject === undefined || thread.subject === subject);
}

/** The values of a new thread. */
export interface NewThread {
  /** Absent: a random one. */
  readonly id?: string | undefined;
  readonly tenantId: string;
  readonly subject: string;
  readonly agentId: string;
}

/** Returns the row of a new thread. */
export function newThread({ id = randomUUID(), tenantId, subject, agentId }: NewThread): Thread {
  const now = Date.now();
  return {
    id,
    tenant_id: tenantId,
    subject,
    agent_id: agentId,
    clock: now,
    created_on: now,
    updated_on: now,
    title: null,
    agent_title: null,
    first_words: '',
    last_line: null,
    last_role: null,
    archived: 0,
  };
}

/** Inserts the rows of new threads. */
export async function insertThreads(
  store: Store,
  database: Database,
  threads: readonly Thread[],
): Promise<void> {
  if (threads.length === 0) return;
  const rows = threads.map((row) => [
    row.id,
    row.tenant_id,
    row.subject,
    row.agent_id,
    row.clock,
    row.created_on,
  ]);
  await sql`
    insert into threads (id, tenant_id, subject, agent_id, clock, created_on, updated_on, first_words)
    select j.value->>0, j.value->>1, j.value->>2, j.value->>3, cast(j.value->>4 as bigint),
      cast(j.value->>5 as bigint), ${store.clock()}, ''
    from ${jsonRows(store, rows)}`.execute(database);
}

/**
 * Returns the next positions in threads, one for each entry of `threadIds`; a thread may occur several times.
 * `undefined`: the thread was deleted. Locks the rows of the threads until the transaction ends, so positions are
 * committed in order and readers miss nothing.
 */
export async function nextClocks(
  store: Store,
  database: Database,
  threadIds: readonly string[],
): Promise<readonly (number | undefined)[]> {
  const counts = new Map<string, number>();
  for (const id of threadIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const now = Date.now();
  const { rows } = await sql<{ id: string; clock: number }>`
    update threads set updated_on = ${store.clock()},
      clock = case when clock >= ${now} then clock + 1 else ${now} end + cast(j.value->>1 as bigint) - 1
    from ${jsonRows(store, [...counts])} where threads.id = j.value->>0 returning threads.id, threads.clock`.execute(
    database,
  );
  const next = new Map(rows.map(({ id, clock }) => [id, clock - (counts.get(id) ?? 1) + 1]));
  return threadIds.map((id) => {
    const clock = next.get(id);
    if (clock !== undefined) next.set(id, clock + 1);
    return clock;
  });
}

/** How many rows of each kind were deleted. */
export interface Erased {
  readonly threads: number;
  readonly messages: number;
  readonly runs: number;
  readonly notifications: number;
  readonly decisions: number;
}

/** Deletes a thread with all its data, also from the files. */
export async function deleteThread(store: Store, threadId: string): Promise<void> {
  await endAndDeleteThreads(store, [threadId]);
  await store.eraseDeleted();
}

/** Deletes threads and all their data in one transaction. Their runs end on all instances. */
export function endAndDeleteThreads(store: Store, threadIds: readonly string[]): Promise<Erased> {
  return store.transaction(async (database, announce) => {
    const running = await database
      .updateTable('runs')
      .set({ cancel_requested: 1 })
      .where('thread_id', 'in', threadIds)
      .where('status', '=', 'running')
      .returning('id')
      .execute();
    const erased = await deleteThreads(store, database, threadIds);
    for (const { id } of running) {
      announce(`cancel:${id}`);
      announce(`run:${id}`);
    }
    for (const id of threadIds) announce(`thread:${id}`);
    return erased;
  });
}

/**
 * Deletes threads and all their data. Deletes the threads first and locks their runs before the events, so
 * concurrent inserts cannot leave data behind.
 */
export async function deleteThreads(
  store: Store,
  database: Database,
  threadIds: readonly string[],
): Promise<Erased> {
  const { numDeletedRows } = await database
    .deleteFrom('threads')
    .where('id', 'in', threadIds)
    .executeTakeFirst();
  const ended = await database
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('thread_id', 'in', threadIds)
    .returning((select) => [
      'id',
      select
        .or([
          select('ended_on', 'is', null),
          select('ended_on', '>', sql<number>`${store.clock()} - ${sql.lit(recentMs)}`),
        ])
        .as('isRecent'),
    ])
    .execute();
  const removed = ended.map(({ id, isRecent }) => ({ id, isRecent: Boolean(isRecent) }));
  if (removed.length > 0) await store.events.remove(database, removed);
  const deleteFrom = async (
    table: 'runs' | 'messages' | 'search_texts' | 'notifications' | 'tool_calls',
  ): Promise<number> => {
    const deleted = await database.deleteFrom(table).where('thread_id', 'in', threadIds).executeTakeFirst();
    return Number(deleted.numDeletedRows);
  };
  const runs = await deleteFrom('runs');
  const messages = await deleteFrom('messages');
  await deleteFrom('search_texts');
  const notifications = await deleteFrom('notifications');
  const decisions = await deleteFrom('tool_calls');
  return { threads: Number(numDeletedRows), messages, runs, notifications, decisions };
}
