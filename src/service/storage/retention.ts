import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Store } from './store.ts';
import { deleteThreads } from './threads.ts';

const sweepIntervalMs = 60_000;
const dayMs = 86_400_000;
/** Most threads, and most runs' events, that one sweep removes. */
const maxPerSweep = 1_000;
/** How many are removed at a time: the embedded database holds everybody up meanwhile. */
const batchSize = 10;
/** Nothing waits for the disk: what a power cut brings back is removed again. */
const notDurable = { durable: false } as const;

/** How long things are kept. */
export interface RetentionSettings {
  /** Seconds. */
  readonly runEventsTtl: number;
  /** Days; 0: for ever. */
  readonly threadTtl: number;
}

/** Removes what has been kept long enough, once a minute, a little at a time. Gives the function that stops it. */
export function startRetention(
  store: Store,
  settings: RetentionSettings,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let work = Promise.resolve();
  const stopped = new AbortController();
  const timer = setInterval(() => {
    work = work.then(() => sweep(store, settings, stopped.signal)).catch(onError);
  }, sweepIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopped.abort();
    await work;
  };
}

/** Removes old events, threads and intents once, step by step; leaves the rest for later when `signal` fires. */
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
 * Removes some threads without a message since a moment, and gives how many. They are looked for where they are removed:
 * a visitor may come back to one in between.
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
    // what another instance holds just now gets a message, or is removed there
    if (store.shared) query = query.forUpdate().skipLocked();
    const ids = (await query.execute()).map((thread) => thread.id);
    await deleteThreads(database, ids);
    return ids.length;
  }, notDurable);
}

/**
 * Ended runs whose events are older than a moment. Looked for from the events, of which there are those of a day, and not
 * from the runs, of which there are those of years.
 */
export function runsWithOldEvents(database: Database, before: number) {
  return database
    .selectFrom('runs')
    .select('id')
    .where('ended_on', '<', before)
    .where('id', 'in', database.selectFrom('run_events').select('run_id').where('ms', '<', before))
    .limit(maxPerSweep);
}
