import { Migrator } from 'kysely';
import { migrations } from './migrations.ts';
import type { Store } from './store.ts';

/**
 * Brings the store to the newest form and gives the names of the steps it took, oldest first.
 * @throws what the step that failed threw; the steps before it stay.
 */
export async function migrate(store: Store): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: store.database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw new Error('the database could not be brought up to date', { cause: error });
  return (results ?? []).filter((step) => step.status === 'Success').map((step) => step.migrationName);
}
