import { randomUUID } from 'node:crypto';
import type { Notification } from '../../protocol/index.ts';
import { countAdmitted, maxListBytes, sizeOfBody, type AdmitBytes } from './payload-size.ts';
import type { Database, Store } from './store.ts';
import { holdThread, type Thread } from './threads.ts';

/**
 * Stores a notification and fills in missing fields. A repeated record returns the stored one; `clash`: the id is in
 * use for another record; `no-thread`: the thread was deleted.
 * @param comparable serializes a record so that equal records are equal texts
 */
export function insertNotification(
  store: Store,
  thread: Thread,
  notification: Notification,
  comparable: (record: Notification) => string,
): Promise<Notification | 'clash' | 'no-thread'> {
  return store.transaction(async (database) =>
    (await holdThread(store, database, thread.id))
      ? insert(database, thread, notification, comparable)
      : 'no-thread',
  );
}

async function insert(
  database: Database,
  thread: Thread,
  notification: Notification,
  comparable: (record: Notification) => string,
): Promise<Notification | 'clash'> {
  const now = new Date().toISOString();
  const id = notification.id?.toLowerCase() ?? randomUUID();
  const record: Notification = {
    ...notification,
    id: notification.id ?? id,
    thread_id: notification.thread_id,
    run_id: notification.run_id ?? null,
    tenant_id: notification.tenant_id ?? thread.tenant_id,
    created_on: notification.created_on ?? now,
    updated_at: notification.updated_at ?? notification.created_on ?? now,
  };
  const inserted = await database
    .insertInto('notifications')
    .values({
      tenant_id: thread.tenant_id,
      subject: thread.subject,
      id,
      thread_id: thread.id,
      sent: comparable(notification),
      body: JSON.stringify(record),
      created_on: Date.now(),
    })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return record;
  const kept = await database
    .selectFrom('notifications')
    .select(['sent', 'body'])
    .where('tenant_id', '=', thread.tenant_id)
    .where('subject', '=', thread.subject)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!kept) return 'clash';
  const stored = JSON.parse(kept.body) as Notification; // written above
  // The caller repeats its request, or sends back the record that it received in response.
  const same = [kept.sent, comparable(stored)].includes(comparable(notification));
  return same ? stored : 'clash';
}

/**
 * Returns the newest notifications of a thread, oldest first; fewer than `limit` if they exceed the size
 * limit of lists.
 * @param options.before id of a notification; only earlier ones are returned
 */
export async function listNotifications(
  database: Database,
  thread: Thread,
  options: { limit: number; before?: string; admit: AdmitBytes },
): Promise<Notification[]> {
  let query = database.selectFrom('notifications').where('thread_id', '=', thread.id);
  if (options.before !== undefined) {
    const border = database
      .selectFrom('notifications')
      .select(['created_on', 'id'])
      .where('tenant_id', '=', thread.tenant_id)
      .where('subject', '=', thread.subject)
      .where('id', '=', options.before.toLowerCase())
      .where('thread_id', '=', thread.id);
    query = query.where(({ eb, refTuple }) =>
      eb(refTuple('created_on', 'id'), '<', border.$asTuple('created_on', 'id')),
    );
  }
  query = query.orderBy('created_on', 'desc').orderBy('id', 'desc');
  const sizes = await query.select(sizeOfBody).limit(options.limit).execute();
  const count = await countAdmitted(sizes, maxListBytes, options.admit);
  const rows = await query.select('body').limit(count).execute();
  return rows.reverse().map((row) => JSON.parse(row.body) as Notification); // written by `insertNotification`
}

/** Deletes the notifications of a thread. */
export async function deleteNotifications(database: Database, threadId: string): Promise<void> {
  await database.deleteFrom('notifications').where('thread_id', '=', threadId).execute();
}
