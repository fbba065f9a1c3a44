import type { Store } from '../../../src/service/storage/store.ts';

/** Makes every transaction fail that would store an event with this text, as a database refuses a character. */
export function refuseEvents(store: Store, text: string): void {
  const transaction = store.transaction.bind(store);
  store.transaction = (work, options) =>
    transaction(async (database, announce) => {
      const result = await work(database, announce);
      const rows = await database.selectFrom('run_events').select('events').execute();
      if (!rows.some(({ events }) => events.includes(text))) return result;
      throw Object.assign(new Error('not a character'), { code: '22P05' });
    }, options);
}
