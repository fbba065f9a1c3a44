import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { Message, StoredMessage } from '../../protocol/index.ts';
import { findByClientMessageId, insertMessage } from './messages.ts';
import type { Database, Store } from './store.ts';
import type { RunsTable, StoredRunStatus } from './tables.ts';
import { findThread, insertThread, type Reach, type Thread } from './threads.ts';

/** A run as stored. */
export type Run = Selectable<RunsTable>;

/** What a run begins with. */
export interface NewRun {
  readonly reach: Reach;
  /** Who asks: a subject or `key:<id>`. */
  readonly author: string;
  readonly threadId: string | undefined;
  readonly agentId: string;
  readonly message: Message;
  readonly clientMessageId: string | undefined;
  readonly contentHash: string;
  readonly owner: string;
  /** Milliseconds a lease lasts. */
  readonly leaseMs: number;
  /** Called with the thread before anything is written; throws to refuse. */
  readonly admit: (thread: Thread | undefined) => void;
  /** Called when a new run is to begin, perhaps more than once; throws to refuse. */
  readonly admitNew: () => void;
}

/** How a run began, or why it did not. */
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
 * Keeps the visitor's message and opens its run in one transaction. The same sender's `clientMessageId` opens a run
 * only once, whoever asks at the same time.
 */
export async function startRun(store: Store, opening: NewRun): Promise<RunStart> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await store.transaction((database) => tryToBegin(store, database, opening));
    } catch (error) {
      if (!(error instanceof DuplicateIdError)) throw error;
      if (attempt === 3) return { kind: 'clash' };
    }
  }
}

async function tryToBegin(store: Store, database: Database, opening: NewRun): Promise<RunStart> {
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
  return { kind: 'started', run, thread, message: message.stored, cancelled };
}

/** Undoes a transaction in which another request won the same id. */
class DuplicateIdError extends Error {
  override readonly name = 'AlreadyTaken';
}

/** Finds a run by its id, whoever it belongs to. */
export function findRun(database: Database, id: string): Promise<Run | undefined> {
  return database.selectFrom('runs').selectAll().where('id', '=', id.toLowerCase()).executeTakeFirst();
}

/** Finds the run that a sender's message of that id opened. */
export async function findRunByClientMessageId(
  database: Database,
  key: { tenantId: string; author: string; clientMessageId: string },
): Promise<Run | undefined> {
  const message = await findByClientMessageId(database, key);
  return message?.stored.run_id ? findRun(database, message.stored.run_id) : undefined;
}

/** Asks for a run's end; its owner hears of it wherever it runs. */
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

/** Remembers for a minute that a message which has not arrived yet is to be cancelled when it does. */
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

/** How a run ended, and the moment of its last event's id: who has read up to there has read all. */
export interface RunEnding {
  readonly status: StoredRunStatus;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Writes how runs ended, those only that the owner still holds. */
export async function endRun(database: Database, runId: string, { status, at }: RunEnding): Promise<void> {
  await database
    .updateTable('runs')
    .set({ status, ended_on: at })
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .execute();
}
