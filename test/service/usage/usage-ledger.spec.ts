import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { UsageLedger } from '../../../src/service/usage/usage-ledger.ts';

test('counts that could not be written are written later, but not those of a visitor erased meanwhile', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-ledger-'));
  const store = openSqlite(directory);
  await migrate(store);
  const transaction = store.transaction.bind(store);
  const ledger = new UsageLedger(store, { subject: 0, tenant: 0 }, () => undefined);
  for (const subject of ['ada', 'ben'])
    ledger.record(
      { tenantId: 'quay', subject, agentId: 'echo' },
      { runs: 1, inputTokens: 2, outputTokens: 3 },
    );
  store.transaction = () => {
    ledger.forget({ tenantId: 'quay', subject: 'ada' });
    return Promise.reject(new Error('disk full'));
  };
  await ledger.flush();
  store.transaction = transaction;
  await ledger.close();
  const rows = await store.database.selectFrom('subject_usage').select(['subject', 'runs']).execute();
  expect(rows).toEqual([{ subject: 'ben', runs: 1 }]);
  await store.close();
  rmSync(directory, { recursive: true });
});
