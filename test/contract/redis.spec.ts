import { test } from '@playwright/test';
import { startPostgres, type Postgres } from '../service/postgres.ts';
import { startRedis, type RedisServer } from '../service/redis.ts';
import { startService, type RunningService } from '../service/running-service.ts';
import { contractSuite } from './contract-suite.ts';

let postgres: Postgres | undefined;
let redis: RedisServer | undefined;
let running: RunningService | undefined;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  redis = await startRedis();
  postgres = redis && (await startPostgres());
  if (!redis || !postgres) return;
  running = await startService({ databaseUrl: await postgres.createDatabase(), eventsUrl: redis.url });
});
test.afterAll(async () => {
  await running?.close();
  await postgres?.stop();
  await redis?.stop();
});
test.beforeEach(() => test.skip(running === undefined, 'there is no Redis or PostgreSQL here'));

contractSuite('PostgreSQL and Redis', () => {
  if (!running) throw new Error('skipped above');
  return running;
});
