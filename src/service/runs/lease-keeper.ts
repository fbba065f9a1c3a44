import { isObject } from '../../protocol/json.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { readRun } from '../storage/event-log.ts';
import { insertMessage } from '../storage/messages.ts';
import { storedAgent } from '../storage/message-author.ts';
import { eventId, start, type StoredEvent } from '../storage/run-events.ts';
import { endRuns, type Run } from '../storage/runs.ts';
import type { Database, Store } from '../storage/store.ts';
import { DraftAnswer, partialMessage } from './draft-answer.ts';
import { runEnds } from './run-end.ts';

/** A literal: the index of active runs is for this text only. */
const isRunning = sql.lit<'running'>('running');
/** How long an expired lease is kept. */
const forgetMs = 86_400_000;

function hasDeadOwner(store: Store): RawBuilder<SqlBool> {
  return store.shared
    ? sql<SqlBool>`not exists (
        select from instances where instances.id = runs.owner and instances.lease_until > ${store.clock()}
      ) and lease_until < ${store.clock()}`
    : sql<SqlBool>`true`;
}

interface LeaseOptions {
  readonly store: Store;
  readonly owner: string;
  readonly leaseMs: number;
  /** Called for an active run whose cancellation was missed. */
  readonly onCancelled: (runId: string) => void;
  /** Called for a run of a dead instance that this one has ended. */
  readonly onOrphanEnded: (run: Run) => void;
  readonly onError: (error: unknown, what: string) => void;
}

/** Renews the leases of this instance's runs and ends the runs of dead instances. */
export class LeaseKeeper {
  readonly #options: LeaseOptions;
  #timer: NodeJS.Timeout | undefined;
  /** When the lease was renewed, and from when on others are taken for dead; by `performance.now()`. */
  #renewedAt = performance.now();
  #judgesFrom = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { store, leaseMs } = this.#options;
    if (!store.shared) return this.#endDead();
    await this.#renew();
    this.#judgesFrom = this.#renewedAt + leaseMs; // the database may have been away until now
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#tick());
    }, leaseMs / 3);
    this.#timer.unref();
  }

  /** Gives up the lease. Runs that are left are ended by another instance. */
  async close(): Promise<void> {
    const { store, owner, onError } = this.#options;
    clearInterval(this.#timer);
    await this.#work;
    if (!store.shared) return;
    const lease = store.database.deleteFrom('instances').where('id', '=', owner);
    await lease.execute().catch((error: unknown) => onError(error, 'the lease could not be given up'));
  }

  async #tick(): Promise<void> {
    const { store, owner, onCancelled, onError } = this.#options;
    try {
      await this.#renew();
      const cancelled = await store.database
        .selectFrom('runs')
        .select('id')
        .where('owner', '=', owner)
        .where('status', '=', isRunning)
        .where('cancel_requested', '=', 1)
        .execute();
      for (const run of cancelled) onCancelled(run.id);
      if (performance.now() >= this.#judgesFrom) await this.#endDead();
    } catch (error) {
      onError(error, 'leases could not be renewed');
    }
  }

  /** If the lease had run out, as in an outage of the database, the other instances get time to renew theirs. */
  async #renew(): Promise<void> {
    const { store, owner, leaseMs } = this.#options;
    const lease = { lease_until: sql<number>`${store.clock()} + ${sql.lit(leaseMs)}` };
    await store.database
      .insertInto('instances')
      .values({ id: owner, ...lease })
      .onConflict((clash) => clash.column('id').doUpdateSet(lease))
      .execute();
    const now = performance.now();
    if (now - this.#renewedAt > leaseMs) this.#judgesFrom = now + leaseMs;
    this.#renewedAt = now;
    await store.database
      .deleteFrom('instances')
      .where('lease_until', '<', sql<number>`${store.clock()} - ${sql.lit(forgetMs)}`)
      .execute();
  }

  /** Ends the runs of instances without a valid lease: on a store that is not shared, all of a former process. */
  async #endDead(): Promise<void> {
    const { store } = this.#options;
    const query = store.database
      .selectFrom('runs')
      .selectAll()
      .where('status', '=', isRunning)
      .where(hasDeadOwner(store));
    for (const run of await query.limit(10_000).execute()) await this.#endOne(run);
  }

  /** Marks a run as expired, so readers on every instance see its end, and stores its partial answer. */
  async #endOne(run: Run): Promise<void> {
    const { store, onOrphanEnded } = this.#options;
    const events: StoredEvent[] = [];
    const append = (database: Database): Promise<void> =>
      store.events.append(database, [{ runId: run.id, events }]);
    const isEnded = await store.transaction(async (database, announce) => {
      const claimed = await database
        .updateTable('runs')
        .set({ owner: `ended by ${this.#options.owner}` })
        .where('id', '=', run.id)
        .where('status', '=', isRunning)
        .where(hasDeadOwner(store))
        .returning('id')
        .executeTakeFirst();
      if (!claimed) return false;
      const answer = await this.#keepPartial(database, run);
      const { event, data, status } = runEnds.dead;
      const json = JSON.stringify({ ...data, agent_id: run.agent_id });
      const ms = Math.max(Date.now(), answer.lastMs + 1);
      events.push({ ms, sequence: 0, event, json }, { ms, sequence: 1, event: 'done', json });
      await endRuns(store, database, [{ runId: run.id, status, at: ms }]);
      if (!store.events.inDatabase) return true;
      await append(database);
      announce(`run:${run.id}`);
      return true;
    });
    if (!isEnded) return;
    onOrphanEnded(run);
    if (!store.events.inDatabase) await append(store.database);
  }

  async #keepPartial(database: Database, run: Run): Promise<{ lastMs: number }> {
    const { store } = this.#options;
    const answer = new DraftAnswer(run.message_id);
    let cursor = start;
    for (;;) {
      const page = await readRun(store.events, { runId: run.id, cursor }, database);
      for (const kept of page) {
        const data: unknown = JSON.parse(kept.json);
        if (!isObject(data)) continue;
        if (kept.event === 'message.created') answer.create({});
        else answer.apply(kept.event, data);
      }
      const last = page.at(-1);
      if (!last) break;
      if (eventId(last) === eventId(cursor)) break;
      cursor = last;
    }
    if (answer.hasDraft) {
      const partial = partialMessage(answer.draft(), runEnds.dead);
      await insertMessage(store, database, {
        id: partial.id,
        threadId: run.thread_id,
        tenantId: run.tenant_id,
        author: storedAgent(run.agent_id),
        runId: run.id,
        role: partial.role,
        message: partial.message,
      });
    }
    return { lastMs: cursor.ms };
  }
}
