import { Migrator } from 'kysely';
import { migrations } from '../../../src/service/storage/migrations.ts';
import type { StoredEvent } from '../../../src/service/storage/run-events.ts';
import type { Store } from '../../../src/service/storage/store.ts';

/** An event of a run, as services before `2026-12-event-retention` stored it. */
export const oldEvent: StoredEvent = { ms: 5, sequence: 1, event: 'message.delta', json: '{"text":"kept"}' };

/** Creates the schema as it was before the steps of 2026-12, with a run that has ended and its events. */
export async function createOldSchema(store: Store): Promise<void> {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-12'));
  const provider = { getMigrations: () => Promise.resolve(before) };
  const { error } = await new Migrator({ db: store.database, provider }).migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error(String(error));
  const shared = { tenant_id: 'quay', agent_id: 'echo', created_on: 1 };
  await store.database
    .insertInto('threads')
    .values({ ...shared, id: 'thread', subject: 'ada', clock: 1, updated_on: 1 })
    .execute();
  await store.database
    .insertInto('runs')
    .values({
      ...shared,
      id: 'run',
      thread_id: 'thread',
      author: 'ada',
      status: 'completed',
      message_id: 'message',
      owner: 'gone',
      lease_until: 0,
      cancel_requested: 0,
      reader_seen: 0,
      ended_on: 2,
    })
    .execute();
  const { ms, sequence, event, json } = oldEvent;
  await store.database
    .insertInto('run_events')
    .values({ run_id: 'run', ms, sequence, events: `${ms}\t${sequence}\t${event}\t${json}` })
    .execute();
}
