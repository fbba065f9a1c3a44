import { migrate } from '../storage/migrate.ts';
import { openStore } from '../storage/open-store.ts';
import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';

/** `agent-chat-service migrate`: migrates the database and exits. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  readOptions(args, []);
  // Only the database settings matter here, so no token settings are required.
  const settings = readSettings(process.env, { playground: true });
  const store = await openStore(settings, (_fault, what) =>
    console.error(`agent-chat-service migrate: ${what}`),
  );
  try {
    const steps = await migrate(store);
    console.log(steps.length === 0 ? 'The database is up to date.' : `Done: ${steps.join(', ')}`);
  } finally {
    await store.close();
  }
  return 0;
}
