import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { indexOldThreads } from '../../../src/service/storage/index-old-threads.ts';
import { insertMessages, replaceMessage } from '../../../src/service/storage/messages.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { sweep } from '../../../src/service/storage/retention.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { eraseSubject } from '../../../src/service/storage/subjects.ts';
import { listThreads, searchThreads } from '../../../src/service/storage/thread-list.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { insertThread } from './insert-thread.ts';

const reach = { tenantId: 'quay', subject: 'ada' };
const selection = { reach, archived: false, closedAgents: [], limit: 30 };

let directory: string;
let store: Store;
test.beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-search-'));
  store = openSqlite(directory);
  await migrate(store);
});
test.afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

/** Stores a thread of the visitor with these messages. Returns its id. */
async function keep(...texts: readonly string[]): Promise<string> {
  const { id } = await insertThread(store, store.database, { ...reach, agentId: 'echo' });
  await insertMessages(
    store,
    store.database,
    texts.map((text, place) => ({
      threadId: id,
      tenantId: 'quay',
      author: place % 2 === 0 ? 'ada' : 'agent:echo',
      runId: id,
      role: place % 2 === 0 ? 'user' : 'assistant',
      message: { content: text },
    })),
  );
  return id;
}

const found = async (query: string): Promise<string[]> =>
  (await searchThreads(store, { ...selection, query })).threads.map(({ id }) => id);

const filesHold = (word: string): boolean =>
  readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(word));

test('a thread is listed with the words of its first message as they were edited, twice if need be', async () => {
  const id = await keep('Typo queston');
  const firstWords = async (): Promise<unknown> =>
    (await store.database.selectFrom('threads').select('first_words').executeTakeFirst())?.first_words;
  const add = async (text: string, parentId?: string): Promise<string> => {
    const message = { content: text, ...(parentId === undefined ? {} : { parent_message_id: parentId }) };
    await insertMessages(store, store.database, [
      { threadId: id, tenantId: 'quay', author: 'ada', runId: id, role: 'user', message },
    ]);
    return newest();
  };
  const newest = async (): Promise<string> =>
    (await store.database.selectFrom('messages').select('id').orderBy('clock', 'desc').executeTakeFirst())!
      .id;
  const edited = await add('A question', (await newest()).toUpperCase());
  expect(await firstWords()).toBe('A question');
  const second = await add('Another question');
  await add('Another one, edited', second);
  expect(await firstWords()).toBe('A question');
  await add('A better question', edited);
  expect(await firstWords()).toBe('A better question');
});

test('a deleted thread and an erased visitor leave no word of theirs in the files', async () => {
  const id = await keep('about the zeppelin', 'a zeppelin flies');
  expect(await found('zepp')).toEqual([id]);
  expect(filesHold('zeppelin')).toBe(true);
  await deleteThread(store, id);
  expect(await found('zepp')).toEqual([]);
  await keep('about the submarine');
  await eraseSubject(store, reach);
  await store.eraseDeleted();
  expect(await found('submarine')).toEqual([]);
  for (const word of ['zeppelin', 'submarine']) expect([word, filesHold(word)]).toEqual([word, false]);
});

test('expired messages go from the index, also while their thread is only partly removed', async () => {
  await keep(...Array.from({ length: 60 }, (_, place) => `zeppelin number ${place}`));
  await store.database.updateTable('threads').set({ updated_on: 1 }).execute();
  await sweep(store, { runEventsTtl: 60, threadTtl: 1 });
  expect(await found('zeppelin')).toEqual([]);
  expect(await store.database.selectFrom('search_texts').selectAll().execute()).toEqual([]);
  expect(filesHold('zeppelin')).toBe(false);
});

test('a replaced message is found by its new words only', async () => {
  const id = await keep('first', 'about the zeppelin');
  const { id: messageId } = await store.database
    .selectFrom('messages')
    .select('id')
    .where('role', '=', 'assistant')
    .executeTakeFirstOrThrow();
  const message = { content: 'about the submarine' };
  const replaced = { id: messageId, threadId: id, tenantId: 'quay', author: 'agent:echo', role: 'assistant' };
  await replaceMessage(store, store.database, { ...replaced, runId: id, message });
  expect(await found('zeppelin')).toEqual([]);
  expect(await found('submarine')).toEqual([id]);
  const { threads } = await listThreads(store.database, selection);
  expect(threads[0]?.last_line).toBe('about the submarine');
  const hidden = { content: 'secret', additional_properties: { display_properties: { skip_render: true } } };
  await replaceMessage(store, store.database, { ...replaced, runId: id, message: hidden });
  expect(await found('submarine')).toEqual([]);
  expect((await listThreads(store.database, selection)).threads[0]?.last_line).toBe('');
});

test('threads of an older schema are added to the index, once', async () => {
  const ids = [await keep('one zeppelin', 'yes'), await keep('two'), await keep()];
  await keep(...Array.from({ length: 120 }, (_, place) => `long thread, part ${place}`));
  await store.database.deleteFrom('search_texts').execute();
  await store.database
    .updateTable('threads')
    .set({ first_words: null, last_line: null, last_role: null })
    .execute();
  await insertMessages(store, store.database, [
    {
      threadId: String(ids[1]),
      tenantId: 'quay',
      author: 'ada',
      role: 'user',
      message: { content: 'a new zeppelin' },
    },
  ]);
  await store.database.updateTable('threads').set({ first_words: null }).execute();
  expect(await indexOldThreads(store)).toBe(4);
  expect(await indexOldThreads(store)).toBe(0);
  expect(await found('zeppelin')).toEqual([ids[1], ids[0]]);
  expect(await found('part 119')).toHaveLength(1);
  const { threads } = await listThreads(store.database, selection);
  expect(new Map(threads.map(({ id, first_words, last_line }) => [id, [first_words, last_line]]))).toEqual(
    new Map([
      [ids[0], ['one zeppelin', 'yes']],
      [ids[1], ['two', 'a new zeppelin']],
      [ids[2], ['', null]],
      [
        threads.find(({ first_words }) => first_words?.startsWith('long'))?.id,
        ['long thread, part 0', 'long thread, part 119'],
      ],
    ]),
  );
  const rows = await store.database.selectFrom('search_texts').select('message_id').execute();
  expect(new Set(rows.map(({ message_id }) => message_id)).size).toBe(rows.length);
  expect(rows).toHaveLength(124);
});

test('a thread with many matches does not hide the others', async () => {
  const hidden = await keep('the zeppelin of last year');
  const loud = await keep(...Array.from({ length: 450 }, () => 'zeppelin'));
  expect(await found('zeppelin')).toEqual([loud, hidden]);
});
