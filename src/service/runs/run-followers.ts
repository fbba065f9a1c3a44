import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { mayHaveMore, type RunPlace } from '../storage/event-log.ts';
import { jsonRows } from '../storage/json-rows.ts';
import { isAfter, type Cursor, type StoredEvent } from '../storage/run-events.ts';
import type { Run } from '../storage/runs.ts';
import type { Store } from '../storage/store.ts';
import { LiveRun } from './live-run.ts';
import { synthesizedEvents } from './synthesized-events.ts';

/** Fallback poll interval, in case a notification is lost. */
const pollIntervalMs = 2_000;
/** Pause between two reads: news of many commits is read at once. */
const pauseMs = 20;
/** Pause after an error of the store. */
const retryMs = 500;
/** Most runs that one statement reads. */
const maxRuns = 200;
/** Limits of the interval at which owners are notified that their runs are read. */
const minNotifyMs = 1_000;
const maxNotifyMs = 60_000;
/** How late an owner may be notified. */
const notifySlackMs = 4_000;

interface Followed {
  readonly live: LiveRun;
  cursor: Cursor;
  /** Whether there may be news. */
  isDue: boolean;
  /** Whether the run was seen to have ended: its last events are read once more. */
  isEnding: boolean;
  /** When its owner was last notified, by `performance.now()`. */
  notifiedAt: number;
}

interface FollowersOptions {
  readonly store: Store;
  /** Seconds after which a run without readers ends. */
  readonly graceSeconds: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows runs of other instances: reads each run once, however many readers it has here, and all runs with news
 * together.
 */
export class RunFollowers {
  readonly #options: FollowersOptions;
  readonly #runs = new Map<string, Followed>();
  readonly #stopFollowing: () => void;
  readonly #poll: NodeJS.Timeout;
  readonly #notifyAfterMs: number;
  /** A run whose `reader_seen` is older than this has no reader on another instance. */
  readonly readerWindowMs: number;
  #isReading = false;
  #isClosed = false;

  constructor(options: FollowersOptions) {
    this.#options = options;
    const third = (options.graceSeconds * 1000) / 3;
    this.#notifyAfterMs = Math.min(maxNotifyMs, Math.max(minNotifyMs, third));
    this.readerWindowMs = this.#notifyAfterMs + notifySlackMs;
    this.#stopFollowing = options.store.events.follow((runIds) => this.#markDue(runIds));
    this.#poll = setInterval(() => this.#markDue(undefined), pollIntervalMs);
    this.#poll.unref();
  }

  /** Returns a run for readers from a cursor on. It is followed while it has readers. */
  follow(run: Run, cursor: Cursor): LiveRun {
    if (run.status !== 'running') return endedRun(run);
    const known = this.#runs.get(run.id);
    if (known) return known.live;
    const live = new LiveRun(
      run,
      (readers) => {
        if (readers === 0 && this.#runs.get(run.id) === followed) this.#runs.delete(run.id);
      },
      cursor,
    );
    const followed: Followed = { live, cursor, isDue: true, isEnding: false, notifiedAt: -Infinity };
    this.#runs.set(run.id, followed);
    void this.#readDue();
    return live;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#poll);
    this.#stopFollowing();
  }

  #markDue(runIds: readonly string[] | undefined): void {
    if (this.#runs.size === 0) return;
    for (const id of runIds ?? this.#runs.keys()) {
      const followed = this.#runs.get(id);
      if (followed) followed.isDue = true;
    }
    void this.#readDue();
  }

  /** Reads until there is no news. Never rejects. */
  async #readDue(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (;;) {
      const due = [...this.#runs.values()].filter(({ isDue }) => isDue).slice(0, maxRuns);
      if (due.length === 0 || this.#isClosed) break;
      for (const followed of due) followed.isDue = false;
      try {
        await this.#notifyOwners();
        await this.#read(due);
        await delay(pauseMs);
      } catch (error) {
        this.#options.onError(error);
        for (const followed of due) followed.isDue = true;
        await delay(retryMs);
      }
    }
    this.#isReading = false;
  }

  async #read(due: readonly Followed[]): Promise<void> {
    const places = due.map(({ live, cursor }): RunPlace => ({ runId: live.id, cursor }));
    const found = await this.#options.store.events.readAfter(places);
    const quiet: Followed[] = [];
    for (const followed of due) {
      const events = found.get(followed.live.id) ?? [];
      publish(followed, events);
      if (events.at(-1)?.event === 'done') this.#end(followed);
      else if (events.length === 0) quiet.push(followed);
      else if (mayHaveMore(events)) followed.isDue = true;
    }
    if (quiet.length > 0) await this.#endQuiet(quiet);
  }

  /** Ends the runs that have ended without `done`: those that wait for the visitor, and deleted ones. */
  async #endQuiet(quiet: readonly Followed[]): Promise<void> {
    const { store } = this.#options;
    const ids = quiet.map(({ live }) => live.id);
    const rows = await store.database
      .selectFrom('runs')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', 'running')
      .execute();
    const running = new Set(rows.map(({ id }) => id));
    for (const followed of quiet) {
      if (running.has(followed.live.id)) continue;
      if (followed.isEnding) {
        publish(followed, (await synthesizedEvents(store, followed.live.id, followed.cursor)) ?? []);
        this.#end(followed);
      } else {
        followed.isEnding = true;
        followed.isDue = true;
      }
    }
  }

  #end({ live }: Followed): void {
    this.#runs.delete(live.id);
    live.end();
  }

  /** Notifies the owners that their runs are read. Skips locked rows: their owner is writing events now. */
  async #notifyOwners(): Promise<void> {
    const { store } = this.#options;
    if (!store.shared) return;
    const now = performance.now();
    const due = [...this.#runs.values()].filter(({ notifiedAt }) => now - notifiedAt > this.#notifyAfterMs);
    if (due.length === 0) return;
    const ids = jsonRows(
      store,
      due.map(({ live }) => [live.id]),
    );
    const { rows } = await sql<{ id: string }>`
      update runs set reader_seen = ${store.clock()} where id in (
        select id from runs where id in (select j.value->>0 from ${ids}) and status = 'running'
        for no key update skip locked
      ) returning id`.execute(store.database);
    for (const { id } of rows) {
      const followed = this.#runs.get(id);
      if (followed) followed.notifiedAt = now;
    }
  }
}

/** Publishes new events together, so readers write them together. */
function publish(followed: Followed, events: readonly StoredEvent[]): void {
  const published = events.filter((event) => {
    if (!isAfter(event, followed.cursor)) return false;
    followed.cursor = event;
    return true;
  });
  if (published.length > 0) followed.live.publish(...published);
}

/** A run whose events are all in the store. */
function endedRun(run: Run): LiveRun {
  const live = new LiveRun(run, () => undefined, { ms: Infinity, sequence: 0 });
  live.end();
  return live;
}
