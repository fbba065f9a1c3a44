import type { Kysely, Migration } from 'kysely';
import { eventRetentionStep, instancesStep, scriptReleasesStep } from './scale-migrations.ts';
import { threadSearchStep } from './search-migration.ts';

/** All migrations, oldest first. Names are never reused. Both engines run the same steps. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-01-first': {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema
        .createTable('threads')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('clock', 'bigint', (column) => column.notNull())
        .addColumn('created_on', 'bigint', (column) => column.notNull())
        .addColumn('updated_on', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('threads_updated').on('threads').column('updated_on').execute();

      await database.schema
        .createTable('messages')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('thread_id', 'text', (column) => column.notNull())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('run_id', 'text')
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('client_message_id', 'text')
        .addColumn('content_hash', 'text')
        .addColumn('clock', 'bigint', (column) => column.notNull())
        .addColumn('created_on', 'bigint', (column) => column.notNull())
        .addColumn('callback', 'integer', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addUniqueConstraint('messages_once', ['tenant_id', 'author', 'client_message_id'])
        .execute();
      await database.schema
        .createIndex('messages_of_thread')
        .on('messages')
        .columns(['thread_id', 'clock'])
        .execute();
      await database.schema.createIndex('messages_of_run').on('messages').column('run_id').execute();

      await database.schema
        .createTable('runs')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('thread_id', 'text', (column) => column.notNull())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('message_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .addColumn('cancel_requested', 'integer', (column) => column.notNull())
        .addColumn('reader_seen', 'bigint', (column) => column.notNull())
        .addColumn('created_on', 'bigint', (column) => column.notNull())
        .addColumn('ended_on', 'bigint')
        .execute();
      await database.schema.createIndex('runs_of_thread').on('runs').column('thread_id').execute();
      await database.schema
        .createIndex('runs_by_lease')
        .on('runs')
        .columns(['status', 'lease_until'])
        .execute();
      await database.schema.createIndex('runs_ended').on('runs').column('ended_on').execute();

      await database.schema
        .createTable('run_events')
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('ms', 'bigint', (column) => column.notNull())
        .addColumn('sequence', 'integer', (column) => column.notNull())
        .addColumn('events', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('run_events_key', ['run_id', 'ms', 'sequence'])
        .execute();

      await database.schema
        .createTable('event_journal')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('events', 'text', (column) => column.notNull())
        .execute();

      await database.schema
        .createTable('configs')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('is_live', 'integer', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('configs_key', ['tenant_id', 'agent_id'])
        .execute();

      await database.schema
        .createTable('notifications')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('thread_id', 'text', (column) => column.notNull())
        .addColumn('sent', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('created_on', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('notifications_key', ['tenant_id', 'subject', 'id'])
        .execute();
      await database.schema
        .createIndex('notifications_of_thread')
        .on('notifications')
        .column('thread_id')
        .execute();

      await database.schema
        .createTable('cancel_intents')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('client_message_id', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('cancel_intents_key', ['tenant_id', 'author', 'client_message_id'])
        .execute();
    },
  },
  '2026-11-tool-calls': {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema
        .createTable('tool_calls')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('thread_id', 'text', (column) => column.notNull())
        .addColumn('run_id', 'text', (column) => column.notNull())
        .addColumn('position', 'bigint', (column) => column.notNull())
        .addColumn('round', 'integer', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('args', 'text', (column) => column.notNull())
        .addColumn('args_hash', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('needs_approval', 'integer', (column) => column.notNull())
        .addColumn('idempotent', 'integer', (column) => column.notNull())
        .addColumn('input_schema', 'text')
        .addColumn('expires_on', 'bigint')
        .addColumn('decided_on', 'bigint')
        .addColumn('decided_by', 'text')
        .addColumn('reason', 'text')
        .addColumn('edited', 'integer', (column) => column.notNull())
        .addColumn('resumed_run', 'text')
        .addColumn('executed_run', 'text')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('result', 'text')
        .addColumn('is_error', 'integer', (column) => column.notNull())
        .addColumn('created_on', 'bigint', (column) => column.notNull())
        .addColumn('ended_on', 'bigint')
        .execute();
      await database.schema
        .createIndex('tool_calls_of_thread')
        .on('tool_calls')
        .columns(['thread_id', 'position'])
        .execute();
      await database.schema
        .createIndex('tool_calls_executed')
        .on('tool_calls')
        .columns(['executed_run', 'state'])
        .execute();
      await database.schema
        .createIndex('tool_calls_open')
        .on('tool_calls')
        .columns(['state', 'expires_on'])
        .execute();
    },
  },
  '2026-11-tool-calls-page': {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema.alterTable('tool_calls').addColumn('answer', 'text').execute();
    },
  },
  '2026-11-usage': {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema
        .createTable('usage')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('agent_id', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('runs', 'bigint', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('output_tokens', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_key', ['tenant_id', 'agent_id', 'day'])
        .execute();
      await database.schema.createIndex('usage_of_day').on('usage').column('day').execute();
      await database.schema
        .createTable('subject_usage')
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('runs', 'bigint', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint', (column) => column.notNull())
        .addColumn('output_tokens', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('subject_usage_key', ['tenant_id', 'subject', 'day'])
        .execute();
      await database.schema.createIndex('subject_usage_of_day').on('subject_usage').column('day').execute();
      await database.schema
        .createIndex('threads_of_subject')
        .on('threads')
        .columns(['tenant_id', 'subject'])
        .execute();
    },
  },
  '2026-12-event-retention': eventRetentionStep,
  '2026-12-instances': instancesStep,
  '2026-12-thread-search': threadSearchStep,
  '2026-12-tool-calls-vendor-fields': {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema.alterTable('tool_calls').addColumn('vendor_fields', 'text').execute();
    },
  },
  '2026-12-script-releases': scriptReleasesStep,
};
