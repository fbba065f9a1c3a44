import { PostgresAdapter, sql, type Kysely, type Migration } from 'kysely';

/**
 * Titles and lines of threads, and the full-text index of titles and messages. Threads from before have no
 * `first_words` until `indexOldThreads` comes to them.
 */
export const threadSearchStep: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const name of ['title', 'agent_title', 'first_words', 'last_line', 'last_role'])
      await database.schema.alterTable('threads').addColumn(name, 'text').execute();
    await database.schema
      .alterTable('threads')
      .addColumn('archived', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`create index threads_unindexed on threads (updated_on) where first_words is null`.execute(
      database,
    );
    await database.schema
      .createIndex('threads_of_subject_by_time')
      .on('threads')
      .columns(['tenant_id', 'subject', 'archived', 'updated_on', 'id'])
      .execute();
    await database.schema
      .createIndex('threads_of_tenant_by_time')
      .on('threads')
      .columns(['tenant_id', 'archived', 'updated_on', 'id'])
      .execute();
    if (database.getExecutor().adapter instanceof PostgresAdapter) await createPostgresIndex(database);
    else await createSqliteIndex(database);
    await sql`create index search_texts_of_subject on search_texts (tenant_id, subject, place)`.execute(
      database,
    );
    await sql`create index search_texts_of_tenant on search_texts (tenant_id, place)`.execute(database);
  },
};

async function createPostgresIndex(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_texts (
      thread_id text not null, message_id text not null, place bigint not null, tenant_id text not null,
      subject text not null, words tsvector not null, primary key (thread_id, message_id)
    )`.execute(database);
  await sql`create index search_texts_words on search_texts using gin (words)`.execute(database);
}

/**
 * The words are in `search_texts` once more, because a row of the index can be erased only with its text. Triggers keep
 * both in step.
 */
async function createSqliteIndex(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_texts (
      place integer primary key, thread_id text not null, message_id text not null, tenant_id text not null,
      subject text not null, words text not null, unique (thread_id, message_id)
    )`.execute(database);
  await sql`
    create virtual table search_index using fts5 (words, content='', tokenize='ascii')`.execute(database);
  // deleted words are overwritten, not only marked
  await sql`insert into search_index (search_index, rank) values ('secure-delete', 1)`.execute(database);
  await sql`
    create trigger search_texts_added after insert on search_texts begin
      insert into search_index (rowid, words) values (new.place, new.words);
    end`.execute(database);
  await sql`
    create trigger search_texts_removed after delete on search_texts begin
      insert into search_index (search_index, rowid, words) values ('delete', old.place, old.words);
    end`.execute(database);
}
