import type { Database, Store } from '../../../src/service/storage/store.ts';
import {
  insertThreads,
  newThread,
  type NewThread,
  type Thread,
} from '../../../src/service/storage/threads.ts';

/** Creates a thread. */
export async function insertThread(store: Store, database: Database, values: NewThread): Promise<Thread> {
  const thread = newThread(values);
  await insertThreads(store, database, [thread]);
  return thread;
}
