import { migrate } from '../storage/migrate.ts';
import { openStore } from '../storage/open-store.ts';
import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';

/** `agent-chat migrate`: brings the database up to date and ends. */
export async function migrateCommand(words: readonly string[]): Promise<number> {
  readOptions(words, []);
  // Only the database matters here, so no token settings are asked for.
  const settings = readSettings(process.env, { playground: true });
  const store = await openStore(settings, (_fault, what) => console.error(`agent-chat migrate: ${what}`));
  try {
    const steps = await migrate(store);
    console.log(steps.length === 0 ? 'The database is up to date.' : `Done: ${steps.join(', ')}`);
  } finally {
    await store.close();
  }
  return 0;
}
