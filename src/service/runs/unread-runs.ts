import { maxTimeoutMs } from '../max-timeout.ts';
import { wasReadWithin, type Run } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';
import type { EngineReports } from './engine-reports.ts';
import type { LiveRun } from './live-run.ts';

/** A run of this instance. */
interface WatchedRun {
  readonly run: Run;
  readonly live: LiveRun;
}

interface UnreadRunsOptions {
  readonly store: Store;
  /** Seconds a run continues without a reader; 0: it ends when its last reader leaves. */
  readonly graceSeconds: number;
  /** How long ago, in ms, a run must have been read on another instance to count as read. */
  readonly readerWindowMs: number;
  /** Called for a run that had no reader on any instance for as long as it may. */
  readonly onUnread: (runId: string) => void;
  readonly onError: EngineReports['error'];
}

/** Waits until runs of this instance have had no reader, on any instance, for the grace period. */
export class UnreadRuns {
  readonly #options: UnreadRunsOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: UnreadRunsOptions) {
    this.#options = options;
  }

  /** Starts or ends the grace period of a run. Call it when the run starts, and when its readers change. */
  update(watched: WatchedRun): void {
    this.delete(watched.run.id);
    this.checkAfter(watched, Math.min(this.#options.graceSeconds * 1000, maxTimeoutMs));
  }

  /** Waits for `waitMs` instead of the grace period, if the run has no reader on this instance. */
  checkAfter(watched: WatchedRun, waitMs: number): void {
    const { run, live } = watched;
    if (live.ended || live.readers > 0) return;
    this.delete(run.id);
    this.#timers.set(run.id, setTimeout(() => void this.#check(watched, waitMs), waitMs).unref());
  }

  /** Forgets a run, which has ended. */
  delete(runId: string): void {
    clearTimeout(this.#timers.get(runId));
    this.#timers.delete(runId);
  }

  async #check(watched: WatchedRun, waitMs: number): Promise<void> {
    const { run, live } = watched;
    const windowMs = Math.max(waitMs, this.#options.readerWindowMs);
    const isReadElsewhere = await this.#wasReadElsewhere(run, windowMs);
    if (isReadElsewhere) this.checkAfter(watched, windowMs);
    else if (live.readers === 0) this.#options.onUnread(run.id);
  }

  async #wasReadElsewhere(run: Run, windowMs: number): Promise<boolean> {
    const { store, onError } = this.#options;
    if (!store.shared) return false;
    try {
      return await wasReadWithin(store, run.id, windowMs);
    } catch (error) {
      onError(error, 'could not check whether a run has readers on other instances', run);
      return true;
    }
  }
}
