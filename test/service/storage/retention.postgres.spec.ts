import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openPostgres } from '../../../src/service/storage/open-postgres.ts';
import { sweep } from '../../../src/service/storage/retention.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { startPostgres, type Postgres } from '../postgres.ts';
import { insertThread } from './insert-thread.ts';

let cluster: Postgres | undefined;
test.beforeAll(async () => {
  cluster = await startPostgres();
  test.skip(!cluster, 'there is no PostgreSQL here');
});
test.afterAll(() => cluster?.stop());

test('on a database that is far away, a sweep takes no more transactions', async () => {
  const store = await openPostgres((await cluster?.createDatabase()) ?? '', () => undefined);
  await migrate(store);
  const values = { tenantId: 'quay', subject: 'ada', agentId: 'echo' };
  await store.transaction(async (database) => {
    for (let place = 0; place < 500; place += 1) await insertThread(store, database, values);
    await database.updateTable('threads').set({ updated_on: 1 }).execute();
  });
  let transactions = 0;
  const far: Store = {
    ...store,
    transaction: async (...work) => {
      transactions += 1;
      await wait(20);
      return store.transaction(...work);
    },
  };
  await sweep(far, { runEventsTtl: 1, threadTtl: 1 });
  expect(await store.database.selectFrom('threads').selectAll().execute()).toEqual([]);
  expect(transactions).toBeLessThan(10);
  await store.close();
});
