import type { ErrorReport } from './open-postgres.ts';
import type { Store } from './store.ts';

/** Opens PostgreSQL if a URL is set, otherwise the embedded database. Loads only the driver it needs. */
export async function openStore(
  settings: { readonly databaseUrl: string | undefined; readonly dataDir: string },
  report: ErrorReport,
): Promise<Store> {
  if (settings.databaseUrl !== undefined) {
    const { openPostgres } = await import('./open-postgres.ts');
    return openPostgres(settings.databaseUrl, report);
  }
  const { openSqlite } = await import('./open-sqlite.ts');
  return openSqlite(settings.dataDir);
}
