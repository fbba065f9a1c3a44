import { sql } from 'kysely';
import { jsonRows } from './json-rows.ts';
import type { Database, EngineName } from './database.ts';

/**
 * A stored event. `json` is its `data`, serialized once for the store and all readers, without the ids of run
 * and thread: see `withIds`.
 */
export interface StoredEvent {
  readonly ms: number;
  readonly sequence: number;
  readonly event: string;
  readonly json: string;
}

/** A position in a run's stream. Later events have a greater one. */
export interface Cursor {
  readonly ms: number;
  readonly sequence: number;
}

/** The position before all events. */
export const start: Cursor = { ms: 0, sequence: 0 };

/**
 * Returns the event's id on the wire.
 * @source seen on the wire: `<epoch milliseconds>-<sequence>`, rising
 */
export function eventId(cursor: Cursor): string {
  return `${cursor.ms}-${cursor.sequence}`;
}

/** Serializes the data of an event without the ids of run and thread. */
export function eventJson(data: Readonly<Record<string, unknown>>): string {
  const hasIds = 'run_id' in data || 'thread_id' in data;
  return JSON.stringify(hasIds ? { ...data, run_id: undefined, thread_id: undefined } : data);
}

/** Returns the ids of a run's events, as the end of a JSON text. */
export function idsOf(runId: string, threadId: string): string {
  return `"run_id":"${runId}","thread_id":"${threadId}"}`;
}

/**
 * Appends ids, in the format of `idsOf`, to an event's data. Works on the text, because it runs for every
 * token.
 */
export function withIds(json: string, ids: string): string {
  return json === '{}' ? `{${ids}` : `${json.slice(0, -1)},${ids}`;
}

/** Parses an event id; `undefined` for an invalid one. */
export function parseEventId(id: string): Cursor | undefined {
  const match = /^(\d{1,15})-(\d{1,9})$/.exec(id.trim());
  return match ? { ms: Number(match[1]), sequence: Number(match[2]) } : undefined;
}

/** Whether one position comes after another. */
export function isAfter(one: Cursor, other: Cursor): boolean {
  return one.ms > other.ms || (one.ms === other.ms && one.sequence > other.sequence);
}

/** Events of one run to be stored in one row. */
export interface EventBatch {
  readonly runId: string;
  /** In order, at least one. */
  readonly events: readonly StoredEvent[];
}

/** Formats an event as a line. Names and JSON contain no tabs or line breaks. */
export function eventLine(event: StoredEvent): string {
  return `${event.ms}\t${event.sequence}\t${event.event}\t${event.json}`;
}

/** Parses a line of the log. */
export function parseEventLine(line: string): StoredEvent {
  const [ms = '0', sequence = '0', event = ''] = line.split('\t', 3);
  const json = line.slice(ms.length + sequence.length + event.length + 3);
  return { ms: Number(ms), sequence: Number(sequence), event, json };
}

/** The rows of `run_events` for events of many runs: run, ms, sequence, events. */
export function rowsOfEvents(batches: readonly EventBatch[]): readonly (readonly unknown[])[] {
  return batches.flatMap(({ runId, events }) => {
    const last = events.at(-1);
    return last ? [[runId, last.ms, last.sequence, events.map(eventLine).join('\n')]] : [];
  });
}

/** Inserts the events of many runs with one fixed statement. */
export async function insertRunEvents(
  store: EngineName,
  database: Database,
  batches: readonly EventBatch[],
): Promise<void> {
  const rows = rowsOfEvents(batches);
  if (rows.length === 0) return;
  await sql`
    insert into run_events (run_id, ms, sequence, events)
    select j.value->>0, cast(j.value->>1 as bigint), cast(j.value->>2 as integer), j.value->>3
    from ${jsonRows(store, rows)} where true on conflict do nothing`.execute(database);
}

/** Deletes all events of runs, with one parameter for any number of them. */
export async function deleteRunEvents(
  store: EngineName,
  database: Database,
  runs: readonly { readonly id: string }[],
): Promise<void> {
  const rows = jsonRows(
    store,
    runs.map(({ id }) => [id]),
  );
  await sql`delete from run_events where run_id in (select j.value->>0 from ${rows})`.execute(database);
}

/** Reads some events of a run after a cursor, in order; none at the end. */
export async function runEventsAfter(
  database: Database,
  runId: string,
  cursor: Cursor,
): Promise<StoredEvent[]> {
  const { rows } = await sql<{ events: string }>`
    select events from run_events where run_id = ${runId} and (ms, sequence) > (${cursor.ms}, ${cursor.sequence})
    order by ms, sequence limit 10`.execute(database);
  return rows
    .flatMap((row) => row.events.split('\n').map(parseEventLine))
    .filter((event) => isAfter(event, cursor));
}
