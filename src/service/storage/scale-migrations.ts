import { PostgresAdapter, sql, type Kysely, type Migration } from 'kysely';
import { dayClock } from './event-partitions.ts';

/** One lease for each instance instead of one for each run, and an index of the active runs only. */
export const instancesStep: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
    await sql`create index runs_active on runs (owner) where status = 'running'`.execute(database);
    await database.schema.dropIndex('runs_by_lease').execute();
  },
};

/**
 * Lets old events go without a search. PostgreSQL: a partition for each day, of which the table so far becomes the
 * first, in place. The embedded database: an index of the runs that still have events.
 */
export const eventRetentionStep: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema.dropIndex('runs_ended').execute();
    if (!(database.getExecutor().adapter instanceof PostgresAdapter)) {
      await sql`alter table runs add column has_events integer not null default 1`.execute(database);
      await sql`create index runs_with_events on runs (ended_on) where has_events = 1`.execute(database);
      return;
    }
    const { rows } = await sql<{ today: number }>`select ${dayClock} as today`.execute(database);
    const today = rows[0]?.today ?? 0;
    const first = sql.ref(`run_events_until_${today}`);
    await sql`alter table run_events rename to ${first}`.execute(database);
    await sql`alter table ${first} add column day integer not null default ${sql.lit(today)}`.execute(
      database,
    );
    await sql`alter table ${first} drop constraint run_events_key`.execute(database);
    await sql`
      create table run_events (
        run_id text not null, ms bigint not null, sequence integer not null, events text not null,
        day integer not null default ${dayClock}, primary key (run_id, ms, sequence, day)
      ) partition by range (day)`.execute(database);
    await sql`
      alter table run_events attach partition ${first}
      for values from (minvalue) to (${sql.lit(today + 1)})`.execute(database);
  },
};

/** Keeps the files of the script where all instances find them. */
export const scriptReleasesStep: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
    await database.schema
      .createTable('script_releases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('files', 'text', (column) => column.notNull())
      .addColumn('replaced_on', 'bigint')
      .execute();
    await database.schema
      .createTable('script_files')
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('body', isPostgres ? 'bytea' : 'blob', (column) => column.notNull())
      .addPrimaryKeyConstraint('script_files_key', ['path', 'hash'])
      .execute();
  },
};
