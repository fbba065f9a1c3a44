import { eventLine, insertRunEvents, isAfter, parseEventLine, type StoredEvent } from './run-events.ts';
import type { Database, Store } from './store.ts';

/** Stores events of many runs in one row. Rows are numbered from 1 and are read only after a crash. */
export async function writeJournal(database: Database, row: number, lines: readonly string[]): Promise<void> {
  await database
    .insertInto('event_journal')
    .values({ id: rowId(row), events: lines.join('\n') })
    .execute();
}

/** Formats an event of a run as a journal line. */
export function journalLine(runId: string, event: StoredEvent): string {
  return `${runId}\t${eventLine(event)}`;
}

/** Deletes the rows before one; their events are stored elsewhere. */
export async function clearJournal(database: Database, before: number): Promise<void> {
  await database.deleteFrom('event_journal').where('id', '<', rowId(before)).execute();
}

/** Moves events from the journal to their runs after a crash. Skips deleted runs. */
export async function recoverJournal(store: Store): Promise<void> {
  await store.transaction(async (database) => {
    const rows = await database.selectFrom('event_journal').select('events').execute();
    const runs = new Map<string, StoredEvent[]>();
    for (const line of rows.flatMap((row) => row.events.split('\n'))) {
      const tab = line.indexOf('\t');
      const runId = line.slice(0, tab);
      const events = runs.get(runId) ?? [];
      events.push(parseEventLine(line.slice(tab + 1)));
      runs.set(runId, events);
    }
    for (const [runId, journaled] of runs) {
      const run = await database.selectFrom('runs').select('id').where('id', '=', runId).executeTakeFirst();
      if (!run) continue;
      const last = await database
        .selectFrom('run_events')
        .select(['ms', 'sequence'])
        .where('run_id', '=', runId)
        .orderBy('ms', 'desc')
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst();
      const events = journaled
        .sort((one, other) => one.ms - other.ms || one.sequence - other.sequence)
        .filter((event, index, all) => {
          const before = all[index - 1];
          return (!before || isAfter(event, before)) && (!last || isAfter(event, last));
        });
      await insertRunEvents(store, database, [{ runId, events }]);
    }
    await database.deleteFrom('event_journal').execute();
  });
}

function rowId(row: number): string {
  return String(row).padStart(15, '0');
}
