import type { Selectable } from 'kysely';
import type { Database, Store } from './store.ts';
import type { RunsTable, SubjectUsageTable, ToolCallsTable } from './tables.ts';
import { endAndDeleteThreads, type Erased, type Thread } from './threads.ts';
import { removeTexts } from './search-index.ts';

/** A visitor of a tenant. */
export interface Subject {
  readonly tenantId: string;
  readonly subject: string;
}

/** Number of threads per transaction, which blocks the embedded database. */
const batchSize = 10;

/** Returns some threads of a visitor in the order of their ids. Call it again for the rest. */
export function threadsOfSubject(
  database: Database,
  { tenantId, subject }: Subject,
  after = '',
): Promise<Thread[]> {
  return database
    .selectFrom('threads')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('subject', '=', subject)
    .where('id', '>', after)
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Returns the runs of a thread, oldest first. */
export function runsOfThread(database: Database, threadId: string): Promise<Selectable<RunsTable>[]> {
  return database
    .selectFrom('runs')
    .selectAll()
    .where('thread_id', '=', threadId)
    .orderBy('created_on')
    .orderBy('id')
    .execute();
}

/** Returns the tool calls of a thread with their decisions, oldest first. */
export function callsOfThread(database: Database, threadId: string): Promise<Selectable<ToolCallsTable>[]> {
  return database
    .selectFrom('tool_calls')
    .selectAll()
    .where('thread_id', '=', threadId)
    .orderBy('position')
    .execute();
}

/** Returns what a visitor used, by day. */
export function usageOfSubject(
  database: Database,
  { tenantId, subject }: Subject,
): Promise<Selectable<SubjectUsageTable>[]> {
  return database
    .selectFrom('subject_usage')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('subject', '=', subject)
    .orderBy('day')
    .execute();
}

/**
 * Deletes everything of a visitor, in small transactions. The runs of the visitor end on all instances.
 * @returns how much was deleted
 */
export async function eraseSubject(store: Store, person: Subject): Promise<Erased> {
  const { tenantId, subject } = person;
  const erased = { threads: 0, messages: 0, runs: 0, notifications: 0, decisions: 0 };
  for (;;) {
    const ids = (await threadsOfSubject(store.database, person)).slice(0, batchSize).map(({ id }) => id);
    if (ids.length === 0) break;
    const removed = await endAndDeleteThreads(store, ids);
    for (const kind of Object.keys(erased) as (keyof Erased)[]) erased[kind] += removed[kind]; // its only keys
  }
  await store.transaction(async (database, announce) => {
    const removed = await database
      .deleteFrom('messages') // in threads of others, if there ever are any
      .where('tenant_id', '=', tenantId)
      .where('author', '=', subject)
      .returning(['id', 'thread_id'])
      .execute();
    const [threadIds, ids] = [removed.map((one) => one.thread_id), removed.map((one) => one.id)];
    if (ids.length > 0) await removeTexts(database, threadIds, ids);
    erased.messages += removed.length;
    await database
      .deleteFrom('cancel_intents')
      .where('tenant_id', '=', tenantId)
      .where('author', '=', subject)
      .execute();
    await database
      .deleteFrom('subject_usage')
      .where('tenant_id', '=', tenantId)
      .where('subject', '=', subject)
      .execute();
    announce(`subject:${JSON.stringify([tenantId, subject])}`);
  });
  return erased;
}
