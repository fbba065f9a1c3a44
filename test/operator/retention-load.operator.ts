import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import Database from 'libsql';
import { Client } from 'pg';
import { signToken } from '../../src/service/auth/verify-token.ts';
import { startPostgres } from '../service/postgres.ts';
import { everyScope, say, secret } from '../service/running-service.ts';
import { startChild } from '../service/service-child.ts';
import { figure } from './figures.ts';

/** Retention sweeps once a minute: this holds two sweeps. */
const loadMs = 130_000;
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

function sqlite(file: string): Outside {
  const database = new Database(file);
  database.pragma('busy_timeout = 5000');
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

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`${engine}: what expires at ${runsPerSecond} runs a second is removed as fast`, async () => {
    test.setTimeout(400_000);
    const cluster = engine === 'PostgreSQL' ? await startPostgres() : undefined;
    test.skip(cluster !== undefined && 'missing' in cluster, 'there is no PostgreSQL here');
    const url = cluster && 'createDatabase' in cluster ? await cluster.createDatabase() : undefined;
    const dataDir = join(directory, engine);
    const child = await startChild({
      DATA_DIR: dataDir,
      THREAD_TTL: '1',
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    });
    const outside = url === undefined ? sqlite(join(dataDir, 'agent-chat.db')) : await postgres(url);
    try {
      const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
      let started = 0;
      let refused = 0;
      const ask = async (): Promise<void> => {
        const response = await fetch(`${child.address}/api/v1/hub/runs/stream`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(
            say('When is the tide?', { agent_id: 'echo', additional_parameters: { delay_ms: 0 } }),
          ),
        });
        if ((await response.text()).includes('run.completed')) started += 1;
        else refused += 1;
      };
      const began = performance.now();
      const isOn = (): boolean => performance.now() - began < loadMs;
      // as fast as the service answers, and no faster than the goal: this machine may be too slow for it
      const visitors = Array.from({ length: 16 }, async () => {
        while (isOn()) {
          const next = performance.now() + (16 * 1000) / runsPerSecond;
          await ask();
          await pause(Math.max(0, next - performance.now()));
        }
      });
      // Threads expire as fast as they come: those older than 5 s are made two days older.
      const aging = (async () => {
        while (isOn()) {
          await pause(2_000);
          const now = Date.now();
          await outside.execute(
            `update threads set updated_on = updated_on - ${2 * dayMs}
             where updated_on between ${now - dayMs} and ${now - 5_000}`,
          );
        }
      })();
      await Promise.all([...visitors, aging]);
      const rate = started / (loadMs / 1000);
      const left = await outside.number('select count(*) as number from threads');
      const events = await outside.number(
        'select count(*) as number from run_events where run_id not in (select id from runs)',
      );
      const secondsLeft = left / rate;
      figure('runs a second', rate.toFixed(0), `${runsPerSecond}, or what the machine gives`);
      figure('refused', String(refused), '0');
      figure('threads started', String(started), '');
      figure('left, in seconds of the load', secondsLeft.toFixed(0), '≤ 60, the time between two sweeps');
      expect(refused).toBe(0);
      expect(events).toBe(0);
      expect(secondsLeft).toBeLessThan(60);
    } finally {
      await outside.end();
      await child.kill();
      if (cluster && 'stop' in cluster) await cluster.stop();
    }
  });
}
