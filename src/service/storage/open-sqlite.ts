import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Sqlite from 'libsql';
import { Kysely, sql } from 'kysely';
import { SettingsError } from '../settings.ts';
import { databaseError, isDamaged, isDiskFault, isInUse } from './database-error.ts';
import { LibsqlDialect } from './libsql-dialect.ts';
import { sqliteEventLog } from './sqlite-event-log.ts';
import { TopicEmitter } from './topic-emitter.ts';
import {
  DatabaseCorruptError,
  DiskError,
  type StatementTimer,
  type Store,
  type Topic,
  type Work,
} from './store.ts';
import type { Tables } from './tables.ts';
import { WalSync } from './wal-sync.ts';

/** Size at which the log stays after a checkpoint. Commits that make the file longer take twice as long to sync. */
const keptLogBytes = 4 * 1024 * 1024;
/** Free space that must be available before the service is ready again. */
const minFreeBytes = 1_048_576;

/**
 * Opens the embedded database in a directory, which is created if missing. Commits are durable (WAL, full
 * sync): they survive `kill -9` and a power failure.
 * @throws SettingsError when another process has it open, or it cannot be read or written
 */
export function openSqlite(directory: string, onStatement: StatementTimer = () => undefined): Store {
  const location = `DATA_DIR ${directory}`;
  const lock = lockDirectory(location, directory);
  const { connection, wal } = connect(join(directory, 'agent-chat.db'), lock);
  let diskFault: unknown;
  let damage: unknown;
  const database = new Kysely<Tables>({
    dialect: new LibsqlDialect(connection),
    log: (event) => {
      onStatement(event.queryDurationMillis);
      if (event.level !== 'error') return;
      if (isDiskFault(event.error)) diskFault = event.error;
      if (isDamaged(event.error)) damage = event.error;
    },
  });
  const listeners = new TopicEmitter();

  const store: Omit<Store, 'events' | 'unlimited'> = {
    engine: 'sqlite',
    location,
    shared: false,
    database,
    clock: () => sql<number>`${Date.now()}`,
    async transaction<Result>(work: Work<Result>, { durable = true } = {}): Promise<Result> {
      const topics = new Set<Topic>();
      const result = await database
        .transaction()
        .execute((transaction) => work(transaction, (topic) => topics.add(topic)));
      if (durable) await wal.sync();
      listeners.emit(topics);
      return result;
    },
    listen: (onTopic) => listeners.subscribe(onTopic),
    async ping() {
      if (damage !== undefined) throw new DatabaseCorruptError(damage);
      if (diskFault !== undefined) {
        await checkFreeSpace(directory, diskFault);
        diskFault = undefined;
      }
      await sql`select 1`.execute(database);
    },
    async eraseDeleted() {
      await database.connection().execute(async (held) => {
        await sql`pragma busy_timeout = 0`.execute(held);
        try {
          const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(held);
          // A running backup blocks the checkpoint: do not wait, the next one empties the log.
          const limit = rows[0]?.busy === 0 ? keptLogBytes : 0;
          await sql`pragma journal_size_limit = ${sql.lit(limit)}`.execute(held);
        } finally {
          await sql`pragma busy_timeout = 5000`.execute(held);
        }
      });
    },
    async close() {
      await wal.close();
      await database.destroy();
      lock.close();
    },
  };
  return {
    ...store,
    events: sqliteEventLog(store),
    get unlimited() {
      return this; // no statement has a limit
    },
  };
}

/**
 * Opens the database only to read it, also while a service uses it.
 * @throws SettingsError when there is none, or it cannot be read
 */
export function openSqliteToRead(directory: string): Pick<Store, 'database' | 'close'> {
  const file = join(directory, 'agent-chat.db');
  if (!existsSync(file)) throw new SettingsError([`DATA_DIR ${directory} has no database`]);
  try {
    const database = new Kysely<Tables>({ dialect: new LibsqlDialect(new Sqlite(file, { readonly: true })) });
    return { database, close: () => database.destroy() };
  } catch (error) {
    throw databaseError(`DATA_DIR, file ${file}`, error);
  }
}

/**
 * After a failed write, checks with a test file whether there is free space again. Requests cannot show it,
 * because an instance that is not ready gets none.
 */
async function checkFreeSpace(directory: string, cause: unknown): Promise<void> {
  const file = join(directory, 'agent-chat.room');
  try {
    await writeFile(file, Buffer.alloc(minFreeBytes));
  } catch {
    throw new DiskError(cause);
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Opens the file and checks that it is writable. */
function connect(
  file: string,
  lock: { close: () => void },
): { readonly connection: Sqlite.Database; readonly wal: WalSync } {
  try {
    const connection = new Sqlite(file);
    makePrivate(file); // SQLite creates its other files with the same mode
    connection.exec('pragma journal_mode = wal');
    connection.exec('pragma synchronous = full');
    connection.exec('pragma busy_timeout = 5000');
    connection.exec('pragma secure_delete = on'); // overwrite deleted data
    connection.exec(`pragma journal_size_limit = ${keptLogBytes}`); // `eraseDeleted` empties the log
    connection.exec('begin immediate');
    connection.exec('pragma user_version = 0'); // unlike the previous line, this fails on a read-only file
    connection.exec('rollback');
    return { connection, wal: new WalSync(file) };
  } catch (error) {
    lock.close();
    throw databaseError(`DATA_DIR, file ${file}`, error);
  }
}

/** Locks a small file. The operating system releases the lock when the process ends. */
function lockDirectory(location: string, directory: string): { close: () => void } {
  const file = join(directory, 'agent-chat.lock');
  let lock: Sqlite.Database | undefined;
  try {
    makeDirectory(directory);
    lock = new Sqlite(file, { timeout: 0 } as Sqlite.Options);
    makePrivate(file);
    lock.exec('pragma journal_mode = delete');
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    throw lockError(location, file, error);
  }
  const held = lock;
  return { close: () => held.close() };
}

/** Only this user may read conversations. A file of another user, as on a mounted volume, stays as it is. */
function makePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch {
    // the service can use it anyway
  }
}

/**
 * Creates a directory with its parents. Node's `recursive` option hangs where no directory can be created, such
 * as in /proc.
 */
function makeDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(directory);
  if (!existsSync(parent)) makeDirectory(parent);
  mkdirSync(directory, { mode: 0o700 });
}

function lockError(location: string, file: string, error: unknown): SettingsError {
  if (isInUse(error)) {
    return new SettingsError([
      `${location}: another process uses the data directory; stop it, set DATA_DIR to another directory, or set DATABASE_URL to share a PostgreSQL database`,
    ]);
  }
  if (isDamaged(error)) {
    return new SettingsError([
      `${location}: the lock file ${file} is damaged; it contains no data, so delete it`,
    ]);
  }
  return databaseError(location, error);
}
