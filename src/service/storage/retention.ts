import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Store } from './store.ts';
import { withoutStatementLimit } from './statement-limit.ts';
import { deleteThreads } from './threads.ts';

const sweepIntervalMs = 60_000;
const dayMs = 86_400_000;
/** Largest number of threads, and of runs, that one sweep cleans up. */
const maxPerSweep = 1_000;
/** Number of rows per transaction, which blocks the embedded database. */
const batchSize = 10;
/** Deletions need no sync to disk: after a power failure, they are simply repeated. */
const notDurable = { durable: false } as const;

/** How long data is kept. */
export interface RetentionSettings {
  /** Seconds. */
  readonly runEventsTtl: number;
  /** Days; 0: forever. */
  readonly threadTtl: number;
}

/** Deletes expired data once a minute, in small steps. Returns a function that stops it. */
export function startRetention(
  store: Store,
  settings: RetentionSettings,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let work = Promise.resolve();
  const stopped = new AbortController();
  const timer = setInterval(() => {
    work = work
      .then(() => withoutStatementLimit(() => sweep(store, settings, stopped.signal)))
      .catch(onError);
  }, sweepIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopped.abort();
    await work;
  };
}

/** Deletes expired events, threads and cancel intents in steps. Stops early when `signal` aborts. */
export async function sweep(store: Store, settings: RetentionSettings, signal?: AbortSignal): Promise<void> {
  const { database } = store;
  const now = Date.now();
  const ended = await runsWithOldEvents(database, now - settings.runEventsTtl * 1000).execute();
  for (let place = 0; place < ended.length && !signal?.aborted; place += batchSize) {
    const ids = ended.slice(place, place + batchSize).map((run) => run.id);
    await store.transaction(
      (transaction) => transaction.deleteFrom('run_events').where('run_id', 'in', ids).execute(),
      notDurable,
    );
    await yieldToEventLoop();
  }
  await database
    .updateTable('tool_calls')
    .set({ state: 'expired', ended_on: now })
    .where('state', '=', 'asked')
    .where('expires_on', '<', now)
    .execute();
  await database.deleteFrom('cancel_intents').where('until', '<', store.clock()).execute();
  if (settings.threadTtl === 0) return;
  let removed = 0;
  while (removed < maxPerSweep && !signal?.aborted) {
    const count = await removeOldThreads(store, now - settings.threadTtl * dayMs);
    removed += count;
    if (count < batchSize) break;
    await yieldToEventLoop();
  }
  if (removed > 0) await store.eraseDeleted();
}

/**
 * Deletes some threads without messages since a time and returns their number. Selects them in the same
 * transaction, because a visitor may return to one.
 */
function removeOldThreads(store: Store, before: number): Promise<number> {
  return store.transaction(async (database) => {
    const running = database.selectFrom('runs').select('thread_id').where('status', '=', 'running');
    let query = database
      .selectFrom('threads')
      .select('id')
      .where('updated_on', '<', before)
      .where('id', 'not in', running)
      .limit(batchSize);
    // skip threads that another instance has locked: it adds a message to them, or deletes them
    if (store.shared) query = query.forUpdate().skipLocked();
    const ids = (await query.execute()).map((thread) => thread.id);
    await deleteThreads(database, ids);
    return ids.length;
  }, notDurable);
}

/**
 * Selects finished runs whose events have expired. Starts from the events: they cover a day, whereas the runs
 * cover years.
 */
export function runsWithOldEvents(database: Database, before: number) {
  return database
    .selectFrom('runs')
    .select('id')
    .where('ended_on', '<', before)
    .where('id', 'in', database.selectFrom('run_events').select('run_id').where('ms', '<', before))
    .limit(maxPerSweep);
}
