import type { Database, Store } from './store.ts';
import { deleteThreads } from './threads.ts';

const sweepDelay = 60_000;
const day = 86_400_000;
const most = 500;

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
  onFault: (fault: unknown) => void,
): () => Promise<void> {
  let work = Promise.resolve();
  const timer = setInterval(() => {
    work = work.then(() => sweep(store, settings)).catch(onFault);
  }, sweepDelay);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await work;
  };
}

/** Removes old events, threads and intents once. */
export async function sweep(store: Store, settings: RetentionSettings): Promise<void> {
  const { database } = store;
  const now = Date.now();
  const ended = await runsWithOldEvents(database, now - settings.runEventsTtl * 1000).execute();
  if (ended.length > 0) {
    const ids = ended.map((run) => run.id);
    await database.deleteFrom('run_events').where('run_id', 'in', ids).execute();
  }
  await database.deleteFrom('cancel_intents').where('until', '<', now).execute();
  if (settings.threadTtl === 0) return;
  const running = database.selectFrom('runs').select('thread_id').where('status', '=', 'running');
  const old = await database
    .selectFrom('threads')
    .select('id')
    .where('updated_on', '<', now - settings.threadTtl * day)
    .where('id', 'not in', running)
    .limit(most)
    .execute();
  if (old.length === 0) return;
  await store.transaction((transaction) =>
    deleteThreads(
      transaction,
      old.map((thread) => thread.id),
    ),
  );
  await store.eraseDeleted();
}

/**
 * Ended runs whose events are older than a moment. Looked for from the events, of which there are those of a day, and not
 * from the runs, of which there are those of years: the embedded database holds everybody up while it looks.
 */
export function runsWithOldEvents(database: Database, before: number) {
  return database
    .selectFrom('runs')
    .select('id')
    .where('ended_on', '<', before)
    .where('id', 'in', database.selectFrom('run_events').select('run_id').where('ms', '<', before))
    .limit(most);
}
