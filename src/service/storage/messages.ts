import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Message, StoredMessage } from '../../protocol/index.ts';
import { jsonRows } from './json-rows.ts';
import { countAdmitted, countWithin, sizeOfBody, type AdmitBytes } from './payload-size.ts';
import { authorOf, withAuthor } from './message-author.ts';
import { indexMessages, reindexMessage } from './search-index.ts';
import type { Database, Store } from './store.ts';
import type { MessagesTable } from './tables.ts';
import { nextClocks } from './threads.ts';

type MessageRow = Selectable<MessagesTable>;

/** Largest batch for a follower, because many may read slowly. */
const maxFollowBytes = 1024 * 1024;
/** Batches for followers above this size are read one at a time. */
const largeBatchBytes = 64 * 1024;

/** Runs work of many callers one after another. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A message to store. */
export interface NewMessage {
  readonly id?: string;
  readonly threadId: string;
  readonly tenantId: string;
  /** A subject, `key:<id>`, or `agent:<id>`. */
  readonly author: string;
  readonly runId?: string;
  readonly role: string;
  readonly clientMessageId?: string;
  readonly contentHash?: string;
  readonly callback?: boolean;
  readonly message: Message;
}

/** A stored message with its position in the thread. */
export interface PlacedMessage {
  readonly stored: StoredMessage;
  readonly callback: boolean;
  readonly contentHash: string | null;
  readonly clock: number;
}

/** Identifies a message by the id that its sender gave it. */
export interface ClientMessageKey {
  readonly tenantId: string;
  readonly author: string;
  readonly clientMessageId: string;
}

/** Appends a message to its thread. `undefined`: the thread was deleted, or the sender's id is in use. */
export async function insertMessage(
  store: Store,
  database: Database,
  message: NewMessage,
): Promise<PlacedMessage | undefined> {
  return (await insertMessages(store, database, [message]))[0];
}

/** Appends messages to their threads, with two statements in all. See `insertMessage` for the results. */
export async function insertMessages(
  store: Store,
  database: Database,
  messages: readonly NewMessage[],
): Promise<readonly (PlacedMessage | undefined)[]> {
  if (messages.length === 0) return [];
  const clocks = await nextClocks(
    store,
    database,
    messages.map(({ threadId }) => threadId),
  );
  return insertPlaced(store, database, messages, clocks);
}

/** Inserts messages at known positions. `undefined`: no position, or the sender's id is in use. */
export async function insertPlaced(
  store: Store,
  database: Database,
  messages: readonly NewMessage[],
  clocks: readonly (number | undefined)[],
): Promise<readonly (PlacedMessage | undefined)[]> {
  const rows = messages.map((message, index) => {
    const clock = clocks[index];
    return clock === undefined ? undefined : rowOf(message, clock);
  });
  const values = rows.filter((row) => row !== undefined).map((row) => columns.map((name) => row[name]));
  if (values.length === 0) return rows.map(() => undefined);
  const inserted = await sql<{ id: string }>`
    insert into messages (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name, index) => valueOf(name, index)))}
    from ${jsonRows(store, values)} where true
    on conflict do nothing returning id`.execute(database);
  const ids = new Set(inserted.rows.map(({ id }) => id));
  const indexed = rows.flatMap((row, index) => {
    const message = messages[index]?.message;
    return row && message && ids.has(row.id) ? [{ ...row, message }] : [];
  });
  await indexMessages(store, database, indexed);
  return rows.map((row) => (row && ids.has(row.id) ? placed(row) : undefined));
}

const columns = [
  'id',
  'thread_id',
  'tenant_id',
  'author',
  'run_id',
  'role',
  'client_message_id',
  'content_hash',
  'clock',
  'created_on',
  'callback',
  'body',
] as const satisfies readonly (keyof MessageRow)[];

const numeric: ReadonlySet<string> = new Set(['clock', 'created_on', 'callback']);

function valueOf(name: string, index: number): RawBuilder<unknown> {
  const value = sql`j.value->>${sql.lit(index)}`;
  return numeric.has(name) ? sql`cast(${value} as bigint)` : value;
}

function rowOf(message: NewMessage, clock: number): MessageRow {
  return {
    id: message.id ?? randomUUID(),
    thread_id: message.threadId,
    tenant_id: message.tenantId,
    author: message.author,
    run_id: message.runId ?? null,
    role: message.role.replaceAll('\u0000', '').slice(0, 200),
    client_message_id: message.clientMessageId ?? null,
    content_hash: message.contentHash ?? null,
    clock,
    created_on: Date.now(),
    callback: message.callback ? 1 : 0,
    body: JSON.stringify(message.message),
  };
}

/** Replaces a message of the same run. */
export async function replaceMessage(store: Store, database: Database, message: NewMessage): Promise<void> {
  const replaced = await database
    .updateTable('messages')
    .set({ body: JSON.stringify(message.message) })
    .where('id', '=', message.id ?? '')
    .where('run_id', '=', message.runId ?? '')
    .returning(['id', 'thread_id', 'author', 'role', 'clock'])
    .executeTakeFirst();
  if (replaced) await reindexMessage(store, database, { ...replaced, message: message.message });
}

/** Finds a message by the sender's own id. */
export async function findByClientMessageId(
  database: Database,
  key: ClientMessageKey,
): Promise<PlacedMessage | undefined> {
  const row = await database
    .selectFrom('messages')
    .selectAll()
    .where('tenant_id', '=', key.tenantId)
    .where('author', '=', key.author)
    .where('client_message_id', '=', key.clientMessageId)
    .executeTakeFirst();
  return row && placed(row);
}

/** Finds the messages with senders' own ids, in the order of the keys; none for `undefined`. */
export async function findByClientMessageIds(
  store: Store,
  database: Database,
  keys: readonly (ClientMessageKey | undefined)[],
): Promise<readonly (PlacedMessage | undefined)[]> {
  const values = keys.flatMap((key) => (key ? [[key.tenantId, key.author, key.clientMessageId]] : []));
  if (values.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select messages.* from ${jsonRows(store, values)} join messages
    on tenant_id = j.value->>0 and author = j.value->>1 and client_message_id = j.value->>2`.execute(
    database,
  );
  const found = new Map(
    rows.map((row) => [`${row.author}\n${row.client_message_id}\n${row.tenant_id}`, row]),
  );
  return keys.map((key) => {
    const row = key && found.get(`${key.author}\n${key.clientMessageId}\n${key.tenantId}`);
    return row && placed(row);
  });
}

/**
 * Returns the newest messages of a thread, oldest first; fewer than `limit` if they exceed `bytes`.
 * @param options.before id of a message; only earlier ones are returned
 */
export async function listMessages(
  database: Database,
  threadId: string,
  options: { limit: number; bytes: number; before?: string; admit?: AdmitBytes },
): Promise<PlacedMessage[]> {
  let query = database.selectFrom('messages').where('thread_id', '=', threadId);
  if (options.before !== undefined) {
    const border = database
      .selectFrom('messages')
      .select('clock')
      .where('id', '=', options.before.toLowerCase());
    query = query.where('clock', '<', border.where('thread_id', '=', threadId));
  }
  query = query.orderBy('clock', 'desc');
  const sizes = await query.select(sizeOfBody).limit(options.limit).execute();
  const count = await countAdmitted(sizes, options.bytes, options.admit);
  const rows = await query.selectAll().limit(count).execute();
  return rows.reverse().map(placed);
}

/**
 * Returns some callback messages after a position in a thread, oldest first. Call it again for the rest.
 * @param inTurn runs the read of a large batch when no other is read: many at once would exhaust the memory
 */
export async function callbackMessagesAfter(
  database: Database,
  threadId: string,
  clock: number,
  inTurn: InTurn = (work) => work(),
): Promise<PlacedMessage[]> {
  const query = database
    .selectFrom('messages')
    .where('thread_id', '=', threadId)
    .where('callback', '=', 1)
    .where('clock', '>', clock)
    .orderBy('clock');
  const sizes = await query.select(sizeOfBody).limit(200).execute();
  if (sizes.length === 0) return [];
  const count = countWithin(sizes, maxFollowBytes);
  const bytes = sizes.slice(0, count).reduce((sum, { size }) => sum + size, 0);
  const read = async (): Promise<PlacedMessage[]> =>
    (await query.selectAll().limit(count).execute()).map(placed);
  return bytes > largeBatchBytes ? inTurn(read) : read();
}

/** Returns the agent's messages of a run, oldest first: all but the message that opened it. */
export async function messagesOfRun(
  database: Database,
  run: { readonly id: string; readonly message_id: string },
): Promise<PlacedMessage[]> {
  const rows = await database
    .selectFrom('messages')
    .selectAll()
    .where('run_id', '=', run.id)
    .where('id', '!=', run.message_id)
    .orderBy('clock')
    .execute();
  return rows.map(placed);
}

function placed(row: MessageRow): PlacedMessage {
  // Before agents had names here, theirs were the only messages of an "agent" without a hash.
  const isUnnamedAgent = row.author === 'agent' && row.content_hash === null;
  const body = withoutNullRole(JSON.parse(row.body) as Message); // written by `insertMessage`
  const author = isUnnamedAgent ? ({ kind: 'agent', id: '' } as const) : authorOf(row.author, body);
  return {
    stored: {
      role: row.role,
      ...withAuthor(body, author),
      id: row.id,
      thread_id: row.thread_id,
      run_id: row.run_id,
      created_on: new Date(row.created_on).toISOString(),
    },
    callback: row.callback === 1,
    contentHash: row.content_hash,
    clock: row.clock,
  };
}

function withoutNullRole(message: Message): Message {
  const { role, ...rest } = message;
  return role == null ? rest : message;
}
