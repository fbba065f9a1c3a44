import { sql, type Selectable } from 'kysely';
import { jsonRows } from './json-rows.ts';
import { findByClientMessageId, type ClientMessageKey } from './messages.ts';
import type { Database, Store } from './store.ts';
import type { RunsTable, StoredRunStatus } from './tables.ts';

/** A stored run. */
export type Run = Selectable<RunsTable>;

/** Finds a run by its id, without an access check. */
export function findRun(database: Database, id: string): Promise<Run | undefined> {
  return database.selectFrom('runs').selectAll().where('id', '=', id.toLowerCase()).executeTakeFirst();
}

/** Finds the run of a sender's message. */
export async function findRunByClientMessageId(
  database: Database,
  key: ClientMessageKey,
): Promise<Run | undefined> {
  const message = await findByClientMessageId(database, key);
  return message?.stored.run_id ? findRun(database, message.stored.run_id) : undefined;
}

/** Whether a run was read on another instance within the last `windowMs` milliseconds. */
export async function wasReadWithin(store: Store, runId: string, windowMs: number): Promise<boolean> {
  const row = await store.database
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('reader_seen', '>', sql<number>`${store.clock()} - ${sql.lit(windowMs)}`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Requests the cancellation of a run; notifies its owner on any instance. */
export async function requestCancel(store: Store, runId: string): Promise<void> {
  await store.transaction(async (database, announce) => {
    const changed = await database
      .updateTable('runs')
      .set({ cancel_requested: 1 })
      .where('id', '=', runId)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst();
    if (changed) announce(`cancel:${runId}`);
  });
}

/** Remembers for a minute that a message is to be cancelled when it arrives. */
export async function keepCancelIntent(store: Store, key: ClientMessageKey): Promise<void> {
  const until = sql<number>`${store.clock()} + 60000`;
  await store.database
    .insertInto('cancel_intents')
    .values({ tenant_id: key.tenantId, author: key.author, client_message_id: key.clientMessageId, until })
    .onConflict((clash) => clash.columns(['tenant_id', 'author', 'client_message_id']).doUpdateSet({ until }))
    .execute();
}

/** Deletes the cancel intents of messages that arrived. Returns the ids of those messages. */
export async function takeCancelIntents(
  store: Store,
  database: Database,
  keys: readonly ClientMessageKey[],
): Promise<ReadonlySet<ClientMessageKey>> {
  if (keys.length === 0) return new Set();
  const values = keys.map((key) => [key.tenantId, key.author, key.clientMessageId]);
  const { rows } = await sql<{ tenant_id: string; author: string; client_message_id: string }>`
    delete from cancel_intents where (tenant_id, author, client_message_id) in
      (select j.value->>0, j.value->>1, j.value->>2 from ${jsonRows(store, values)})
    and until > ${store.clock()} returning tenant_id, author, client_message_id`.execute(database);
  return new Set(
    keys.filter(({ tenantId, author, clientMessageId }) =>
      rows.some(
        (row) =>
          row.client_message_id === clientMessageId && row.author === author && row.tenant_id === tenantId,
      ),
    ),
  );
}

/** The end of a run. Readers compare `at`, the timestamp of its last event, to see that they have everything. */
export interface RunEnding {
  readonly status: StoredRunStatus;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Stores the ends of runs that are still active, with two statements in all. Their calls that have no result are
 * `unknown` from then on.
 */
export async function endRuns(
  store: Store,
  database: Database,
  ends: readonly (RunEnding & { readonly runId: string })[],
): Promise<void> {
  if (ends.length === 0) return;
  const values = jsonRows(
    store,
    ends.map(({ runId, status, at }) => [runId, status, at]),
  );
  await sql`
    update runs set status = j.value->>1, ended_on = cast(j.value->>2 as bigint)
    from ${values} where runs.id = j.value->>0 and runs.status = 'running'`.execute(database);
  await sql`
    update tool_calls set state = 'unknown', ended_on = cast(j.value->>2 as bigint)
    from ${values} where tool_calls.executed_run = j.value->>0 and tool_calls.state = 'running'`.execute(
    database,
  );
}
