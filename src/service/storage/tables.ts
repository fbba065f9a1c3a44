import type { Generated } from 'kysely';

/** Milliseconds since the epoch. */
type Moment = number;

/** The status of a stored run. `waiting`: it ended with a question to the visitor. */
export type StoredRunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'expired' | 'cancelled';

export interface ThreadsTable {
  id: string;
  tenant_id: string;
  /** Owner of the thread; `''` for a thread of an API key. */
  subject: string;
  agent_id: string;
  /** Increases with every message: the order of the thread and the ids of its events. */
  clock: number;
  created_on: Moment;
  updated_on: Moment;
  /** Given by a caller. */
  title: string | null;
  /** Given by the agent. */
  agent_title: string | null;
  /** The beginning of the first message of the role `user`. `null`: the thread is not in the search index yet. */
  first_words: string | null;
  /** The beginning of the last message that people see, and its role. */
  last_line: string | null;
  last_role: string | null;
  /** 1 when it is not in the list by default. */
  archived: Generated<number>;
}

/** The texts that can be searched: one row for a message, and one for a title that is not the first words. */
export interface SearchTextsTable {
  thread_id: string;
  /** The message; the thread's id for its title. */
  message_id: string;
  /** Grows with the time of the text. */
  place: number;
  tenant_id: string;
  subject: string;
  /** Tokens: see `search-words.ts`. PostgreSQL: a tsvector. */
  words: string;
}

export interface MessagesTable {
  id: string;
  thread_id: string;
  tenant_id: string;
  /** The sender: a subject, `key:<id>`, or `agent:<id>` (`agent` in old rows). */
  author: string;
  run_id: string | null;
  role: string;
  client_message_id: string | null;
  content_hash: string | null;
  clock: number;
  created_on: Moment;
  /** 1 for a callback message. */
  callback: number;
  /** The message as JSON, with every key as it was sent. */
  body: string;
}

export interface RunsTable {
  id: string;
  thread_id: string;
  tenant_id: string;
  author: string;
  agent_id: string;
  status: StoredRunStatus;
  message_id: string;
  /** The instance that executes it. */
  owner: string;
  /** Not used any more: see `InstancesTable`. */
  lease_until: Moment;
  /** 1 when cancellation was requested. */
  cancel_requested: number;
  /** Last activity of a reader on another instance, by the store's clock. */
  reader_seen: Moment;
  created_on: Moment;
  ended_on: Moment | null;
}

/** The instances that execute runs on a shared database. */
export interface InstancesTable {
  id: string;
  /** By the store's clock. Later, its runs may be ended by another instance. */
  lease_until: Moment;
}

/** Events of one run, several per row: see `run-events.ts`. `ms` and `sequence` are those of the last one. */
export interface RunEventsTable {
  run_id: string;
  ms: number;
  sequence: number;
  events: string;
}

/** Events of many runs that are not yet in `run_events`; read after a crash. Embedded database only. */
export interface EventJournalTable {
  id: string;
  events: string;
}

export interface ConfigsTable {
  tenant_id: string;
  agent_id: string;
  /** The whole config as JSON. */
  body: string;
  is_live: number;
  updated_at: Moment;
}

export interface NotificationsTable {
  tenant_id: string;
  /** Owner of the thread. Part of the key, so that ids of different owners cannot conflict or be guessed. */
  subject: string;
  id: string;
  thread_id: string;
  /** The original request, to detect repetitions. */
  sent: string;
  body: string;
  created_on: Moment;
}

/** A cancellation that arrived before its run. */
export interface CancelIntentsTable {
  tenant_id: string;
  author: string;
  client_message_id: string;
  until: Moment;
}

/** A tool call of a run, and the visitor's decision on it. */
export interface ToolCallsTable {
  id: string;
  tenant_id: string;
  thread_id: string;
  /** The run in which the model asked for it. */
  run_id: string;
  /** Increases with every call of the thread. */
  position: number;
  /** Calls of a run with the same round were asked for together. */
  round: number;
  name: string;
  server: string;
  title: string;
  /** JSON of the arguments; those that the visitor changed, once approved. */
  args: string;
  /** SHA-256 of the arguments, in hexadecimal. */
  args_hash: string;
  /** JSON of the fields that the model service wants back with the call. */
  vendor_fields: string | null;
  state: string;
  needs_approval: number;
  idempotent: number;
  /** JSON Schema of the arguments, for decisions. */
  input_schema: string | null;
  expires_on: Moment | null;
  decided_on: Moment | null;
  /** Who decided: a subject or `key:<id>`. */
  decided_by: string | null;
  reason: string | null;
  /** 1 when the visitor changed the arguments. */
  edited: number;
  /** JSON of what the page answered, for calls of page tools. */
  answer: string | null;
  /** The run that continues after the decisions of the round. */
  resumed_run: string | null;
  /** The run that sent it to the server. */
  executed_run: string | null;
  /** How often it was sent. */
  attempts: number;
  result: string | null;
  is_error: number;
  created_on: Moment;
  ended_on: Moment | null;
}

/** What the runs of a tenant and an agent used on a day. */
export interface UsageTable {
  tenant_id: string;
  agent_id: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  runs: number;
  input_tokens: number;
  output_tokens: number;
}

/** What the runs of a visitor or server used on a day. Kept for a month. */
export interface SubjectUsageTable extends Omit<UsageTable, 'agent_id'> {
  /** A subject or `key:<id>`. */
  subject: string;
}

/** A release of the widget's script: see `script-releases.ts`. */
export interface ScriptReleasesTable {
  id: string;
  /** Paths and hashes as JSON. */
  files: string;
  /** `null` for the current one. */
  replaced_on: Moment | null;
}

/** A file of a release. */
export interface ScriptFilesTable {
  path: string;
  /** SHA-256, base64. */
  hash: string;
  body: Buffer;
}

/** All tables, for Kysely. */
export interface Tables {
  threads: ThreadsTable;
  messages: MessagesTable;
  runs: RunsTable;
  instances: InstancesTable;
  run_events: RunEventsTable;
  event_journal: EventJournalTable;
  configs: ConfigsTable;
  notifications: NotificationsTable;
  cancel_intents: CancelIntentsTable;
  tool_calls: ToolCallsTable;
  usage: UsageTable;
  subject_usage: SubjectUsageTable;
  search_texts: SearchTextsTable;
  script_releases: ScriptReleasesTable;
  script_files: ScriptFilesTable;
}
