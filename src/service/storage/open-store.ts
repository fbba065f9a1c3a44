import { setTimeout as pause } from 'node:timers/promises';
import { SettingsError } from '../settings.ts';
import { isAway } from './database-error.ts';
import type { ErrorReport } from './open-postgres.ts';
import type { StatementTimer, Store } from './store.ts';

const retryDelayMs = 1_000;

/** Where data is stored. See `ServiceSettings`. */
export interface StoreSettings {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Seconds that PostgreSQL is waited for; absent: not at all. */
  readonly databaseWait?: number;
  /** Redis for the events of runs. */
  readonly eventsUrl?: string | undefined;
  /** Seconds that events are kept in Redis. */
  readonly runEventsTtl?: number;
}

const defaultEventsTtl = 86_400;

/**
 * Opens PostgreSQL if a URL is set, otherwise the embedded database, and Redis for the events if a URL is set. Loads
 * only the drivers it needs.
 * @param note receives the end of an outage
 * @throws SettingsError when one cannot be opened in time
 */
export async function openStore(
  settings: StoreSettings,
  report: ErrorReport,
  onStatement: StatementTimer = () => undefined,
  note?: (text: string) => void,
): Promise<Store> {
  const { databaseUrl, databaseWait = 0, eventsUrl, runEventsTtl: ttlSeconds = defaultEventsTtl } = settings;
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./open-sqlite.ts');
    return openSqlite(settings.dataDir, onStatement);
  }
  const { openPostgres } = await import('./open-postgres.ts');
  const store = await openInTime(
    databaseWait,
    () => openPostgres(databaseUrl, report, onStatement, note),
    report,
  );
  if (eventsUrl === undefined) return store;
  try {
    const { openRedisEventLog } = await import('./redis-event-log.ts');
    return withEvents(store, await openRedisEventLog({ url: eventsUrl, ttlSeconds, report }));
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the database. Tries again while it is away, at most for some seconds. */
async function openInTime(seconds: number, open: () => Promise<Store>, report: ErrorReport): Promise<Store> {
  const end = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      const isTemporary = error instanceof SettingsError && isAway(error.cause);
      if (!isTemporary || seconds === 0) throw error;
      if (performance.now() > end) {
        throw new SettingsError(error.errors.map((line) => `${line}; waited ${seconds} seconds`));
      }
      if (attempt === 1) report(error, `the database is not responding; waiting up to ${seconds} seconds`);
      await pause(retryDelayMs);
    }
  }
}

function withEvents(store: Store, events: Store['events']): Store {
  return {
    ...store,
    events,
    get unlimited() {
      return withEvents(store.unlimited, events);
    },
    async ping() {
      await Promise.all([store.ping(), events.ping()]);
    },
    async close() {
      await events.close();
      await store.close();
    },
  };
}
