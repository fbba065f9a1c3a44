import { sql } from 'kysely';
import { countWithin, sizeOfBody } from './payload-size.ts';
import { removeTexts } from './search-index.ts';
import { inSlices } from './slices.ts';
import { repeatable, storeTime, type Store } from './store.ts';
import { deleteThreads } from './threads.ts';
import { removeOldSubjectUsage } from './usage.ts';

const sweepIntervalMs = 60_000;
const dayMs = 86_400_000;
/** Bytes of messages that one transaction deletes; deleted pages of the embedded database are overwritten. */
const maxSliceBytes = 512 * 1024;
/** How many messages a thread usually has. */
const messagesOfThread = 4;

/** How long data is kept. */
export interface RetentionSettings {
  /** Seconds. */
  readonly runEventsTtl: number;
  /** Days; 0: forever. */
  readonly threadTtl: number;
}

/** Removes what has expired. */
export interface Retention {
  /**
   * How long expired data has waited for its removal, in seconds, by kind of data. It grows while the removal falls
   * behind, fails or hangs.
   */
  backlog(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Deletes expired data once a minute, in small steps. */
export function startRetention(
  store: Store,
  settings: RetentionSettings,
  onError: (error: unknown) => void,
): Retention {
  let work = Promise.resolve();
  let measured: ReadonlyMap<string, number> = new Map();
  let measuredAt = performance.now();
  const stopped = new AbortController();
  const measure = async (): Promise<void> => {
    measured = await backlogOf(store, settings);
    measuredAt = performance.now();
  };
  const timer = setInterval(() => {
    work = work
      .then(async () => {
        await measure();
        await sweep(store.unlimited, settings, stopped.signal);
        if (!stopped.signal.aborted) await measure();
      })
      .catch(onError);
  }, sweepIntervalMs);
  timer.unref();
  return {
    backlog() {
      const late = Math.max(0, (performance.now() - measuredAt - 2 * sweepIntervalMs) / 1000);
      return new Map(['events', 'threads'].map((data) => [data, (measured.get(data) ?? 0) + late]));
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await work;
    },
  };
}

/** How long the oldest expired data has waited for its removal, in seconds, by kind of data. */
export async function backlogOf(
  store: Store,
  { runEventsTtl, threadTtl }: RetentionSettings,
): Promise<ReadonlyMap<string, number>> {
  const events = await store.events.overdue(runEventsTtl);
  if (threadTtl === 0) return new Map([['events', events]]);
  const { rows } = await sql<{ age: number | null }>`
    select ${store.clock()} - min(updated_on) as age from threads`.execute(store.database);
  const ageMs = Number(rows[0]?.age ?? 0);
  return new Map([
    ['events', events],
    ['threads', Math.max(0, (ageMs - threadTtl * dayMs) / 1000)],
  ]);
}

/**
 * Deletes expired events, threads, cancel intents and usage of visitors in steps, and closes questions that nobody
 * answered in time. Stops early when `signal` aborts.
 */
export async function sweep(store: Store, settings: RetentionSettings, signal?: AbortSignal): Promise<void> {
  // a partition of events that cannot be dropped, as during a backup, does not keep the rest
  const trimmed = store.events.trim({ ttlSeconds: settings.runEventsTtl, signal });
  await trimmed.catch(() => undefined);
  await removeOldRows(store, settings, signal);
  await trimmed;
}

async function removeOldRows(
  store: Store,
  settings: RetentionSettings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database } = store;
  await database
    .updateTable('tool_calls')
    .set({ state: 'expired', ended_on: store.clock() })
    .where('state', '=', 'asked')
    .where('expires_on', '<', store.clock())
    .execute();
  await database.deleteFrom('cancel_intents').where('until', '<', store.clock()).execute();
  await removeOldSubjectUsage(database, await storeTime(store));
  if (settings.threadTtl === 0) return;
  const ttlMs = settings.threadTtl * dayMs;
  const removed = await inSlices((size) => removeSome(store, ttlMs, size), {
    blocks: !store.shared,
    signal,
  });
  if (removed > 0) await store.eraseDeleted();
}

/**
 * Deletes messages of threads without messages for some time, and threads with few left. Returns the number of
 * messages, or `size` when there are more. Selects the threads in the same transaction, because a visitor may return
 * to one.
 */
function removeSome(store: Store, ttlMs: number, size: number): Promise<number> {
  return store.transaction(async (database) => {
    const running = database
      .selectFrom('runs')
      .select('thread_id')
      .where('status', '=', sql.lit<'running'>('running'));
    let query = database
      .selectFrom('threads')
      .select('id')
      .where('updated_on', '<', sql<number>`${store.clock()} - ${sql.lit(ttlMs)}`)
      .where('id', 'not in', running)
      .limit(Math.ceil(size / messagesOfThread));
    // skip threads that another instance has locked: it adds a message to them, or deletes them
    if (store.shared) query = query.forUpdate().skipLocked();
    const ids = (await query.execute()).map((thread) => thread.id);
    if (ids.length === 0) return 0;
    const messages = await database
      .selectFrom('messages')
      .select(['id', sizeOfBody])
      .where('thread_id', 'in', ids)
      .limit(size)
      .execute();
    const count = countWithin(messages, maxSliceBytes);
    if (messages.length < size && count === messages.length) await deleteThreads(store, database, ids);
    else {
      const some = messages.slice(0, count).map((message) => message.id);
      await database.deleteFrom('messages').where('id', 'in', some).execute();
      await removeTexts(database, ids, some);
    }
    return size;
  }, repeatable);
}
