import { clearJournal, writeJournal } from '../storage/event-journal.ts';
import { insertMessages, replaceMessage, type NewMessage } from '../storage/messages.ts';
import { appendOwned, packTopics } from '../storage/postgres-event-log.ts';
import type { EventBatch } from '../storage/run-events.ts';
import { endRuns } from '../storage/runs.ts';
import type { Database, Store, Topic } from '../storage/store.ts';
import type { PendingRun } from './pending-run.ts';

/** The content of one commit. */
export interface Batch {
  /** Runs whose events go to their tables. */
  readonly runs: ReadonlyMap<string, PendingRun>;
  /** New events of the other runs, for one row of the event journal. */
  readonly lines: readonly string[];
  /** Number of that row. */
  readonly row: number;
  /** Deletes the journal rows before this one; 0: deletes none. */
  readonly clearBefore: number;
}

/** How a batch is written. */
export interface BatchOptions {
  readonly store: Store;
  /** This instance, as it is named in the leases of its runs. */
  readonly owner: string;
  /** Whether the data must survive a power failure. */
  readonly durable: boolean;
}

type Runs = readonly (readonly [string, PendingRun])[];

/**
 * Writes a batch in one transaction. Skips the runs that this instance no longer owns: deleted ones, and on a shared
 * store those that another instance has ended.
 * @returns the ids of the skipped runs
 * @throws the errors of the store; nothing is written then
 */
export async function writeBatch(batch: Batch, options: BatchOptions): Promise<ReadonlySet<string>> {
  const { runs, lines, row, clearBefore } = batch;
  const { store, owner, durable } = options;
  if (runs.size === 0 && lines.length === 0 && clearBefore === 0) return new Set();
  const { shared, events: log } = store;
  if (shared && !durable && hasOnlyEvents(runs)) return appendEvents([...runs], options);
  const written = await store.transaction(
    async (database, announce) => {
      const lost = await lostRuns(store, database, [...runs.keys()], owner);
      const owned = [...runs].filter(([runId]) => !lost.has(runId));
      if (log.inDatabase) await log.append(database, eventsOf(owned));
      await writeMessages(
        store,
        database,
        owned.flatMap(([, { messages }]) => messages),
      );
      await endRuns(
        store,
        database,
        owned.flatMap(([runId, { ended }]) => (ended ? [{ runId, ...ended }] : [])),
      );
      if (shared && log.inDatabase) for (const [runId] of owned) announce(`run:${runId}`);
      if (clearBefore > 0) await clearJournal(database, clearBefore);
      if (lines.length > 0) await writeJournal(database, row, lines);
      return { lost, owned };
    },
    { durable },
  );
  if (!log.inDatabase) await log.append(store.database, eventsOf(written.owned));
  return written.lost;
}

/** Appends events that no call waits for: most of what a run writes. Returns the runs that are not owned. */
async function appendEvents(runs: Runs, { store, owner }: BatchOptions): Promise<ReadonlySet<string>> {
  const { events: log, database } = store;
  const batches = eventsOf(runs);
  if (!log.inDatabase) {
    await log.append(database, batches);
    return new Set();
  }
  const notices = packTopics(batches.map(({ runId }): Topic => `run:${runId}`));
  const owned = await appendOwned(store, owner, { batches, notices });
  return new Set(runs.map(([runId]) => runId).filter((runId) => !owned.has(runId)));
}

/** Returns the runs that `owner` does not own any more. The others stay locked until the commit. */
async function lostRuns(
  { shared }: Store,
  database: Database,
  runIds: readonly string[],
  owner: string,
): Promise<ReadonlySet<string>> {
  const ids = [...runIds].sort();
  if (ids.length === 0) return new Set();
  const query = database
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', ids)
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .orderBy('id');
  const rows = await (shared ? query.forShare() : query).execute();
  const owned = new Set(rows.map((run) => run.id));
  return new Set(ids.filter((id) => !owned.has(id)));
}

/** Inserts new messages, and replaces those that are stored. Of two versions in the list, the later one counts. */
async function writeMessages(
  store: Store,
  database: Database,
  messages: readonly NewMessage[],
): Promise<void> {
  const latest = [...new Map(messages.map((message) => [message.id ?? message, message])).values()];
  const inserted = await insertMessages(store, database, latest);
  for (const [index, message] of latest.entries())
    if (!inserted[index]) await replaceMessage(store, database, message);
}

function hasOnlyEvents(runs: ReadonlyMap<string, PendingRun>): boolean {
  return [...runs.values()].every(({ messages, ended }) => messages.length === 0 && !ended);
}

function eventsOf(runs: Runs): EventBatch[] {
  return runs.flatMap(([runId, { events }]) => (events.length > 0 ? [{ runId, events }] : []));
}
