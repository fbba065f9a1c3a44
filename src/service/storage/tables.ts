/** Milliseconds since the epoch. */
type Moment = number;

/** How a run stands in the store. `waiting`: it asked the visitor something and ended there. */
export type StoredRunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'expired' | 'cancelled';

export interface ThreadsTable {
  id: string;
  tenant_id: string;
  /** Whose thread it is; `''` when a server's key opened it. */
  subject: string;
  agent_id: string;
  /** Rises with every message, never repeats: the order of the thread and the ids of its events. */
  clock: number;
  created_on: Moment;
  updated_on: Moment;
}

export interface MessagesTable {
  id: string;
  thread_id: string;
  tenant_id: string;
  /** Who sent it: a subject, `key:<id>`, or `agent`. */
  author: string;
  run_id: string | null;
  role: string;
  client_message_id: string | null;
  content_hash: string | null;
  clock: number;
  created_on: Moment;
  /** 1 when it came by the callback endpoint. */
  callback: number;
  /** The message as JSON, every key as it was sent. */
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
  lease_until: Moment;
  /** 1 when somebody asked for its end. */
  cancel_requested: number;
  /** When a reader on another instance last looked, by the clock of the store. */
  reader_seen: Moment;
  created_on: Moment;
  ended_on: Moment | null;
}

/** Events of one run, several to a row: see `run-events.ts`. `ms` and `sequence` are those of the last of them. */
export interface RunEventsTable {
  run_id: string;
  ms: number;
  sequence: number;
  events: string;
}

/** Events of many runs that are not yet in `run_events`: what a crash would otherwise take. Embedded database only. */
export interface EventJournalTable {
  id: string;
  events: string;
}

export interface ConfigsTable {
  tenant_id: string;
  agent_id: string;
  /** The whole config as JSON, as it was put. */
  body: string;
  is_live: number;
  updated_at: Moment;
}

export interface NotificationsTable {
  tenant_id: string;
  /** Owner of the thread, so that an id of somebody else's can neither clash nor be guessed. */
  subject: string;
  id: string;
  thread_id: string;
  /** What the caller sent, for telling a repetition from a clash. */
  sent: string;
  body: string;
  created_on: Moment;
}

/** A cancel that came before its run did. */
export interface CancelIntentsTable {
  tenant_id: string;
  author: string;
  client_message_id: string;
  until: Moment;
}

/** Every table, for Kysely. */
export interface Tables {
  threads: ThreadsTable;
  messages: MessagesTable;
  runs: RunsTable;
  run_events: RunEventsTable;
  event_journal: EventJournalTable;
  configs: ConfigsTable;
  notifications: NotificationsTable;
  cancel_intents: CancelIntentsTable;
}
