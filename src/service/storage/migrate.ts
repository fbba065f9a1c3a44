import { Migrator } from 'kysely';
import { databaseError } from './database-error.ts';
import { migrations } from './migrations.ts';
import type { Store } from './store.ts';

/**
 * Migrates the store to the latest schema. Returns the names of the applied migrations, oldest first.
 * @throws SettingsError with the reason; earlier migrations stay applied
 */
export async function migrate(store: Store): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: store.unlimited.database,
    allowUnorderedMigrations: true, // steps of one release come from several people
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw databaseError(store.location, error);
  return (results ?? []).filter((step) => step.status === 'Success').map((step) => step.migrationName);
}
