import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database, EngineName } from './database.ts';
import { diskFault } from './database-error.ts';
import type { EventLog } from './event-log.ts';
import type { Tables } from './tables.ts';

export type { Database };

/**
 * What has changed: `run:<id>`, `cancel:<id>`, `thread:<id>` or `subject:<JSON of tenant and subject>` (erased); `*`:
 * anything may have.
 */
export type Topic = `run:${string}` | `cancel:${string}` | `thread:${string}` | `subject:${string}` | '*';

/** The work of a transaction. */
export type Work<Result> = (
  database: Transaction<Tables>,
  announce: (topic: Topic) => void,
) => Promise<Result>;

/** Options of a transaction that is simply repeated after a power failure: it need not wait for the disk. */
export const repeatable = { durable: false } as const;

/** An open database. Hides the differences between the two engines. */
export interface Store extends EngineName {
  /** The setting that names the database, without a password, for messages to the operator. */
  readonly location: string;
  readonly database: Database;
  /** Whether other instances may use the same data. */
  readonly shared: boolean;
  /** The engine's clock in milliseconds since the epoch, shared by all instances. */
  readonly clock: () => RawBuilder<number>;
  /**
   * Runs `work` in a transaction and announces its topics to all instances after the commit. With `durable: false`,
   * the commit does not wait for the disk: it survives a crash of the process, but a power failure only after the
   * next durable commit.
   */
  transaction<Result>(work: Work<Result>, options?: { readonly durable?: boolean }): Promise<Result>;
  /** Subscribes to the topics of all instances. Returns a function that unsubscribes. */
  listen(onTopic: (topic: Topic) => void): () => void;
  /**
   * Checks the database.
   * @throws DiskError while the disk cannot be written, DatabaseCorruptError when the file is corrupt, any other
   * error when the database does not respond
   */
  ping(): Promise<void>;
  /** Erases deleted data from the files, not only from the tables. PostgreSQL does this itself. */
  eraseDeleted(): Promise<void>;
  /** The events of runs. */
  readonly events: EventLog;
  /** The same store for migrations and clean-up: its statements may take any time. */
  readonly unlimited: Store;
  /** The connections of the pool, for the metrics; absent for the embedded database. */
  readonly connections?: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Receives the duration of each statement. */
export type StatementTimer = (milliseconds: number) => void;

/** Returns the time of the database in ms since the epoch. */
export async function storeTime(store: Store): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${store.clock()} as now`.execute(store.database);
  return Number(rows[0]?.now ?? Date.now());
}

/** Redis cannot be reached now. */
export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError';
  readonly code = 'ECONNRESET';

  constructor(cause?: unknown) {
    super('Redis is not responding', { cause });
  }
}

/** The disk of the database is full, or cannot be written. */
export class DiskError extends Error {
  override readonly name = 'DiskError';

  /** @param cause the error of the write that failed */
  constructor(cause: unknown) {
    super(diskFault(cause), { cause });
  }
}

/** The file of the database is corrupt. */
export class DatabaseCorruptError extends Error {
  override readonly name = 'DatabaseCorruptError';

  constructor(cause: unknown) {
    super('the database is damaged: stop the service and restore a backup', { cause });
  }
}
