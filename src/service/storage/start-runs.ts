import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Message, StoredMessage } from '../../protocol/index.ts';
import { isDeadlock, isDuplicate } from './database-error.ts';
import { jsonRows } from './json-rows.ts';
import {
  findByClientMessageIds,
  insertPlaced,
  type ClientMessageKey,
  type PlacedMessage,
} from './messages.ts';
import type { StoredEvent } from './run-events.ts';
import { findRun, takeCancelIntents, type Run } from './runs.ts';
import type { Database, Store, Topic } from './store.ts';
import { findThreads, insertThreads, newThread, nextClocks, type Reach, type Thread } from './threads.ts';

/** The values of a new run. */
export interface NewRun {
  readonly reach: Reach;
  /** The sender: a subject or `key:<id>`. */
  readonly author: string;
  readonly threadId: string | undefined;
  /** Id of the thread if there is no `threadId`: it is created unless it exists. Absent: a new thread. */
  readonly newThreadId?: string | undefined;
  readonly agentId: string;
  readonly message: Message;
  readonly clientMessageId: string | undefined;
  readonly contentHash: string;
  readonly owner: string;
  readonly leaseMs: number;
  /** Called with the thread before any write; throws to refuse. */
  readonly admit: (thread: Thread | undefined) => void;
  /** Called before a new run is written, possibly more than once; throws to refuse. */
  readonly admitNew: () => void;
  /** The run's first event. It is stored with the run if the event log is in the database. */
  readonly firstEvent?: (run: Run) => StoredEvent;
  /** Called in the transaction after message and run are written; throws to undo both. */
  readonly begun?: (database: Database, run: Run, announce: (topic: Topic) => void) => Promise<void>;
}

/** A new run, as it was stored. */
export interface StartedRun {
  readonly kind: 'started';
  readonly run: Run;
  readonly thread: Thread;
  readonly message: StoredMessage;
  /** Whether its cancellation arrived before it. */
  readonly cancelled: boolean;
  /** Its first event, if that was stored with it. */
  readonly firstEvent: StoredEvent | undefined;
}

/** The result of starting a run. */
export type RunStart =
  | StartedRun
  | { readonly kind: 'existing'; readonly run: Run }
  | { readonly kind: 'clash' }
  | { readonly kind: 'no-thread' };

/** One of the opening's functions threw. */
export interface RefusedStart {
  readonly kind: 'refused';
  readonly error: unknown;
}

/** A run that may be written, with the values that are written with it. */
interface Admitted {
  readonly place: number;
  readonly opening: NewRun;
  readonly key: ClientMessageKey | undefined;
  readonly thread: Thread;
  readonly isNewThread: boolean;
  readonly runId: string;
}

/** How often a sender's id, or a new thread, may be found in use by a concurrent request. */
const maxAttempts = 4;

/**
 * Stores visitors' messages and creates their runs in one transaction, with few statements for all of them. A sender's
 * `clientMessageId` creates only one run, even under concurrency. Returns the results in order.
 */
export async function startRuns(
  store: Store,
  openings: readonly NewRun[],
): Promise<readonly (RunStart | RefusedStart)[]> {
  const starts: (RunStart | RefusedStart)[] = openings.map(() => ({ kind: 'clash' }));
  let left = openings.map((opening, place) => ({ opening, place }));
  for (let attempts = maxAttempts + openings.length; attempts > 0 && left.length > 0; attempts -= 1) {
    const [now, later] = withoutRepeatedIds(left);
    const attempt = store.transaction((database, announce) => tryToStart(store, database, now, announce));
    const done = await attempt.catch((error: unknown): Awaited<typeof attempt> => {
      // another instance has begun one of the threads, which the next attempt finds
      if (isDuplicate(error) || isDeadlock(error)) return new Map();
      throw error;
    });
    for (const [place, start] of done) starts[place] = start;
    left = [...now.filter(({ place }) => !done.has(place)), ...later];
  }
  return starts;
}

interface Placed {
  readonly opening: NewRun;
  readonly place: number;
}

/** Splits off the openings whose sender's id or new thread occurs before: they must find what the first stores. */
function withoutRepeatedIds(openings: readonly Placed[]): readonly [Placed[], Placed[]] {
  const seen = new Set<string>();
  const first: Placed[] = [];
  const repeated: Placed[] = [];
  for (const one of openings) {
    const { opening, place } = one;
    const names = [keyOf(opening), opening.newThreadId].map((name) => JSON.stringify(name ?? place));
    (names.some((name) => seen.has(name)) ? repeated : first).push(one);
    for (const name of names) seen.add(name);
  }
  return [first, repeated];
}

/** Returns the results by place, without those whose sender's id a concurrent request has just used. */
async function tryToStart(
  store: Store,
  database: Database,
  openings: readonly Placed[],
  announce: (topic: Topic) => void,
): Promise<ReadonlyMap<number, RunStart | RefusedStart>> {
  const done = new Map<number, RunStart | RefusedStart>();
  const admitted = await admit(store, database, openings, done);
  await insertThreads(
    store,
    database,
    admitted.filter(({ isNewThread }) => isNewThread).map(({ thread }) => thread),
  );
  const messages = await insertOpeningMessages(store, database, admitted);
  const taken = admitted.filter((one, index) => one.isNewThread && !messages[index]);
  if (taken.length > 0) {
    const ids = taken.map(({ thread }) => thread.id);
    await database.deleteFrom('threads').where('id', 'in', ids).execute();
  }
  const written = admitted.flatMap((one, index) => {
    const message = messages[index];
    return message ? [{ ...one, message, run: newRun(one, message) }] : [];
  });
  await insertRuns(
    store,
    database,
    written.map(({ run, opening }) => ({ run, leaseMs: opening.leaseMs })),
  );
  const firstEvents = await insertFirstEvents(store, database, written);
  const keys = written.flatMap(({ key }) => key ?? []);
  const intents = await takeCancelIntents(store, database, keys);
  for (const { place, opening, run, thread, message, key } of written) {
    await opening.begun?.(database, run, announce);
    const cancelled = key !== undefined && intents.has(key);
    const firstEvent = firstEvents.get(run.id);
    done.set(place, { kind: 'started', run, thread, message: message.stored, cancelled, firstEvent });
  }
  return done;
}

/** Returns the openings to write; puts the results of the others into `done`. */
async function admit(
  store: Store,
  database: Database,
  openings: readonly Placed[],
  done: Map<number, RunStart | RefusedStart>,
): Promise<readonly Admitted[]> {
  const threads = await findThreads(
    database,
    openings.map(({ opening: { reach, newThreadId, threadId: id = newThreadId } }) =>
      id === undefined ? undefined : { id, reach },
    ),
  );
  const keys = openings.map(({ opening }) => keyOf(opening));
  const messages = await findByClientMessageIds(store, database, keys);
  const admitted: Admitted[] = [];
  for (const [index, { opening, place }] of openings.entries()) {
    const found = threads[index];
    if (opening.threadId !== undefined && !found) {
      done.set(place, { kind: 'no-thread' });
      continue;
    }
    try {
      opening.admit(found);
      const before = messages[index];
      if (before) {
        done.set(place, await existing(database, opening, { before, found }));
        continue;
      }
      opening.admitNew();
    } catch (error) {
      done.set(place, { kind: 'refused', error });
      continue;
    }
    const { reach, agentId, newThreadId: id } = opening;
    admitted.push({
      place,
      opening,
      key: keys[index],
      thread: found ?? newThread({ id, tenantId: reach.tenantId, subject: reach.subject ?? '', agentId }),
      isNewThread: !found,
      runId: randomUUID(),
    });
  }
  return admitted;
}

function keyOf({ reach, author, clientMessageId }: NewRun): ClientMessageKey | undefined {
  return clientMessageId === undefined ? undefined : { tenantId: reach.tenantId, author, clientMessageId };
}

/** Returns the run that the sender's message opened before. */
async function existing(
  database: Database,
  opening: NewRun,
  { before, found }: { before: PlacedMessage; found: Thread | undefined },
): Promise<RunStart> {
  const same = before.contentHash === opening.contentHash && (!found || found.id === before.stored.thread_id);
  const run = same ? await findRun(database, before.stored.run_id ?? '') : undefined;
  return run ? { kind: 'existing', run } : { kind: 'clash' };
}

/** Inserts the visitors' messages, each at the next position of its thread. */
async function insertOpeningMessages(
  store: Store,
  database: Database,
  admitted: readonly Admitted[],
): Promise<readonly (PlacedMessage | undefined)[]> {
  const old = admitted.filter(({ isNewThread }) => !isNewThread);
  const clocks =
    old.length === 0
      ? []
      : await nextClocks(
          store,
          database,
          old.map(({ thread }) => thread.id),
        );
  const clockOf = new Map(old.map(({ place }, index) => [place, clocks[index]]));
  return insertPlaced(
    store,
    database,
    admitted.map(({ opening, thread, runId }) => ({
      threadId: thread.id,
      tenantId: opening.reach.tenantId,
      author: opening.author,
      runId,
      role: opening.message.role ?? 'user',
      ...(opening.clientMessageId === undefined ? {} : { clientMessageId: opening.clientMessageId }),
      contentHash: opening.contentHash,
      message: opening.message,
    })),
    admitted.map(({ place, thread, isNewThread }) => (isNewThread ? thread.clock : clockOf.get(place))),
  );
}

function newRun({ opening, thread, runId }: Admitted, message: PlacedMessage): Run {
  return {
    id: runId,
    thread_id: thread.id,
    tenant_id: opening.reach.tenantId,
    author: opening.author,
    agent_id: opening.agentId,
    status: 'running',
    message_id: message.stored.id,
    owner: opening.owner,
    lease_until: 0,
    cancel_requested: 0,
    reader_seen: 0,
    created_on: Date.now(),
    ended_on: null,
  };
}

async function insertRuns(
  store: Store,
  database: Database,
  runs: readonly { readonly run: Run; readonly leaseMs: number }[],
): Promise<void> {
  if (runs.length === 0) return;
  const rows = runs.map(({ run, leaseMs }) => [
    run.id,
    run.thread_id,
    run.tenant_id,
    run.author,
    run.agent_id,
    run.message_id,
    run.owner,
    leaseMs,
    run.created_on,
  ]);
  await sql`
    insert into runs (id, thread_id, tenant_id, author, agent_id, status, message_id, owner, lease_until,
      cancel_requested, reader_seen, created_on)
    select j.value->>0, j.value->>1, j.value->>2, j.value->>3, j.value->>4, 'running', j.value->>5, j.value->>6,
      ${store.clock()} + cast(j.value->>7 as bigint), 0, ${store.clock()}, cast(j.value->>8 as bigint)
    from ${jsonRows(store, rows)}`.execute(database);
}

/** Returns the events that were stored, by run. */
async function insertFirstEvents(
  { events: log }: Store,
  database: Database,
  written: readonly { readonly run: Run; readonly opening: NewRun }[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  const events = new Map<string, StoredEvent>();
  if (!log.inDatabase) return events;
  for (const { run, opening } of written) if (opening.firstEvent) events.set(run.id, opening.firstEvent(run));
  const batches = [...events].map(([runId, event]) => ({ runId, events: [event] }));
  await log.append(database, batches);
  return events;
}
