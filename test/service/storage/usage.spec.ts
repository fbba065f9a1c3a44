import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openPostgres } from '../../../src/service/storage/open-postgres.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { addUsage, listUsage, tokensOfSubject } from '../../../src/service/storage/usage.ts';
import { startPostgres } from '../postgres.ts';

const day = '2026-11-26';
const bay = { tenantId: 'bay', runs: 1, inputTokens: 3, outputTokens: 4 };
const quay = { tenantId: 'quay', runs: 2, inputTokens: 5, outputTokens: 6 };

/** Adds usage of two tenants twice. */
async function checkSums(store: Store): Promise<void> {
  await migrate(store);
  const agents = [
    { ...bay, agentId: 'echo' },
    { ...quay, agentId: 'echo' },
  ];
  const subjects = [{ ...quay, subject: 'ada' }];
  await addUsage(store, store.database, day, { agents, subjects });
  await addUsage(store, store.database, day, { agents, subjects: [] });
  expect(await listUsage(store.database, { since: day })).toEqual([
    { tenantId: 'bay', agentId: 'echo', day, runs: 2, inputTokens: 6, outputTokens: 8 },
    { tenantId: 'quay', agentId: 'echo', day, runs: 4, inputTokens: 10, outputTokens: 12 },
  ]);
  expect(await tokensOfSubject(store.database, { tenantId: 'quay', subject: 'ada' }, day)).toBe(11);
}

test('usage adds up in the embedded database', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-usage-'));
  const store = openSqlite(directory);
  await checkSums(store);
  await store.close();
  rmSync(directory, { recursive: true });
});

test('usage adds up in PostgreSQL', async () => {
  test.setTimeout(300_000);
  const postgres = await startPostgres();
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  if (!postgres) return;
  const store = await openPostgres(await postgres.createDatabase(), () => undefined);
  await checkSums(store);
  await store.close();
  await postgres.stop();
});
