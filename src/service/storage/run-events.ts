import { sql } from 'kysely';
import type { Database, Store } from './store.ts';

/**
 * One event as kept: `json` is its `data`, written once for the store and for every reader, without the ids of run and
 * thread. Every event carries those, so they are put in as it is sent: see `withIds`.
 */
export interface StoredEvent {
  readonly ms: number;
  readonly sequence: number;
  readonly event: string;
  readonly json: string;
}

/** A place in a run's stream. Events after it have a greater one. */
export interface Cursor {
  readonly ms: number;
  readonly sequence: number;
}

/** Before every event. */
export const start: Cursor = { ms: 0, sequence: 0 };

/** The event's id on the wire. @source seen on the wire: `<epoch milliseconds>-<sequence>`, rising */
export function eventId(cursor: Cursor): string {
  return `${cursor.ms}-${cursor.sequence}`;
}

/** The ids that every event of a run carries, as the end of its JSON text. */
export function idsOf(runId: string, threadId: string): string {
  return `"run_id":"${runId}","thread_id":"${threadId}"}`;
}

/** An event's data as it is sent. `ids` as `idsOf` gives them. Written onto the text, because this is done for every token. */
export function withIds(json: string, ids: string): string {
  return json === '{}' ? `{${ids}` : `${json.slice(0, -1)},${ids}`;
}

/** Reads an event id; `undefined` when it is none of ours. */
export function parseEventId(id: string): Cursor | undefined {
  const match = /^(\d{1,15})-(\d{1,9})$/.exec(id.trim());
  return match ? { ms: Number(match[1]), sequence: Number(match[2]) } : undefined;
}

/** Whether one place comes after another. */
export function isAfter(one: Cursor, other: Cursor): boolean {
  return one.ms > other.ms || (one.ms === other.ms && one.sequence > other.sequence);
}

/** Events of one run to be written as one row. */
export interface EventBatch {
  readonly runId: string;
  /** In their order; one at least. */
  readonly events: readonly StoredEvent[];
}

/** One event as a line. Neither a name nor JSON text holds a tab or a line break. */
export function eventLine(event: StoredEvent): string {
  return `${event.ms}\t${event.sequence}\t${event.event}\t${event.json}`;
}

/** Reads a line back. */
export function parseEventLine(line: string): StoredEvent {
  const [ms = '0', sequence = '0', event = ''] = line.split('\t', 3);
  const json = line.slice(ms.length + sequence.length + event.length + 3);
  return { ms: Number(ms), sequence: Number(sequence), event, json };
}

/** Writes the events of many runs with one statement of a fixed form. */
export async function insertRunEvents(
  store: Store,
  database: Database,
  batches: readonly EventBatch[],
): Promise<void> {
  const rows = batches.flatMap(({ runId, events }) => {
    const last = events.at(-1);
    return last ? [[runId, last.ms, last.sequence, events.map(eventLine).join('\n')]] : [];
  });
  if (rows.length === 0) return;
  const json = JSON.stringify(rows);
  const columns = sql.raw('insert into run_events (run_id, ms, sequence, events)');
  await (
    store.engine === 'sqlite'
      ? sql`${columns} select value->>0, value->>1, value->>2, value->>3 from json_each(${json}) where true on conflict do nothing`
      : sql`${columns} select value->>0, (value->>1)::bigint, (value->>2)::integer, value->>3 from jsonb_array_elements(${json}::jsonb) on conflict do nothing`
  ).execute(database);
}

/** Reads some of a run's events after a place, in their order; none when there are no more. */
export async function runEventsAfter(
  database: Database,
  runId: string,
  cursor: Cursor,
  rowLimit = 10,
): Promise<StoredEvent[]> {
  const rows = await database
    .selectFrom('run_events')
    .select('events')
    .where('run_id', '=', runId)
    .where((where) =>
      where.or([
        where('ms', '>', cursor.ms),
        where.and([where('ms', '=', cursor.ms), where('sequence', '>', cursor.sequence)]),
      ]),
    )
    .orderBy('ms')
    .orderBy('sequence')
    .limit(rowLimit)
    .execute();
  return rows
    .flatMap((row) => row.events.split('\n').map(parseEventLine))
    .filter((event) => isAfter(event, cursor));
}
