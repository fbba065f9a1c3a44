import { clearJournal, journalLine, writeJournal } from '../storage/event-journal.ts';
import { insertMessage, replaceMessage } from '../storage/messages.ts';
import { insertRunEvents } from '../storage/run-events.ts';
import { endRun } from '../storage/runs.ts';
import type { Database, Store } from '../storage/store.ts';
import { createPendingRun, mergePending, type JournalEntry, type PendingRun } from './pending-run.ts';

/** What one commit writes. */
interface Batch {
  /** Runs whose events go to their tables. */
  readonly runs: ReadonlyMap<string, PendingRun>;
  /** The other runs' new events, for the journal. */
  readonly lines: readonly string[];
  readonly row: number;
  /** The journal's rows before this one can go. */
  readonly clearBefore: number;
  /** Who waits for it. */
  readonly settled: readonly Settled[];
  /** To be called once it is written. */
  readonly mark: () => void;
}

interface Settled {
  readonly runId: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds for which deltas are gathered: a quarter second at most may be lost with the process, by contract. */
const gatherDelayMs = 150;
/** Milliseconds for which entries that somebody waits for are gathered, so that many runs share one commit. */
const commitDelayMs = 3;
/** Bytes of one run's deltas that may stand in the journal only; less than its readers have at hand. */
const maxJournalBytes = 64 * 1024;
/** Milliseconds until what the store refused is tried again. */
const retryDelayMs = 250;
/** Milliseconds for which the last of everything is tried to be written: a store that is away must not hold up the end. */
const flushTimeoutMs = 5_000;
/** Milliseconds between two clearings of the journal while runs go on. */
const clearIntervalMs = 4_000;

/**
 * Writes what runs produce, many runs to a commit. Entries of one run are written in the order they are given.
 * On the embedded database deltas go to one row of the journal at first, all runs together, and to the rows of their
 * runs later, many to a row: an event of its own row each costs more than the rest of the service.
 * On a shared store a run whose lease went to somebody else is refused: `onLost` is told and nothing of it is written.
 */
export class Journal {
  readonly #store: Store;
  readonly #owner: string;
  readonly #onLost: (runId: string) => void;
  #pending = new Map<string, PendingRun>();
  #settled: Settled[] = [];
  #renewal: ((database: Database) => Promise<void>) | undefined;
  /** Whether something was gathered since the last commit began. */
  #gathered = false;
  #flushing = false;
  /** Why the last commit failed; `undefined` when it did not. */
  #error: unknown;
  /** The number of the journal's last row, and of the first that was not cleared. */
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

  /** Will be written soon; a crash within the next quarter second may lose it. */
  gather(entry: JournalEntry): void {
    const run = this.#add(entry);
    if (run.bytes > maxJournalBytes) run.urgent = true;
    this.#gathered = true;
    this.#schedule(gatherDelayMs);
  }

  /** Resolves when it, and all that was given of its run before, is durable. Rejects when the store failed. @throws when it is no JSON */
  commit(entry: JournalEntry): Promise<void> {
    this.#add(entry).urgent = true;
    return new Promise((resolve, reject) => {
      this.#settled.push({ runId: entry.runId, resolve, reject });
      this.#schedule(commitDelayMs);
    });
  }

  /**
   * Runs `work` at the beginning of the next commit. Leases are renewed this way: in a transaction of their own they
   * could lock the same runs in another order.
   */
  beforeNextCommit(work: (database: Database) => Promise<void>): void {
    this.#renewal = work;
    this.#schedule(commitDelayMs);
  }

  /** Writes whatever waits. Rejects when the store fails for five seconds; what waited is lost then. */
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

  /** Nothing is tried again: a renewal that a closed store refuses would keep the process from ending. */
  #forget(): void {
    this.#pending.clear();
    this.#renewal = undefined;
    this.#gathered = false;
    clearTimeout(this.#timer);
    this.#timerAt = Infinity;
  }

  #add({ runId, event, message, ended }: JournalEntry): PendingRun {
    // A message of an agent that is no JSON fails here, and not in a commit that other runs share.
    if (message) JSON.stringify(message.message);
    let run = this.#pending.get(runId);
    if (!run) this.#pending.set(runId, (run = createPendingRun()));
    if (event) {
      run.events.push(event);
      run.bytes += event.json.length;
    }
    if (message) run.messages.push(message);
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

  /** Writes a batch, or puts it back. Never rejects. */
  async #writeBatch(batch: Batch): Promise<void> {
    try {
      const lost = await this.#transact(batch).catch((error: unknown) =>
        isDeadlock(error) ? this.#transact(batch) : Promise.reject(error),
      );
      this.#error = undefined;
      batch.mark();
      for (const runId of lost) this.#onLost(runId);
      for (const { resolve } of batch.settled) resolve();
    } catch (error) {
      if (isUnwritable(error)) return this.#writeApart(batch, error);
      this.#error = error;
      this.#putBack(batch.runs);
      this.#gathered = true;
      for (const { reject } of batch.settled) reject(error);
    }
  }

  /** Something of a run can never be written: that is dropped, and the others are written each by itself. */
  async #writeApart(batch: Batch, error: unknown): Promise<void> {
    this.#gathered = true;
    if (batch.runs.size <= 1) {
      for (const { reject } of batch.settled) reject(error);
      return;
    }
    for (const [runId, run] of batch.runs) {
      const settled = batch.settled.filter((one) => one.runId === runId);
      await this.#writeBatch({ ...alone, runs: new Map([[runId, run]]), settled });
    }
  }

  #scheduleNext(): void {
    if (this.#error !== undefined) return this.#schedule(retryDelayMs);
    if (this.#settled.length > 0 || this.#renewal) return this.#schedule(commitDelayMs);
    const [oldest] = this.#pending.values();
    if (this.#gathered) this.#schedule(gatherDelayMs);
    else if (oldest) this.#schedule(Math.max(gatherDelayMs, oldest.dueAt - performance.now()));
  }

  /** Takes what is to be written now: the runs that are due, and for the journal what is new of the others. */
  #take(): Batch {
    const now = performance.now();
    const everything = this.#store.shared || this.#flushing;
    const runs = new Map<string, PendingRun>();
    const lines: string[] = [];
    const marks: { run: PendingRun; count: number }[] = [];
    const row = this.#row + 1;
    let firstRow = row;
    for (const [runId, run] of this.#pending) {
      if (everything || run.urgent || run.dueAt <= now) {
        runs.set(runId, run);
        continue;
      }
      const count = run.events.length;
      if (run.journaled < count) marks.push({ run, count });
      for (const event of run.events.slice(run.journaled)) lines.push(journalLine(runId, event));
      firstRow = Math.min(firstRow, run.firstRow);
    }
    for (const runId of runs.keys()) this.#pending.delete(runId);
    const settled = this.#settled;
    this.#settled = [];
    this.#gathered = false;
    const clears = now >= this.#clearAt || this.#pending.size === 0;
    const clearBefore = clears ? firstRow : 0;
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
    return { runs, lines, row, clearBefore, settled, mark };
  }

  /** After a fault of the store: the next commit tries again. */
  #putBack(runs: ReadonlyMap<string, PendingRun>): void {
    for (const [runId, run] of runs) {
      this.#pending.set(runId, mergePending(run, this.#pending.get(runId)));
    }
  }

  async #transact(batch: Batch): Promise<ReadonlySet<string>> {
    const { runs, lines, row, clearBefore } = batch;
    const renewal = this.#renewal;
    if (runs.size === 0 && lines.length === 0 && !renewal) return new Set();
    const durable = batch.settled.length > 0 || renewal !== undefined || this.#flushing;
    const gone = await this.#store.transaction(
      async (database, announce) => {
        await renewal?.(database);
        const lost = this.#store.shared
          ? await this.#lostRuns(database, [...runs.keys()])
          : new Set<string>();
        const held = [...runs].filter(([runId]) => !lost.has(runId));
        await insertRunEvents(
          this.#store,
          database,
          held.map(([runId, { events }]) => ({ runId, events })),
        );
        for (const [runId, { messages, ended }] of held) {
          for (const message of messages) {
            if (!(await insertMessage(database, message))) await replaceMessage(database, message);
          }
          if (ended) await endRun(database, runId, ended);
          if (this.#store.shared) announce(`run:${runId}`);
        }
        if (clearBefore > this.#clearedBefore) await clearJournal(database, clearBefore);
        if (lines.length > 0) await writeJournal(database, row, lines);
        return lost;
      },
      { durable },
    );
    // Not before: with a commit that fails the renewal is undone. One that was asked for meanwhile is the next commit's.
    if (this.#renewal === renewal) this.#renewal = undefined;
    return gone;
  }

  /** Runs of the batch that are no longer ours; those that are stay ours until the commit. */
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

/** What a commit of one run by itself does not do: the journal's rows are the next one's. */
const alone = { lines: [], row: 0, clearBefore: 0, mark: () => undefined } as const;

/** Whether the data is at fault, and not the store: no second try would help, and what was given is dropped. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  // PostgreSQL's "data exception" and "program limit exceeded", and SQLite's word for the latter
  return typeof code === 'string' && /^(22\w{3}|54\w{3}|SQLITE_TOOBIG)$/.test(code);
}

function isDeadlock(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === '40P01' || code === '40001';
}
