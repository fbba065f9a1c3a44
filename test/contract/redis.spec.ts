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
  const events = await startRedis();
  if ('missing' in events) return console.log(events.missing);
  redis = events;
  const started = await startPostgres();
  if ('missing' in started) return console.log(started.missing);
  postgres = started;
  running = await startService({ databaseUrl: await started.createDatabase(), eventsUrl: events.url });
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
