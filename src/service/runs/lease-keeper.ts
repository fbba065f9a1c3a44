import { isObject } from '../../protocol/json.ts';
import { sql } from 'kysely';
import { insertMessage } from '../storage/messages.ts';
import { storedAgent } from '../storage/message-author.ts';
import { eventId, insertRunEvents, runEventsAfter, start, type StoredEvent } from '../storage/run-events.ts';
import { endRuns, type Run } from '../storage/runs.ts';
import type { Database, Store } from '../storage/store.ts';
import { DraftAnswer } from './draft-answer.ts';
import { runEnds } from './run-end.ts';
import type { Journal } from './journal.ts';
import { partialMessage } from './run-execution.ts';

interface LeaseOptions {
  readonly store: Store;
  readonly owner: string;
  readonly leaseMs: number;
  readonly journal: Journal;
  /** Called for an active run whose cancellation was missed. */
  readonly onCancelled: (runId: string) => void;
  readonly onError: (error: unknown, what: string) => void;
}

/** Renews the leases of this instance's runs and ends the runs of dead instances. */
export class LeaseKeeper {
  readonly #options: LeaseOptions;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { store, leaseMs } = this.#options;
    await this.#endDead(!store.shared);
    if (!store.shared) return;
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#tick());
    }, leaseMs / 3);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  async #tick(): Promise<void> {
    const { store, owner, leaseMs, journal, onCancelled, onError } = this.#options;
    try {
      journal.beforeNextCommit(async (database) => {
        await database
          .updateTable('runs')
          .set({ lease_until: sql<number>`${store.clock()} + ${sql.lit(leaseMs)}` })
          .where('owner', '=', owner)
          .where('status', '=', 'running')
          .execute();
      });
      const cancelled = await store.database
        .selectFrom('runs')
        .select('id')
        .where('owner', '=', owner)
        .where('status', '=', 'running')
        .where('cancel_requested', '=', 1)
        .execute();
      for (const run of cancelled) onCancelled(run.id);
      await this.#endDead(false);
    } catch (error) {
      onError(error, 'leases could not be renewed');
    }
  }

  async #endDead(all: boolean): Promise<void> {
    const { store } = this.#options;
    let query = store.database.selectFrom('runs').selectAll().where('status', '=', 'running');
    if (!all) query = query.where('lease_until', '<', store.clock());
    for (const run of await query.limit(10_000).execute()) await this.#endOne(run, all);
  }

  /** Marks a run as expired, so readers on every instance see its end, and stores its partial answer. */
  async #endOne(run: Run, all: boolean): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async (database, announce) => {
      let claim = database
        .updateTable('runs')
        .set({ owner: `ended by ${this.#options.owner}` })
        .where('id', '=', run.id)
        .where('status', '=', 'running');
      if (!all) claim = claim.where('lease_until', '<', store.clock());
      const claimed = await claim.returning('id').executeTakeFirst();
      if (!claimed) return;
      const answer = await this.#keepPartial(database, run);
      const { event, data, status } = runEnds.dead;
      const json = JSON.stringify({ ...data, agent_id: run.agent_id });
      const ms = Math.max(Date.now(), answer.lastMs + 1);
      const events: StoredEvent[] = [
        { ms, sequence: 0, event, json },
        { ms, sequence: 1, event: 'done', json },
      ];
      await insertRunEvents(store, database, [{ runId: run.id, events }]);
      await endRuns(store, database, [{ runId: run.id, status, at: ms }]);
      announce(`run:${run.id}`);
    });
  }

  async #keepPartial(database: Database, run: Run): Promise<{ lastMs: number }> {
    const answer = new DraftAnswer(run.message_id);
    let cursor = start;
    for (;;) {
      const page = await runEventsAfter(database, run.id, cursor);
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
      const partial = partialMessage(answer.draft(), 'expired');
      await insertMessage(database, {
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
