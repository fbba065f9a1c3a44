import { test } from '@playwright/test';
import { startPostgres, type Postgres } from '../service/postgres.ts';
import { startService, type RunningService } from '../service/running-service.ts';
import { contractSuite } from './contract-suite.ts';

let postgres: Postgres | undefined;
let running: RunningService | undefined;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
  if (!postgres) return;
  running = await startService({ databaseUrl: await postgres.createDatabase() });
});
test.afterAll(async () => {
  await running?.close();
  await postgres?.stop();
});
test.beforeEach(() => test.skip(running === undefined, 'there is no PostgreSQL here'));

contractSuite('PostgreSQL', () => {
  if (!running) throw new Error('skipped above');
  return running;
});
