import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import Database from 'libsql';
import { Client } from 'pg';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { startPostgres } from '../service/postgres.ts';
import { everyScope, say, secret } from '../service/running-service.ts';
import { startChild } from '../service/service-child.ts';
import { figure } from './figures.ts';

/** How long threads are made that then expire, all at once. */
const fillMs = 40_000;
/** Retention sweeps once a minute: this holds one sweep. */
const loadMs = 125_000;
const runsPerSecond = 200;
const dayMs = 86_400_000;

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-retention-'));
});
test.afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The database of a service, read and changed from outside. */
interface Outside {
  execute(statement: string): Promise<void>;
  number(query: string): Promise<number>;
  end(): Promise<void>;
}

async function sqlite(file: string): Promise<Outside> {
  const database = new Database(file);
  return {
    execute: async (statement) => void database.prepare(statement).run(),
    number: async (query) => (database.prepare(query).get() as { number: number }).number,
    end: async () => void database.close(),
  };
}

async function postgres(url: string): Promise<Outside> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    execute: async (statement) => void (await client.query(statement)),
    number: async (query) => Number((await client.query<{ number: string }>(query)).rows[0]?.number),
    end: () => client.end(),
  };
}

/** Runs at the goal's rate, or as fast as the service answers, until `isOn` says no. Returns the number of answers. */
async function load(address: string, isOn: () => boolean): Promise<number> {
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
  const request = say('When is the tide?', { agent_id: 'echo', additional_parameters: { delay_ms: 0 } });
  let answers = 0;
  const visitors = Array.from({ length: 16 }, async () => {
    while (isOn()) {
      const next = performance.now() + (16 * 1000) / runsPerSecond;
      const response = await fetch(`${address}/api/v1/hub/runs/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      const text = await response.text();
      if (!text.includes('run.completed')) throw new Error(text);
      answers += 1;
      await pause(Math.max(0, next - performance.now()));
    }
  });
  await Promise.all(visitors);
  return answers;
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`${engine}: expired threads are removed faster than visitors start new ones`, async () => {
    test.setTimeout(400_000);
    const cluster = engine === 'PostgreSQL' ? await startPostgres() : undefined;
    test.skip(engine === 'PostgreSQL' && !cluster, 'there is no PostgreSQL here');
    const url = await cluster?.createDatabase();
    const dataDir = join(directory, engine);
    const settings = { DATA_DIR: dataDir, THREAD_TTL: '1', ...(url ? { DATABASE_URL: url } : {}) };
    const open = (): Promise<Outside> =>
      url === undefined ? sqlite(join(dataDir, 'agent-chat.db')) : postgres(url);
    let child = await startChild(settings);
    try {
      const filled = performance.now() + fillMs;
      const expired = await load(child.address, () => performance.now() < filled);
      await child.kill();
      let outside = await open();
      await outside.execute(`update threads set updated_on = updated_on - ${2 * dayMs}`);
      await outside.end();

      child = await startChild(settings);
      outside = await open();
      const began = performance.now();
      let left = expired;
      let removingSince = began;
      const isOn = (): boolean => left > 0 && performance.now() - began < loadMs;
      const watch = (async () => {
        while (isOn()) {
          const now = await outside.number(
            `select count(*) as number from threads where updated_on < ${Date.now() - dayMs}`,
          );
          if (left === expired) removingSince = performance.now();
          left = now;
          await pause(200);
        }
      })();
      const [started] = await Promise.all([load(child.address, isOn), watch]);
      const now = performance.now();
      const orphans = await outside.number(
        'select count(*) as number from run_events where run_id not in (select id from runs)',
      );
      await outside.end();
      const rate = started / ((now - began) / 1000);
      const removal = (expired - left) / ((now - removingSince) / 1000);
      figure('runs a second meanwhile', rate.toFixed(0), `${runsPerSecond}, or what the machine gives`);
      figure('expired threads', String(expired), '');
      figure('removed a second', removal.toFixed(0), `≥ ${runsPerSecond}, ≥ runs`);
      expect(left).toBe(0);
      expect(orphans).toBe(0);
      expect(removal).toBeGreaterThan(rate);
    } finally {
      await child.kill();
      await cluster?.stop();
    }
  });
}
