import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Message, StoredMessage } from '../../protocol/index.ts';
import { countAdmitted, countWithin, sizeOfBody, type AdmitBytes } from './payload-size.ts';
import type { Database } from './store.ts';
import type { MessagesTable } from './tables.ts';
import { nextClock } from './threads.ts';

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

/** Appends a message to its thread. `undefined`: the thread was deleted, or the sender's id is in use. */
export async function insertMessage(
  database: Database,
  message: NewMessage,
): Promise<PlacedMessage | undefined> {
  const clock = await nextClock(database, message.threadId);
  if (clock === undefined) return undefined;
  const row: MessageRow = {
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
  const inserted = await database
    .insertInto('messages')
    .values(row)
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted ? placed(row) : undefined;
}

/** Replaces a message of the same run. */
export async function replaceMessage(database: Database, message: NewMessage): Promise<void> {
  await database
    .updateTable('messages')
    .set({ body: JSON.stringify(message.message) })
    .where('id', '=', message.id ?? '')
    .where('run_id', '=', message.runId ?? '')
    .execute();
}

/** Finds a message by the sender's own id. */
export async function findByClientMessageId(
  database: Database,
  key: { tenantId: string; author: string; clientMessageId: string },
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
  return {
    stored: {
      role: row.role,
      ...withoutNullRole(JSON.parse(row.body) as Message), // written by `insertMessage`
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
