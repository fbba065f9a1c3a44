import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { LaterMessages } from '../../../src/service/runs/later-messages.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { callbackMessagesAfter } from '../../../src/service/storage/messages.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { until } from '../running-service.ts';
import { startTestRun } from '../storage/start-test-run.ts';

test('a delayed message is posted, but not once the service stops, also by an agent that goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-chat-later-'));
  const store = openSqlite(folder);
  await migrate(store);
  const { run } = await startTestRun(store);
  const errors: unknown[] = [];
  const later = new LaterMessages(store, (error) => errors.push(error));
  const posted = async (): Promise<number> =>
    (await callbackMessagesAfter(store.database, run.thread_id, 0)).length;
  later.post(run, 0, { role: 'assistant', content: 'in time' });
  await until(async () => (await posted()) === 1);
  later.post(run, 10, { role: 'assistant', content: 'too late' });
  later.close();
  later.post(run, 0, { role: 'assistant', content: 'too late' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await posted()).toBe(1);
  expect(errors).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true });
});
