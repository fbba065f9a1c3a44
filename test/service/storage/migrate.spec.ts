import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { sweep } from '../../../src/service/storage/retention.ts';
import { runEventsAfter, start } from '../../../src/service/storage/run-events.ts';
import { createOldSchema, oldEvent } from './old-schema.ts';

test('events of an older schema are kept, and removed when they expire', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-migrate-'));
  const store = openSqlite(directory);
  try {
    await createOldSchema(store);
    expect(await migrate(store)).toEqual(
      expect.arrayContaining(['2026-12-event-retention', '2026-12-instances']),
    );
    expect(await runEventsAfter(store.database, 'run', start)).toEqual([oldEvent]);
    await sweep(store, { runEventsTtl: 60, threadTtl: 0 });
    expect(await runEventsAfter(store.database, 'run', start)).toEqual([]);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
});
