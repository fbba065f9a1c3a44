import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Returns the time of the database in ms since the epoch. */
export async function storeTime(store: Store): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${store.clock()} as now`.execute(store.database);
  return Number(rows[0]?.now ?? Date.now());
}
