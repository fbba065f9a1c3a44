import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { Kysely, SqliteDialect, sql, type SqliteDatabase } from 'kysely';
import { databaseFault } from './database-fault.ts';
import { Listeners } from './listeners.ts';
import { SettingsError } from '../settings.ts';
import type { Database, Store, Topic, Work } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Opens the embedded database in a directory, which is made when missing.
 * Commits are durable (WAL, full sync): what is committed survives `kill -9` and a power cut.
 * @throws SettingsError when another process has it open, or it cannot be read and written.
 */
export function openSqlite(directory: string): Store {
  const place = `DATA_DIR ${directory}`;
  const lock = lockDirectory(place, directory);
  const connection = connect(join(directory, 'agent-chat.db'), lock);
  // libsql follows better-sqlite3, which Kysely's dialect is written for; only the declared overloads differ.
  const driver = connection as unknown as SqliteDatabase;
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: driver }) });
  const listeners = new Listeners();

  return {
    engine: 'sqlite',
    place,
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

/** Opens the file and finds out whether it can be written, before anybody relies on it. */
function connect(file: string, lock: { close: () => void }): Sqlite.Database {
  try {
    const connection = new Sqlite(file);
    connection.exec('pragma journal_mode = wal');
    connection.exec('pragma synchronous = full');
    connection.exec('pragma busy_timeout = 5000');
    connection.exec('begin immediate');
    connection.exec('rollback');
    return connection;
  } catch (fault) {
    lock.close();
    throw databaseFault(`DATA_DIR, file ${file}`, fault);
  }
}

/** Holds the operating system's lock on a small file; it is let go when the process ends, however it ends. */
function lockDirectory(place: string, directory: string): { close: () => void } {
  const file = join(directory, 'agent-chat.lock');
  let lock: Sqlite.Database | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    lock = new Sqlite(file, { timeout: 0 } as Sqlite.Options);
    lock.exec('pragma journal_mode = delete');
    lock.exec('begin exclusive');
  } catch (fault) {
    lock?.close();
    throw lockFault(place, file, fault);
  }
  const held = lock;
  return { close: () => held.close() };
}

function lockFault(place: string, file: string, fault: unknown): SettingsError {
  const code: unknown = fault instanceof Error ? Reflect.get(fault, 'code') : undefined;
  if (code === 'SQLITE_BUSY') {
    return new SettingsError([
      `${place}: another process uses the data directory; stop it, set DATA_DIR to another directory, or set DATABASE_URL to share a PostgreSQL`,
    ]);
  }
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return new SettingsError([`${place}: the lock file ${file} is damaged; it holds no data, so remove it`]);
  }
  return databaseFault(place, fault);
}
