import { test } from '@playwright/test';
import { startService, type RunningService } from '../service/running-service.ts';
import { contractSuite } from './contract-suite.ts';

let running: RunningService;
test.beforeAll(async () => {
  running = await startService();
});
test.afterAll(() => running.close());

contractSuite('SQLite', () => running);
