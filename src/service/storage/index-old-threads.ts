import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Message } from '../../protocol/index.ts';
import { indexTextsOf, writePreviews, type IndexedMessage } from './search-index.ts';
import { repeatable, type Database, type Store } from './store.ts';
import { holdThread } from './threads.ts';

/** Messages per transaction, which blocks the embedded database. */
const batchSize = 50;
const intervalMs = 60_000;

/**
 * Adds threads that are not in the search index now and once a minute: while a release is rolled out, instances of the
 * former one still create some.
 */
export function startIndexing(store: Store, onError: (error: unknown) => void): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let work = Promise.resolve();
  const index = (): void => {
    work = work.then(() => indexOldThreads(store, stopped.signal)).then(() => undefined, onError);
  };
  index();
  const timer = setInterval(index, intervalMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await work;
    },
  };
}

/**
 * Adds the threads of an older schema to the search index, those with the newest messages first, in small steps.
 * Several instances may do it at once: a thread that is in the index is not added again.
 * @returns how many threads were added
 */
export async function indexOldThreads(store: Store, signal?: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (signal?.aborted) return count;
    const thread = await store.database
      .selectFrom('threads')
      .select('id')
      .where('first_words', 'is', null)
      .orderBy('updated_on', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!thread) return count;
    await indexThread(store.unlimited, thread.id, signal);
  }
}

async function indexThread(store: Store, threadId: string, signal: AbortSignal | undefined): Promise<void> {
  let clock = 0;
  while (!signal?.aborted) {
    const count = await store.transaction(async (database) => {
      if (!(await holdThread(store, database, threadId))) return 0;
      const rows = await messagesOf(database, threadId).where('clock', '>', clock).orderBy('clock').execute();
      await indexTextsOf(store, database, rows.map(parseBody));
      clock = rows.at(-1)?.clock ?? clock;
      return rows.length;
    }, repeatable);
    if (count === batchSize) await yieldToEventLoop();
    else return writePreview(store, threadId);
  }
}

/** Ends the work on a thread: writes its preview, which marks it as indexed. */
function writePreview(store: Store, threadId: string): Promise<void> {
  return store.transaction(async (database) => {
    const oldest = await messagesOf(database, threadId).orderBy('clock').execute();
    const newest = await messagesOf(database, threadId).orderBy('clock', 'desc').execute();
    await writePreviews(store, database, [...oldest, ...newest.reverse()].map(parseBody));
    await database
      .updateTable('threads')
      .set({ first_words: '' })
      .where('id', '=', threadId)
      .where('first_words', 'is', null)
      .execute();
  }, repeatable);
}

function messagesOf(database: Database, threadId: string) {
  return database
    .selectFrom('messages')
    .select(['id', 'thread_id', 'author', 'role', 'clock', 'body'])
    .where('thread_id', '=', threadId)
    .limit(batchSize);
}

function parseBody({
  body,
  ...row
}: { readonly body: string } & Omit<IndexedMessage, 'message'>): IndexedMessage {
  return { ...row, message: JSON.parse(body) as Message }; // written by `insertMessage`
}
