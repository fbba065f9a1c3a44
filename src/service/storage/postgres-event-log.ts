import { sql } from 'kysely';
import { createPartitions, dropPartitions, overduePartitions } from './event-partitions.ts';
import type { EventLog, RunPlace } from './event-log.ts';
import { jsonRows } from './json-rows.ts';
import {
  deleteRunEvents,
  insertRunEvents,
  isAfter,
  parseEventLine,
  rowsOfEvents,
  type EventBatch,
  type StoredEvent,
} from './run-events.ts';
import type { Database, Store, Topic } from './store.ts';

type Parts = Pick<Store, 'engine' | 'database' | 'transaction' | 'listen'>;

/** Rows of one run that are read at once, and their bytes: the first row may be larger. */
const maxRows = 10;
const maxBytes = 64 * 1024;

/** The channel of all notifications. */
export const channel = 'agent_chat';

const runTopic = 'run:';

/** Creates the log in PostgreSQL: a table with a partition a day. */
export function postgresEventLog(parts: Parts): EventLog {
  return {
    inDatabase: true,
    open: () => createPartitions(parts),
    append: (database, batches) => insertRunEvents(parts, database, batches),
    readAfter: (places, database = parts.database) => readAfter(parts, database, places),
    follow: (onChange) =>
      parts.listen((topic) => {
        if (topic === '*') onChange(undefined);
        else if (topic.startsWith(runTopic)) onChange([topic.slice(runTopic.length)]);
      }),
    remove: (database, runs) => deleteRunEvents(parts, database, runs),
    async trim({ ttlSeconds }) {
      await createPartitions(parts);
      await dropPartitions(parts, ttlSeconds);
    },
    overdue: (ttlSeconds) => overduePartitions(parts, ttlSeconds),
    ping: () => Promise.resolve(), // the store does it
    close: () => Promise.resolve(),
  };
}

/** Reads the events of many runs with one statement. */
async function readAfter(
  parts: Parts,
  database: Database,
  places: readonly RunPlace[],
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const found = new Map<string, StoredEvent[]>();
  const values = places.map(({ runId, cursor }) => [runId, cursor.ms, cursor.sequence]);
  const { rows } = await sql<{ run_id: string; events: string }>`
    select page.run_id, page.events from ${jsonRows(parts, values)} cross join lateral (
      select run_id, events, ms, sequence,
        sum(octet_length(events)) over (order by ms, sequence) - octet_length(events) as before
      from run_events where run_id = j.value->>0
        and (ms, sequence) > ((j.value->>1)::bigint, (j.value->>2)::integer)
      order by ms, sequence limit ${sql.lit(maxRows)}
    ) as page where page.before < ${sql.lit(maxBytes)} order by page.ms, page.sequence`.execute(database);
  for (const { run_id: runId, events } of rows) {
    const list = found.get(runId) ?? [];
    list.push(...events.split('\n').map(parseEventLine));
    found.set(runId, list);
  }
  for (const { runId, cursor } of places) {
    const list = found.get(runId);
    if (list) found.set(runId, risingAfter(list, cursor));
  }
  return found;
}

/** Drops events that a reader has, and those that a repeated commit stored again on the next day. */
function risingAfter(
  events: readonly StoredEvent[],
  cursor: { ms: number; sequence: number },
): StoredEvent[] {
  let last: { ms: number; sequence: number } = cursor;
  return events.filter((event) => {
    if (!isAfter(event, last)) return false;
    last = event;
    return true;
  });
}

/**
 * Appends events of runs that an instance owns, and tells followers, in one statement. Does not wait for the disk.
 * Returns the runs that it owns; they stay locked meanwhile, so nobody ends or deletes them.
 */
export async function appendOwned(
  store: Store,
  owner: string,
  { batches, notices }: { batches: readonly EventBatch[]; notices: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = rowsOfEvents(batches);
  const ids = batches.map(({ runId }) => runId);
  const { rows: held } = await sql<{ id: string }>`
    with held as materialized (
      select id from runs where id = any(${ids}::text[]) and owner = ${owner} and status = 'running' order by id for share
    ), stored as (
      insert into run_events (run_id, ms, sequence, events)
      select j.value->>0, (j.value->>1)::bigint, (j.value->>2)::integer, j.value->>3
      from ${jsonRows(store, rows)} where j.value->>0 in (select id from held) on conflict do nothing
    ), sent as materialized (
      select pg_notify(${channel}, notice) from unnest(${notices}::text[]) as notice
    )
    select id, set_config('synchronous_commit', 'off', true) from held, (select count(*) from sent) as notified`.execute(
    store.database,
  );
  return new Set(held.map(({ id }) => id));
}

/** The separator of topics in one notification; a topic is a word and an id. */
const separator = '\n';
/** PostgreSQL's limit is 8,000 bytes. */
const maxNotice = 7_000;

/** Packs topics into few notifications: every instance receives each of them. */
export function packTopics(topics: Iterable<Topic>): string[] {
  const notices: string[] = [];
  let notice = '';
  for (const topic of topics) {
    if (notice.length + topic.length > maxNotice) {
      notices.push(notice);
      notice = '';
    }
    notice += notice === '' ? topic : separator + topic;
  }
  if (notice !== '') notices.push(notice);
  return notices;
}

/** The topics of a notification. */
export function unpackTopics(notice: string): Topic[] {
  return notice.split(separator) as Topic[]; // packed by `packTopics`
}
