import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A place to read from and write to: the database or a transaction on it. */
export type Database = Kysely<Tables>;

/** Something that changed and that somebody may wait for: `run:<id>`, `cancel:<id>`, `thread:<id>`; `*` is everything. */
export type Topic = `run:${string}` | `cancel:${string}` | `thread:${string}` | '*';

/** What is done in a transaction. */
export type Work<Result> = (
  database: Transaction<Tables>,
  announce: (topic: Topic) => void,
) => Promise<Result>;

/** One of the two engines, opened. Whatever differs between them stands here. */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  /** The setting it was opened by, for words to an operator; without a password. */
  readonly location: string;
  readonly database: Database;
  /** Whether other instances may work on the same data. */
  readonly shared: boolean;
  /** The engine's own clock, in milliseconds since the epoch: one clock for all instances. */
  readonly clock: () => RawBuilder<number>;
  /**
   * Runs `work` in one transaction; the topics it names are announced to every instance once it is committed.
   * It is durable unless told otherwise: then nothing waits for the disk, and the commit survives the end of this process
   * but, until the next durable one, not that of the machine.
   */
  transaction<Result>(work: Work<Result>, options?: { readonly durable?: boolean }): Promise<Result>;
  /** Hears of every announced topic, of this instance and of others. Gives the function that stops it. */
  listen(hear: (topic: Topic) => void): () => void;
  /**
   * @throws NoRoomError when writes failed for want of room and would again, DamagedError when the file was found damaged;
   * else when the database does not answer.
   */
  ping(): Promise<void>;
  /** After a deletion: lets what was deleted go from the files too, not only from the tables. PostgreSQL does it itself. */
  eraseDeleted(): Promise<void>;
  close(): Promise<void>;
}

/** The database answers, but has no room for what is to be kept. */
export class DiskFullError extends Error {
  override readonly name = 'NoRoomError';

  constructor(cause: unknown) {
    super('the database has no room left: make some on its disk', { cause });
  }
}

/** The database answers, but its file is damaged. */
export class DatabaseCorruptError extends Error {
  override readonly name = 'DamagedError';

  constructor(cause: unknown) {
    super('the database is damaged: stop the service and restore a backup', { cause });
  }
}
