import { sql } from 'kysely';
import type { EventLog, TrimOptions } from './event-log.ts';
import { deleteRunEvents, insertRunEvents, runEventsAfter, type StoredEvent } from './run-events.ts';
import { inSlices } from './slices.ts';
import { repeatable, type Database, type Store } from './store.ts';

/** Bytes of events that one slice deletes; deleted pages are overwritten. */
const maxSliceBytes = 512 * 1024;

/** Creates the log in the embedded database. It has one instance, so nobody follows it. */
export function sqliteEventLog(store: Pick<Store, 'engine' | 'database' | 'transaction'>): EventLog {
  return {
    inDatabase: true,
    open: () => Promise.resolve(),
    append: (database, batches) => insertRunEvents(store, database, batches),
    async readAfter(places, database = store.database) {
      const found = new Map<string, readonly StoredEvent[]>();
      for (const { runId, cursor } of places) found.set(runId, await runEventsAfter(database, runId, cursor));
      return found;
    },
    follow: () => () => undefined,
    remove: (database, runs) => deleteRunEvents(store, database, runs),
    async trim({ ttlSeconds, signal }: TrimOptions) {
      const before = Date.now() - ttlSeconds * 1000;
      await inSlices(
        (size) => store.transaction((database) => trimSome(database, before, size), repeatable),
        { blocks: true, signal },
      );
    },
    async overdue(ttlSeconds) {
      const { rows } = await sql<{ oldest: number | null }>`
        select min(ended_on) as oldest from runs where has_events = 1`.execute(store.database);
      const oldest = rows[0]?.oldest ?? Infinity;
      return Math.max(0, (Date.now() - oldest) / 1000 - ttlSeconds);
    },
    ping: () => Promise.resolve(), // the store does it
    close: () => Promise.resolve(),
  };
}

/**
 * Deletes some events of finished runs and returns the number of rows. An index covers only runs that still have
 * events, so what stays costs nothing.
 */
async function trimSome(database: Database, before: number, size: number): Promise<number> {
  const runs = await expiredRuns(before, size).execute(database);
  const ids = JSON.stringify(runs.rows.map(({ id }) => id));
  const { rows } = await sql<{ id: number; bytes: number }>`
    select rowid as id, octet_length(events) as bytes from run_events
    where run_id in (select value from json_each(${ids})) limit ${size}`.execute(database);
  let left = maxSliceBytes;
  const chosen = rows.filter(({ bytes }, index) => index === 0 || (left -= bytes) > 0).map(({ id }) => id);
  if (chosen.length > 0) {
    const list = JSON.stringify(chosen);
    await sql`delete from run_events where rowid in (select value from json_each(${list}))`.execute(database);
  }
  const isDone = rows.length < size && chosen.length === rows.length;
  if (isDone && runs.rows.length > 0)
    await sql`update runs set has_events = 0 where id in (select value from json_each(${ids}))`.execute(
      database,
    );
  return isDone ? runs.rows.length : size;
}

/** Selects finished runs whose events have expired. */
export function expiredRuns(before: number, limit: number) {
  return sql<{ id: string }>`
    select id from runs where has_events = 1 and ended_on < ${before} order by ended_on limit ${limit}`;
}
