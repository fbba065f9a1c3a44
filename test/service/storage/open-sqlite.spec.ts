import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import Sqlite from 'libsql';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { DatabaseCorruptError, DiskError, type Store } from '../../../src/service/storage/store.ts';
import { insertMessage } from '../../../src/service/storage/messages.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { insertThread } from './insert-thread.ts';

let directory: string;
let store: Store;
test.beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-disk-'));
  store = openSqlite(directory);
  await migrate(store);
});
test.afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('only the user of the service can read a new data directory and its files', async () => {
  const newDirectory = join(directory, 'new');
  const other = openSqlite(newDirectory);
  try {
    await migrate(other);
    const modes = [newDirectory, ...readdirSync(newDirectory).map((name) => join(newDirectory, name))].map(
      (path) => (statSync(path).mode & 0o777).toString(8),
    );
    expect(modes.length).toBeGreaterThan(2);
    expect(modes).toEqual(['700', ...modes.slice(1).map(() => '600')]);
  } finally {
    await other.close();
  }
});

/** Stores a message in a new thread, in one transaction. Returns the thread's id. */
function keep(text: string): Promise<string> {
  return store.transaction(async (database) => {
    const thread = await insertThread(store, database, { tenantId: 'quay', subject: 'ada', agentId: 'echo' });
    const message = { role: 'user', content: [{ response_type: 'text', text }] };
    await insertMessage(store, database, {
      threadId: thread.id,
      tenantId: 'quay',
      author: 'ada',
      role: 'user',
      message,
    });
    return thread.id;
  });
}

test('a full disk is reported, and the service is not ready until there is space', async () => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.database);
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 1)}`.execute(store.database);
  await expect(keep('x'.repeat(100_000))).rejects.toMatchObject({ code: 'SQLITE_FULL' });

  const inTheWay = join(directory, 'agent-chat.room');
  mkdirSync(inTheWay); // as good as a full disk: the file that would prove room cannot be written
  await expect(store.ping()).rejects.toBeInstanceOf(DiskError);
  await expect(store.ping()).rejects.toMatchObject({ cause: { code: 'SQLITE_FULL' } });
  rmSync(inTheWay, { recursive: true });
  await store.ping();
  expect(readdirSync(directory)).not.toContain('agent-chat.room');

  await sql`pragma max_page_count = 1000000`.execute(store.database);
  await keep('there is room again');
  await store.ping();
});

test('a disk that cannot be written is not called full, and one without space is', () => {
  const failed = (code: string): Error => Object.assign(new Error('disk I/O error'), { code });
  expect(new DiskError(failed('SQLITE_IOERR_WRITE')).message).toBe(
    'the disk of the database cannot be written: it may be full, read-only or broken',
  );
  expect(new DiskError(failed('ENOSPC')).message).toBe('the disk of the database is full');
});

test('a damaged database is reported, and the service is not ready', async () => {
  await keep('it was whole');
  const root = await sql<{
    at: number;
  }>`select rootpage as at from sqlite_master where name = 'messages'`.execute(store.database);
  const size = await sql<{ page_size: number }>`pragma page_size`.execute(store.database);
  await store.eraseDeleted(); // nothing is left in the log
  await store.close();
  const bytes = size.rows[0]?.page_size ?? 0;
  const file = await open(join(directory, 'agent-chat.db'), 'r+');
  await file.write(Buffer.alloc(bytes, 'x'), 0, bytes, ((root.rows[0]?.at ?? 0) - 1) * bytes);
  await file.close();
  store = openSqlite(directory);
  await store.ping();
  await expect(keep('too late')).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
  await expect(store.ping()).rejects.toBeInstanceOf(DatabaseCorruptError);
  await expect(store.ping()).rejects.toMatchObject({ cause: { code: 'SQLITE_CORRUPT' } });
});

/** Names of the database files that contain a word. */
function filesWith(word: string): string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(word));
}

test('the texts of a deleted thread are erased from all files, others stay', async () => {
  const threadId = await keep('mountainash '.repeat(2000));
  await keep('juniper');
  expect(filesWith('mountainash')).not.toEqual([]);
  await deleteThread(store, threadId);
  expect(filesWith('mountainash')).toEqual([]);
  expect(filesWith('juniper')).not.toEqual([]);
});

test('texts that a running backup keeps in the log are erased after it', async () => {
  const threadId = await keep('mountainash '.repeat(2000));
  const backup = new Sqlite(join(directory, 'agent-chat.db'), { readonly: true });
  backup.exec('begin');
  backup.prepare('select count(*) from messages').get();
  await deleteThread(store, threadId);
  expect(filesWith('mountainash')).toEqual(['agent-chat.db-wal']);
  backup.exec('commit');
  backup.close();
  await keep('x'.repeat(5_000_000)); // so much that SQLite makes a checkpoint
  await keep('juniper');
  expect(filesWith('mountainash')).toEqual([]);
  await deleteThread(store, await keep('rowan'));
  expect(filesWith('rowan')).toEqual([]);
});
