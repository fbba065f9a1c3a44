import { isDeadlock, isUnwritable } from '../storage/database-error.ts';
import { journalLine } from '../storage/event-journal.ts';
import type { Store } from '../storage/store.ts';
import { createPendingRun, mergePending, type JournalEntry, type PendingRun } from './pending-run.ts';
import { RunAborted, type RunEndReason } from './run-end.ts';
import { writeBatch, type Batch } from './write-batch.ts';

/** A batch, and what its commit settles. */
interface AwaitedBatch extends Batch {
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
 * per event would cost more than the rest of the service. A run that was deleted, or whose lease was lost, is not
 * written; `onLost` is called, which tells how the run has ended elsewhere.
 */
export class Journal {
  readonly #store: Store;
  readonly #owner: string;
  readonly #onLost: (runId: string) => Promise<RunEndReason>;
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

  constructor(options: { store: Store; owner: string; onLost: (runId: string) => Promise<RunEndReason> }) {
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
   * fails, and with a `RunAborted` when the run was lost.
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

  /**
   * Writes all pending entries and completes all calls that wait. Rejects after five seconds of failures; pending
   * entries are lost then.
   */
  async flush(): Promise<void> {
    this.#flushing = true;
    const end = performance.now() + flushTimeoutMs;
    while (this.#writing || this.#pending.size > 0 || this.#waiters.length > 0) {
      await (this.#writing ?? this.#write());
      if (this.#error === undefined) continue;
      if (performance.now() > end) {
        this.#forget();
        for (const { reject } of this.#waiters.splice(0)) reject(this.#error);
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
    this.#writing = this.#writeOrPutBack(this.#take()).finally(() => {
      this.#writing = undefined;
      this.#scheduleNext();
    });
    return this.#writing;
  }

  /** Writes a batch, or returns it to the queue. Never rejects. */
  async #writeOrPutBack(batch: AwaitedBatch): Promise<void> {
    const durable = batch.waiters.length > 0 || this.#flushing;
    const options = { store: this.#store, owner: this.#owner, durable };
    try {
      const lost = await writeBatch(batch, options).catch((error: unknown) =>
        isDeadlock(error) ? writeBatch(batch, options) : Promise.reject(error),
      );
      this.#error = undefined;
      batch.mark();
      for (const runId of lost) void this.#rejectLost(runId, batch.waiters);
      for (const { runId, resolve } of batch.waiters) if (!lost.has(runId)) resolve();
    } catch (error) {
      if (isUnwritable(error)) return this.#writeApart(batch, error);
      this.#error = error;
      this.#putBack(batch.runs);
      this.#gatheredUntil = performance.now();
      for (const { reject } of batch.waiters) reject(error);
    }
  }

  async #rejectLost(lostId: string, waiters: readonly Waiter[]): Promise<void> {
    const aborted = new RunAborted(await this.#onLost(lostId));
    for (const { runId, reject } of waiters) if (runId === lostId) reject(aborted);
  }

  /**
   * One run has an entry that can never be written: drops it, and writes each of the others separately. Calls that wait
   * for all runs wait for the next commit, which clears the journal.
   */
  async #writeApart(batch: AwaitedBatch, error: unknown): Promise<void> {
    this.#gatheredUntil = performance.now();
    this.#waiters.push(...batch.waiters.filter(({ runId }) => runId === ''));
    if (batch.runs.size <= 1) {
      for (const { runId, reject } of batch.waiters) if (runId !== '') reject(error);
      return;
    }
    for (const [runId, run] of batch.runs) {
      const waiters = batch.waiters.filter((one) => one.runId === runId);
      await this.#writeOrPutBack({ ...alone, runs: new Map([[runId, run]]), waiters });
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
  #take(): AwaitedBatch {
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
    const clearBefore = this.#clearableBefore(now, row);
    const mark = (): void => {
      for (const { run, count } of marks) {
        run.journaled = count;
        run.firstRow = Math.min(run.firstRow, row);
      }
      if (lines.length > 0) this.#row = row;
      if (clearBefore === 0) return;
      this.#clearedBefore = clearBefore;
      this.#clearAt = now + clearIntervalMs;
    };
    return { runs, lines, row, clearBefore, waiters, mark };
  }

  /** Returns the row before which no pending run has events; 0 if there is nothing to clear, or not yet. */
  #clearableBefore(now: number, row: number): number {
    if (now < this.#clearAt && this.#pending.size > 0) return 0;
    const first = Math.min(row, ...[...this.#pending.values()].map((run) => run.firstRow));
    return first > this.#clearedBefore ? first : 0;
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
}

/** The batch of a single run: it writes and clears no journal rows. */
const alone = { lines: [], row: 0, clearBefore: 0, mark: () => undefined } as const;
