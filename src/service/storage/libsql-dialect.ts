import type Sqlite from 'libsql';
import { SqliteDialect, SqliteDriver, type DatabaseConnection, type SqliteDatabase } from 'kysely';

/** Number of prepared statements that are kept. */
const maxStatements = 200;

/** libsql has the API of better-sqlite3, which Kysely's dialect expects; only the declared overloads differ. */
export class LibsqlDialect extends SqliteDialect {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: connection as unknown as SqliteDatabase });
    this.#connection = connection;
  }

  override createDriver(): SqliteDriver {
    return new LibsqlDriver(this.#connection);
  }
}

/**
 * Statements outside of transactions are durable when they return. Commits of transactions only survive a crash of
 * the process; `WalSync` makes them durable.
 */
class LibsqlDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    super({ database: withCachedStatements(connection) });
    this.#connection = connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#connection.exec('pragma synchronous = normal');
    await super.beginTransaction(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#connection.exec('pragma synchronous = full');
  }

  /** SQLite rolls back by itself when the disk is full; another rollback would fail and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
    this.#connection.exec('pragma synchronous = full');
  }
}

/** Preparing a statement costs more than executing it: keeps those that were used last. */
function withCachedStatements(connection: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, Sqlite.Statement>();
  const prepare = (text: string): Sqlite.Statement => {
    if (/^\s*pragma/i.test(text)) return connection.prepare(text); // SQLite executes some while it prepares them
    const statement = statements.get(text) ?? connection.prepare(text);
    statements.delete(text); // keeps the map ordered by last use
    statements.set(text, statement);
    if (statements.size > maxStatements) {
      const [oldest = ''] = statements.keys();
      statements.delete(oldest);
    }
    return statement;
  };
  return { prepare, close: () => connection.close() } as unknown as SqliteDatabase; // as above
}
