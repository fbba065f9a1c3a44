import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Message, StoredMessage } from '../../protocol/index.ts';
import { findByClientMessageId, insertMessage } from './messages.ts';
import type { Database, Store, Topic } from './store.ts';
import type { RunsTable, StoredRunStatus } from './tables.ts';
import { findThread, insertThread, type Reach, type Thread } from './threads.ts';

/** A stored run. */
export type Run = Selectable<RunsTable>;

/** The values of a new run. */
export interface NewRun {
  readonly reach: Reach;
  /** The sender: a subject or `key:<id>`. */
  readonly author: string;
  readonly threadId: string | undefined;
  readonly agentId: string;
  readonly message: Message;
  readonly clientMessageId: string | undefined;
  readonly contentHash: string;
  readonly owner: string;
  readonly leaseMs: number;
  /** Called with the thread before any write; throws to refuse. */
  readonly admit: (thread: Thread | undefined) => void;
  /** Called before a new run is written, possibly more than once; throws to refuse. */
  readonly admitNew: () => void;
  /** Called in the transaction after message and run are written; throws to undo both. */
  readonly begun?: (database: Database, run: Run, announce: (topic: Topic) => void) => Promise<void>;
}

/** The result of starting a run. */
export type RunStart =
  | {
      readonly kind: 'started';
      readonly run: Run;
      readonly thread: Thread;
      readonly message: StoredMessage;
      readonly cancelled: boolean;
    }
  | { readonly kind: 'existing'; readonly run: Run }
  | { readonly kind: 'clash' }
  | { readonly kind: 'no-thread' };

/**
 * Stores the visitor's message and creates its run in one transaction. A sender's `clientMessageId` creates
 * only one run, even under concurrency.
 */
export async function startRun(store: Store, opening: NewRun): Promise<RunStart> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await store.transaction((database, announce) =>
        tryToBegin(store, database, { ...opening, announce }),
      );
    } catch (error) {
      if (!(error instanceof DuplicateIdError)) throw error;
      if (attempt === 3) return { kind: 'clash' };
    }
  }
}

async function tryToBegin(
  store: Store,
  database: Database,
  opening: NewRun & { readonly announce: (topic: Topic) => void },
): Promise<RunStart> {
  const { reach, author, clientMessageId } = opening;
  const found =
    opening.threadId === undefined ? undefined : await findThread(database, opening.threadId, reach);
  if (opening.threadId !== undefined && !found) return { kind: 'no-thread' };
  opening.admit(found);
  const before =
    clientMessageId === undefined
      ? undefined
      : await findByClientMessageId(database, { tenantId: reach.tenantId, author, clientMessageId });
  if (before) {
    const same =
      before.contentHash === opening.contentHash && (!found || found.id === before.stored.thread_id);
    const run = same ? await findRun(database, before.stored.run_id ?? '') : undefined;
    return run ? { kind: 'existing', run } : { kind: 'clash' };
  }
  opening.admitNew();

  const thread =
    found ??
    (await insertThread(database, {
      tenantId: reach.tenantId,
      subject: reach.subject ?? '',
      agentId: opening.agentId,
    }));
  const runId = randomUUID();
  const message = await insertMessage(database, {
    threadId: thread.id,
    tenantId: reach.tenantId,
    author,
    runId,
    role: opening.message.role ?? 'user',
    ...(clientMessageId === undefined ? {} : { clientMessageId }),
    contentHash: opening.contentHash,
    message: opening.message,
  });
  if (!message) throw new DuplicateIdError();
  const cancelled =
    clientMessageId !== undefined &&
    (await takeCancelIntent(store, database, { reach, author, clientMessageId }));
  const now = Date.now();
  const run = await database
    .insertInto('runs')
    .values({
      id: runId,
      thread_id: thread.id,
      tenant_id: reach.tenantId,
      author,
      agent_id: opening.agentId,
      status: 'running',
      message_id: message.stored.id,
      owner: opening.owner,
      lease_until: sql<number>`${store.clock()} + ${sql.lit(opening.leaseMs)}`,
      cancel_requested: 0,
      reader_seen: store.clock(),
      created_on: now,
      ended_on: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await opening.begun?.(database, run, opening.announce);
  return { kind: 'started', run, thread, message: message.stored, cancelled };
}

/** Rolls back a transaction when a concurrent request used the same id. */
class DuplicateIdError extends Error {
  override readonly name = 'AlreadyTaken';
}

/** Finds a run by its id, without an access check. */
export function findRun(database: Database, id: string): Promise<Run | undefined> {
  return database.selectFrom('runs').selectAll().where('id', '=', id.toLowerCase()).executeTakeFirst();
}

/** Finds the run of a sender's message. */
export async function findRunByClientMessageId(
  database: Database,
  key: { tenantId: string; author: string; clientMessageId: string },
): Promise<Run | undefined> {
  const message = await findByClientMessageId(database, key);
  return message?.stored.run_id ? findRun(database, message.stored.run_id) : undefined;
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
export async function keepCancelIntent(
  store: Store,
  key: { tenantId: string; author: string; clientMessageId: string },
): Promise<void> {
  const until = sql<number>`${store.clock()} + 60000`;
  await store.database
    .insertInto('cancel_intents')
    .values({ tenant_id: key.tenantId, author: key.author, client_message_id: key.clientMessageId, until })
    .onConflict((clash) => clash.columns(['tenant_id', 'author', 'client_message_id']).doUpdateSet({ until }))
    .execute();
}

async function takeCancelIntent(
  store: Store,
  database: Database,
  { reach, author, clientMessageId }: { reach: Reach; author: string; clientMessageId: string },
): Promise<boolean> {
  const taken = await database
    .deleteFrom('cancel_intents')
    .where('tenant_id', '=', reach.tenantId)
    .where('author', '=', author)
    .where('client_message_id', '=', clientMessageId)
    .where('until', '>', store.clock())
    .returning('until')
    .executeTakeFirst();
  return taken !== undefined;
}

/** The end of a run. Readers compare `at`, the timestamp of its last event, to see that they have everything. */
export interface RunEnding {
  readonly status: StoredRunStatus;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Stores the end of a run if it is still active. Its calls that have no result are `unknown` from then on. */
export async function endRun(database: Database, runId: string, { status, at }: RunEnding): Promise<void> {
  await database
    .updateTable('runs')
    .set({ status, ended_on: at })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .execute();
  await database
    .updateTable('tool_calls')
    .set({ state: 'unknown', ended_on: at })
    .where('executed_run', '=', runId)
    .where('state', '=', 'running')
    .execute();
}
