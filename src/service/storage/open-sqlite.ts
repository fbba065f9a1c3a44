import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { Kysely, SqliteDialect, sql, type SqliteDatabase } from 'kysely';
import { Listeners } from './listeners.ts';
import type { Database, Store, Topic, Work } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Opens the embedded database in a directory, which is made when missing.
 * Commits are durable (WAL, full sync): what is committed survives `kill -9` and a power cut.
 * @throws Error when another process has it open.
 */
export function openSqlite(directory: string): Store {
  mkdirSync(directory, { recursive: true });
  const lock = lockDirectory(directory);
  const connection = new Sqlite(join(directory, 'agent-chat.db'));
  connection.exec('pragma journal_mode = wal');
  connection.exec('pragma synchronous = full');
  connection.exec('pragma busy_timeout = 5000');
  // libsql follows better-sqlite3, which Kysely's dialect is written for; only the declared overloads differ.
  const driver = connection as unknown as SqliteDatabase;
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: driver }) });
  const listeners = new Listeners();

  return {
    engine: 'sqlite',
    shared: false,
    database,
    clock: () => sql<number>`${Date.now()}`,
    async transaction<Result>(work: Work<Result>, { durable = true } = {}): Promise<Result> {
      const topics = new Set<Topic>();
      const run = (on: Database): Promise<Result> =>
        on.transaction().execute((transaction) => work(transaction, (topic) => topics.add(topic)));
      const result = durable ? await run(database) : await withoutSync(database, run);
      listeners.tell(topics);
      return result;
    },
    listen: (hear) => listeners.add(hear),
    async ping() {
      await sql`select 1`.execute(database);
    },
    async close() {
      await database.destroy();
      lock.close();
    },
  };
}

/** In WAL mode the next commit with full sync makes those before it durable too, in their order. */
function withoutSync<Result>(database: Database, run: (on: Database) => Promise<Result>): Promise<Result> {
  return database.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await run(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

/** Holds the operating system's lock on a small file; it is let go when the process ends, however it ends. */
function lockDirectory(directory: string): { close: () => void } {
  const lock = new Sqlite(join(directory, 'agent-chat.lock'), { timeout: 0 } as Sqlite.Options);
  try {
    lock.exec('pragma journal_mode = delete');
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    throw new Error(
      `another process uses the data directory ${directory}; stop it, set DATA_DIR to another directory, or set DATABASE_URL to share a PostgreSQL`,
      { cause },
    );
  }
  return { close: () => lock.close() };
}
