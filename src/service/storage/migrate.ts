import { Migrator } from 'kysely';
import { databaseError } from './database-fault.ts';
import { migrations } from './migrations.ts';
import type { Store } from './store.ts';

/**
 * Brings the store to the newest form and gives the names of the steps it took, oldest first.
 * @throws SettingsError saying what is in the way; the steps before the one that failed stay.
 */
export async function migrate(store: Store): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: store.database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw databaseError(store.location, error);
  return (results ?? []).filter((step) => step.status === 'Success').map((step) => step.migrationName);
}
