import { clearJournal, journalLine, writeJournal } from '../storage/event-journal.ts';
import { insertMessages, replaceMessage, type NewMessage } from '../storage/messages.ts';
import { appendOwned, packTopics } from '../storage/postgres-event-log.ts';
import type { EventBatch } from '../storage/run-events.ts';
import { endRuns } from '../storage/runs.ts';
import type { Database, Store, Topic } from '../storage/store.ts';
import { createPendingRun, mergePending, type JournalEntry, type PendingRun } from './pending-run.ts';

/** The content of one commit. */
interface Batch {
  /** Runs whose events go to their tables. */
  readonly runs: ReadonlyMap<string, PendingRun>;
  /** New events of the other runs, for the journal. */
  readonly lines: readonly string[];
  readonly row: number;
  /** Journal rows before this one can be deleted. */
  readonly clearBefore: number;
  /** Calls that wait for this commit. */
  readonly waiters: readonly Waiter[];
  /** Called after the commit. */
  readonly mark: () => void;
}

/** A call that waits for its entries to be durable. */
interface Waiter {
  /** `''`: waits for all runs. */
  readonly runId: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Size of a commit in the embedded database, which blocks the event loop; a single run may be larger. */
const maxCommitBytes = 256 * 1024;
/** How long deltas are batched. By contract, a crash may lose at most 250 ms. */
const gatherDelayMs = 150;
/** How long awaited entries are batched, so many runs share a commit. */
const commitDelayMs = 3;
/** Largest size of a run's deltas in the journal; less than its readers have in memory. */
const maxJournalBytes = 64 * 1024;
/** Delay before a failed commit is retried. */
const retryDelayMs = 250;
/** How long a flush retries, so an unavailable store cannot block the stop. */
const flushTimeoutMs = 5_000;
/** Interval at which the journal is cleared while runs are active. */
const clearIntervalMs = 4_000;

/**
 * Writes the output of runs, many runs per commit. Entries of one run keep their order. On the embedded
 * database, deltas of all runs first go to one journal row and later to the rows of their runs, because a row
 * per event would cost more than the rest of the service. On a shared store, a run whose lease was lost is
 * not written; `onLost` is called.
 */
export class Journal {
  readonly #store: Store;
  readonly #owner: string;
  readonly #onLost: (runId: string) => void;
  #pending = new Map<string, PendingRun>();
  #waiters: Waiter[] = [];
  /** When gathered entries must be written, by `performance.now()`; commits before then leave them. */
  #gatheredUntil = Infinity;
  #flushing = false;
  /** The error of the last commit; `undefined` when it succeeded. */
  #error: unknown;
  /** The number of the last journal row, and of the first row that is not cleared. */
  #row = 0;
  #clearedBefore = 1;
  #clearAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #writing: Promise<void> | undefined;

  constructor(options: { store: Store; owner: string; onLost: (runId: string) => void }) {
    this.#store = options.store;
    this.#owner = options.owner;
    this.#onLost = options.onLost;
  }

  /** Writes an entry soon. A crash within 250 ms may lose it. */
  gather(entry: JournalEntry): void {
    const run = this.#add(entry);
    if (run.bytes > maxJournalBytes) run.urgent = true;
    if (this.#gatheredUntil < Infinity) return;
    this.#gatheredUntil = performance.now() + gatherDelayMs;
    this.#schedule(gatherDelayMs);
  }

  /**
   * Writes an entry. Resolves when it and all earlier entries of its run are durable. Rejects when the store
   * fails.
   * @throws when the message cannot be serialized
   */
  commit(entry: JournalEntry): Promise<void> {
    this.#add(entry).urgent = true;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ runId: entry.runId, resolve, reject });
      this.#schedule(commitDelayMs);
    });
  }

  /** Writes the events of all runs to their tables and clears the journal rows. Rejects when the store fails. */
  settle(): Promise<void> {
    if (this.#pending.size === 0 && !this.#writing) return Promise.resolve();
    for (const run of this.#pending.values()) run.urgent = true;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ runId: '', resolve, reject });
      this.#schedule(commitDelayMs);
    });
  }

  /** Writes all pending entries. Rejects after five seconds of failures; pending entries are lost then. */
  async flush(): Promise<void> {
    this.#flushing = true;
    const end = performance.now() + flushTimeoutMs;
    while (this.#writing || this.#pending.size > 0) {
      await (this.#writing ?? this.#write());
      if (this.#error === undefined) continue;
      if (performance.now() > end) {
        this.#forget();
        throw this.#error;
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
    this.#forget();
    this.#flushing = false;
  }

  /** Cancels all retries: a write to a closed store would keep the process alive. */
  #forget(): void {
    this.#pending.clear();
    this.#gatheredUntil = Infinity;
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
  }

  #add({ runId, event, message, ended }: JournalEntry): PendingRun {
    // Serialize the message here: an error must not fail a commit that other runs share.
    const messageBytes = message ? JSON.stringify(message.message).length : 0;
    let run = this.#pending.get(runId);
    if (!run) this.#pending.set(runId, (run = createPendingRun()));
    if (event) {
      run.events.push(event);
      run.bytes += event.json.length;
    }
    if (message) run.messages.push(message);
    run.bytes += messageBytes;
    run.ended ??= ended;
    return run;
  }

  #schedule(delay: number): void {
    const at = performance.now() + delay;
    if (this.#writing || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => void this.#write(), delay);
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
    if (this.#writing) return this.#writing;
    this.#writing = this.#writeBatch(this.#take()).finally(() => {
      this.#writing = undefined;
      this.#scheduleNext();
    });
    return this.#writing;
  }

  /** Writes a batch, or returns it to the queue. Never rejects. */
  async #writeBatch(batch: Batch): Promise<void> {
    try {
      const lost = await this.#transact(batch).catch((error: unknown) =>
        isDeadlock(error) ? this.#transact(batch) : Promise.reject(error),
      );
      this.#error = undefined;
      batch.mark();
      for (const runId of lost) this.#onLost(runId);
      for (const { resolve } of batch.waiters) resolve();
    } catch (error) {
      if (isUnwritable(error)) return this.#writeApart(batch, error);
      this.#error = error;
      this.#putBack(batch.runs);
      this.#gatheredUntil = performance.now();
      for (const { reject } of batch.waiters) reject(error);
    }
  }

  /** One run has an entry that can never be written: drop it and write each run separately. */
  async #writeApart(batch: Batch, error: unknown): Promise<void> {
    this.#gatheredUntil = performance.now();
    if (batch.runs.size <= 1) {
      for (const { reject } of batch.waiters) reject(error);
      return;
    }
    for (const [runId, run] of batch.runs) {
      const waiters = batch.waiters.filter((one) => one.runId === runId);
      await this.#writeBatch({ ...alone, runs: new Map([[runId, run]]), waiters });
    }
  }

  #scheduleNext(): void {
    if (this.#error !== undefined) return this.#schedule(retryDelayMs);
    if (this.#waiters.length > 0) return this.#schedule(commitDelayMs);
    const [oldest] = this.#pending.values();
    if (this.#gatheredUntil < Infinity) this.#schedule(Math.max(0, this.#gatheredUntil - performance.now()));
    else if (oldest) this.#schedule(Math.max(gatherDelayMs, oldest.dueAt - performance.now()));
  }

  /** Takes the next batch: the runs that are due, and the new journal lines of the others if those are due. */
  #take(): Batch {
    const now = performance.now();
    const isGathered = this.#flushing || this.#gatheredUntil <= now;
    const { runs, later } = this.#takeDueRuns(now, isGathered);
    const waiters = this.#takeWaiters(later);
    const row = this.#row + 1;
    const grown = [...this.#pending].filter(
      ([runId, run]) => isGathered && !later.has(runId) && run.journaled < run.events.length,
    );
    const lines = grown.flatMap(([runId, run]) =>
      run.events.slice(run.journaled).map((event) => journalLine(runId, event)),
    );
    const marks = grown.map(([, run]) => ({ run, count: run.events.length }));
    if (later.size > 0) this.#gatheredUntil = now;
    else if (isGathered) this.#gatheredUntil = Infinity;
    const clears = now >= this.#clearAt || this.#pending.size === 0;
    const clearBefore = clears ? Math.min(row, ...[...this.#pending.values()].map((run) => run.firstRow)) : 0;
    const mark = (): void => {
      for (const { run, count } of marks) {
        run.journaled = count;
        run.firstRow = Math.min(run.firstRow, row);
      }
      if (lines.length > 0) this.#row = row;
      if (clearBefore <= this.#clearedBefore) return;
      this.#clearedBefore = clearBefore;
      this.#clearAt = now + clearIntervalMs;
    };
    return { runs, lines, row, clearBefore, waiters, mark };
  }

  /** Takes the runs that are due from the queue. `later`: ids of those that are due but do not fit into the commit. */
  #takeDueRuns(
    now: number,
    isGathered: boolean,
  ): { readonly runs: ReadonlyMap<string, PendingRun>; readonly later: ReadonlySet<string> } {
    const { shared } = this.#store;
    const areAllDue = this.#flushing || (shared && isGathered);
    const runs = new Map<string, PendingRun>();
    const later = new Set<string>();
    let bytes = 0;
    for (const [runId, run] of this.#pending) {
      if (!areAllDue && !run.urgent && run.dueAt > now) continue;
      const fits = shared || runs.size === 0 || bytes + run.bytes <= maxCommitBytes;
      if (!fits) {
        later.add(runId);
        continue;
      }
      bytes += run.bytes;
      runs.set(runId, run);
    }
    for (const runId of runs.keys()) this.#pending.delete(runId);
    return { runs, later };
  }

  /** Takes the calls that wait for this commit; the others wait for runs that are written later. */
  #takeWaiters(later: ReadonlySet<string>): readonly Waiter[] {
    const mustWait = ({ runId }: Waiter): boolean => (runId === '' ? later.size > 0 : later.has(runId));
    const waiters = this.#waiters.filter((one) => !mustWait(one));
    this.#waiters = this.#waiters.filter(mustWait);
    return waiters;
  }

  /** Returns a batch to the queue after an error of the store. */
  #putBack(runs: ReadonlyMap<string, PendingRun>): void {
    for (const [runId, run] of runs) {
      this.#pending.set(runId, mergePending(run, this.#pending.get(runId)));
    }
  }

  /** Writes a batch. Returns the runs that this instance no longer owns. */
  async #transact(batch: Batch): Promise<ReadonlySet<string>> {
    const { runs, lines, row, clearBefore } = batch;
    if (runs.size === 0 && lines.length === 0) return new Set();
    const { shared, events: log } = this.#store;
    const durable = batch.waiters.length > 0 || this.#flushing;
    if (shared && !durable && hasOnlyEvents(runs)) return this.#appendEvents(runs);
    const kept = await this.#store.transaction(
      async (database, announce) => {
        const lost = shared ? await this.#lostRuns(database, [...runs.keys()]) : new Set<string>();
        const held = [...runs].filter(([runId]) => !lost.has(runId));
        if (log.inDatabase) await log.append(database, batchesOf(held));
        await keepMessages(
          this.#store,
          database,
          held.flatMap(([, { messages }]) => messages),
        );
        await endRuns(
          this.#store,
          database,
          held.flatMap(([runId, { ended }]) => (ended ? [{ runId, ...ended }] : [])),
        );
        if (shared && log.inDatabase) for (const [runId] of held) announce(`run:${runId}`);
        if (clearBefore > this.#clearedBefore) await clearJournal(database, clearBefore);
        if (lines.length > 0) await writeJournal(database, row, lines);
        return { lost, held };
      },
      { durable },
    );
    if (!log.inDatabase) await log.append(this.#store.database, batchesOf(kept.held));
    return kept.lost;
  }

  /** Appends events that no call waits for: most of what a run writes. */
  async #appendEvents(runs: ReadonlyMap<string, PendingRun>): Promise<ReadonlySet<string>> {
    const { events: log, database } = this.#store;
    const batches = batchesOf([...runs]);
    if (!log.inDatabase) {
      await log.append(database, batches);
      return new Set();
    }
    const notices = packTopics(batches.map(({ runId }): Topic => `run:${runId}`));
    const held = await appendOwned(this.#store, this.#owner, { batches, notices });
    return new Set([...runs.keys()].filter((runId) => !held.has(runId)));
  }

  /**
   * Returns the runs of the batch that this instance no longer owns. The others stay locked until the commit.
   */
  async #lostRuns(database: Database, runIds: readonly string[]): Promise<Set<string>> {
    const ids = [...runIds].sort();
    if (ids.length === 0) return new Set();
    const rows = await database
      .selectFrom('runs')
      .select('id')
      .where('id', 'in', ids)
      .where('owner', '=', this.#owner)
      .where('status', '=', 'running')
      .orderBy('id')
      .forShare()
      .execute();
    const held = new Set(rows.map((row) => row.id));
    return new Set(ids.filter((id) => !held.has(id)));
  }
}

/** Stores new messages, and replaces those that are stored. */
async function keepMessages(
  store: Store,
  database: Database,
  messages: readonly NewMessage[],
): Promise<void> {
  // A message may occur twice: the later one replaces it.
  const first = new Map(messages.map((message) => [message.id ?? message, message]));
  const inserted = await insertMessages(store, database, [...first.values()]);
  for (const [place, message] of [...first.values()].entries())
    if (!inserted[place]) await replaceMessage(store, database, message);
}

function hasOnlyEvents(runs: ReadonlyMap<string, PendingRun>): boolean {
  return [...runs.values()].every(({ messages, ended }) => messages.length === 0 && !ended);
}

function batchesOf(runs: readonly (readonly [string, PendingRun])[]): EventBatch[] {
  return runs.flatMap(([runId, { events }]) => (events.length > 0 ? [{ runId, events }] : []));
}

/** The batch of a single run: it writes and clears no journal rows. */
const alone = { lines: [], row: 0, clearBefore: 0, mark: () => undefined } as const;

/** Whether the data itself cannot be stored, so a retry would not help. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  // PostgreSQL's "data exception" and "program limit exceeded", and SQLite's equivalent of the latter
  return typeof code === 'string' && /^(22\w{3}|54\w{3}|SQLITE_TOOBIG)$/.test(code);
}

function isDeadlock(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === '40P01' || code === '40001';
}
