import type { Cursor, EventBatch, StoredEvent } from './run-events.ts';
import type { Database } from './database.ts';

/** A reader's place in a run. */
export interface RunPlace {
  readonly runId: string;
  readonly cursor: Cursor;
}

/** A run whose events are removed. */
export interface RemovedRun {
  readonly id: string;
  /** Whether an instance may still append to it: it is active, or ended a short time ago. */
  readonly isRecent: boolean;
}

/** What must be removed: see `RUN_EVENTS_TTL`. */
export interface TrimOptions {
  /** Seconds for which the events of a finished run are kept. */
  readonly ttlSeconds: number;
  /** Stops the work early. */
  readonly signal: AbortSignal | undefined;
}

/** Stores the events of runs, in order, until they expire. Messages and runs are stored elsewhere. */
export interface EventLog {
  /** Whether the events are tables of the database, written in the transaction of what belongs to them. */
  readonly inDatabase: boolean;
  /** Prepares the log once the database is migrated. */
  open(): Promise<void>;
  /**
   * Appends events of runs. Events that are stored already are skipped, so a failed call can be repeated.
   * @param database the transaction, if the log is in the database
   */
  append(database: Database, batches: readonly EventBatch[]): Promise<void>;
  /**
   * Reads some events of runs after a place in each, by run; none at the end. Call it again for the rest.
   * @param database a transaction to read in
   */
  readAfter(
    places: readonly RunPlace[],
    database?: Database,
  ): Promise<ReadonlyMap<string, readonly StoredEvent[]>>;
  /**
   * Calls back with the runs that have new events, on any instance; `undefined`: all may have. Returns a function
   * that stops it.
   */
  follow(onChange: (runIds: readonly string[] | undefined) => void): () => void;
  /** Removes all events of runs. Nothing can be appended to them afterwards. */
  remove(database: Database, runs: readonly RemovedRun[]): Promise<void>;
  /** Removes expired events by the engine's clock, in small steps. */
  trim(options: TrimOptions): Promise<void>;
  /** How long the oldest expired events have waited for their removal, in seconds; 0: there are none. */
  overdue(ttlSeconds: number): Promise<number>;
  /** @throws when the log does not respond */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Reads some events of one run. See `EventLog.readAfter`. */
export async function readRun(
  log: EventLog,
  place: RunPlace,
  database?: Database,
): Promise<readonly StoredEvent[]> {
  return (await log.readAfter([place], database)).get(place.runId) ?? [];
}

/** A full page of a log has at least this number of events, or of characters. */
const fullPage = { events: 10, characters: 16_000 };

/** Whether there may be more events after these, which `EventLog.readAfter` returned. */
export function mayHaveMore(events: readonly StoredEvent[]): boolean {
  if (events.length >= fullPage.events) return true;
  return events.reduce((sum, { json }) => sum + json.length, 0) >= fullPage.characters;
}
