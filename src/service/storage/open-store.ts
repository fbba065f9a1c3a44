import { setTimeout as pause } from 'node:timers/promises';
import { SettingsError } from '../settings.ts';
import { isAway } from './database-error.ts';
import type { ErrorReport } from './open-postgres.ts';
import type { Store } from './store.ts';

const retryDelayMs = 1_000;

/** Which database to open. */
export interface StoreSettings {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Seconds that PostgreSQL is waited for; absent: not at all. */
  readonly databaseWait?: number;
}

/**
 * Opens PostgreSQL if a URL is set, otherwise the embedded database. Loads only the driver it needs.
 * @throws SettingsError when it cannot be opened in time
 */
export async function openStore(settings: StoreSettings, report: ErrorReport): Promise<Store> {
  const { databaseUrl, databaseWait = 0 } = settings;
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./open-sqlite.ts');
    return openSqlite(settings.dataDir);
  }
  const { openPostgres } = await import('./open-postgres.ts');
  const end = performance.now() + databaseWait * 1000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openPostgres(databaseUrl, report);
    } catch (error) {
      const isTemporary = error instanceof SettingsError && isAway(error.cause);
      if (!isTemporary || databaseWait === 0) throw error;
      if (performance.now() > end) {
        throw new SettingsError(error.errors.map((line) => `${line}; waited ${databaseWait} seconds`));
      }
      if (attempt === 1)
        report(error, `the database is not responding; waiting up to ${databaseWait} seconds`);
      await pause(retryDelayMs);
    }
  }
}
