import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { Client } from 'pg';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { startPostgres, type Postgres } from '../service/postgres.ts';
import { everyScope, say, secret, until } from '../service/running-service.ts';
import { startChild, type ServiceChild } from '../service/service-child.ts';
import { startWire } from '../service/wire.ts';
import { figure } from './figures.ts';

let postgres: Postgres | undefined;
let directory: string;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-faults-'));
  postgres = await startPostgres();
});
test.afterAll(async () => {
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Starts a run and reads it to its end. Status 0: no answer. */
async function ask(
  child: ServiceChild,
  text = 'still here',
  { lifetime = 600, delayMs = 0 } = {},
): Promise<Answer> {
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, lifetime);
  const began = performance.now();
  try {
    const response = await fetch(`${child.address}/api/v1/hub/runs/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(say(text, { agent_id: 'echo', additional_parameters: { delay_ms: delayMs } })),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, text: await response.text(), ms: performance.now() - began };
  } catch {
    return { status: 0, text: '', ms: performance.now() - began };
  }
}

const readiness = async (child: ServiceChild): Promise<number> =>
  (await fetch(`${child.address}/readyz`)).status;

async function recovered(child: ServiceChild): Promise<number> {
  const began = performance.now();
  await until(
    async () => (await readiness(child)) === 200 && (await ask(child)).text.includes('run.completed'),
    60_000,
  );
  return performance.now() - began;
}

for (const fault of ['blackhole', 'silence', 'failover'] as const) {
  test(`${fault}: new runs get 503 within 5 s, and all is well within 30 s without a restart`, async () => {
    test.setTimeout(240_000);
    test.skip(postgres === undefined, 'there is no PostgreSQL here');
    const address = new URL((await postgres?.createDatabase()) ?? '');
    const wire = await startWire(Number(address.port));
    address.port = String(wire.port);
    const child = await startChild({ DATABASE_URL: address.href, DATA_DIR: join(directory, fault) });
    try {
      await Promise.all(Array.from({ length: 10 }, () => ask(child)));
      if (fault === 'blackhole') wire.forget();
      else if (fault === 'silence') wire.vanish();
      else await wire.cut();
      // for some seconds, so that some come while others wait
      const asked: Promise<Answer>[] = [];
      const last = performance.now() + (fault === 'silence' ? 6_000 : 0);
      await until(() => {
        asked.push(...Array.from({ length: fault === 'silence' ? 1 : 10 }, () => ask(child)));
        return performance.now() >= last;
      });
      const answers = await Promise.all(asked);
      const ready = fault === 'blackhole' ? 503 : await readiness(child);
      if (fault === 'failover') await wire.mend();
      if (fault === 'silence') wire.appear();
      const back = await recovered(child);
      const slowest = Math.max(...answers.map(({ ms }) => ms));
      figure('slowest answer meanwhile', `${(slowest / 1000).toFixed(1)} s`, '≤ 5 s');
      figure('statuses', [...new Set(answers.map(({ status }) => status))].sort().join(', '), '200, 503');
      figure('recovered after', `${(back / 1000).toFixed(1)} s`, '≤ 30 s');
      expect(answers.every(({ status }) => status === 503 || status === 200)).toBe(true);
      expect(ready).toBe(503);
      expect(slowest).toBeLessThan(process.env['CI'] ? 15_000 : 6_000);
      expect(back).toBeLessThan(30_000);
    } finally {
      await child.kill();
      await wire.cut();
    }
  });
}

/** Mounts a disk of some megabytes. Returns false where that is not allowed. */
function mountDisk(path: string, size: string): boolean {
  mkdirSync(path);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]).status === 0;
}

/** A directory on the disk in which PostgreSQL keeps the tables of a database; its log is elsewhere. */
async function databaseOn(disk: string): Promise<string> {
  const admin = new Client({ connectionString: await postgres?.createDatabase() });
  await admin.connect();
  const { rows } = await admin.query<{ path: string }>(`select current_setting('data_directory') as path`);
  const { uid, gid } = statSync(rows[0]?.path ?? '');
  const space = join(disk, 'tables');
  mkdirSync(space);
  chownSync(space, uid, gid);
  chmodSync(directory, 0o755); // its user is not that of the test
  await admin.query(`create tablespace small location '${space}'`);
  await admin.query('create database on_small_disk tablespace small');
  await admin.end();
  return `postgres://tester@127.0.0.1:${admin.port}/on_small_disk`;
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`the disk of ${engine} fills: 503 with the reason, and on again once there is space`, async () => {
    test.setTimeout(240_000);
    test.skip(engine === 'PostgreSQL' && postgres === undefined, 'there is no PostgreSQL here');
    const disk = join(directory, `disk of ${engine}`);
    const isSmall = engine === 'SQLite';
    test.skip(!mountDisk(disk, isSmall ? '24m' : '48m'), 'a small disk cannot be mounted here');
    const child = await startChild(
      isSmall
        ? { DATA_DIR: join(disk, 'data') }
        : { DATABASE_URL: await databaseOn(disk), DATA_DIR: join(directory, 'beside') },
    );
    try {
      expect((await ask(child)).status).toBe(200);
      // of letters that do not compress
      const long = randomBytes(45_000).toString('hex');
      // runs that write while the disk fills
      const underWay = Array.from({ length: 5 }, () => ask(child, long.slice(0, 4_000), { delayMs: 1 }));
      await pause(300);
      const filler = join(disk, 'filler');
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 512 * 1024));
      const answers: Answer[] = [];
      while (answers.length < 100 && answers.at(-1)?.status !== 503) answers.push(await ask(child, long));
      const refused = answers.at(-1);
      expect(refused?.status).toBe(503);
      expect(refused?.text).toContain('the disk of the database is full');
      expect(answers.filter(({ status }) => status !== 503 && status !== 200)).toEqual([]);
      const slowest = Math.max(...answers.map(({ ms }) => ms));
      expect(slowest).toBeLessThan(process.env['CI'] ? 15_000 : 5_000);
      expect(await readiness(child)).toBe(503);
      const ended = (await Promise.all(underWay)).map(
        ({ text }) => /run\.(completed|failed)/.exec(text)?.[0] ?? 'cut',
      );
      expect(ended).not.toContain('cut');
      rmSync(filler);
      const back = await recovered(child);
      figure('runs under way', [...new Set(ended)].join(', '), 'each has an end');
      figure('answers before it was full', String(answers.length - 1), '');
      figure('slowest answer meanwhile', `${(slowest / 1000).toFixed(1)} s`, '≤ 5 s');
      figure('recovered after', `${(back / 1000).toFixed(1)} s`, '≤ 30 s');
      expect(back).toBeLessThan(30_000);
    } finally {
      await child.kill();
      spawnSync('umount', ['-l', disk]);
    }
  });
}

test('one instance with a clock 40 days ahead removes nothing', async () => {
  test.setTimeout(240_000);
  test.skip(postgres === undefined, 'there is no PostgreSQL here');
  const databaseUrl = (await postgres?.createDatabase()) ?? '';
  const clock = join(directory, 'clock.mjs');
  writeFileSync(
    clock,
    `const ahead = 40 * 86_400_000;
     const { now } = Date;
     Date.now = () => now() + ahead;
     globalThis.Date = class extends Date {
       constructor(...given) { given.length === 0 ? super(now() + ahead) : super(...given); }
     };`,
  );
  const common = { DATABASE_URL: databaseUrl, THREAD_TTL: '10', RUN_EVENTS_TTL: '864000' };
  const right = await startChild({ ...common, DATA_DIR: join(directory, 'right') });
  const answer = await ask(right, 'keep this');
  const [, threadId = ''] = /"thread_id":"([\da-f-]{36})"/.exec(answer.text) ?? [];
  const [, runId = ''] = /"run_id":"([\da-f-]{36})"/.exec(answer.text) ?? [];
  const wrong = await startChild({
    ...common,
    DATA_DIR: join(directory, 'wrong'),
    NODE_OPTIONS: `--import ${clock}`,
  });
  try {
    // retention sweeps once a minute
    const swept = performance.now() + 75_000;
    await until(() => performance.now() > swept, 90_000);
    const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
    const read = async (path: string): Promise<string> =>
      (await fetch(right.address + path, { headers: { authorization: `Bearer ${token}` } })).text();
    const messages = await read(`/api/v1/hub/threads/${threadId}/messages`);
    const events = await read(`/api/v1/hub/runs/${runId}/events`);
    const isKept = messages.includes('keep this') && events.includes('message.delta');
    figure('thread and events kept', String(isKept), 'true');
    expect(isKept).toBe(true);
  } finally {
    await wrong.kill();
    await right.kill();
  }
});

test('agents are reloaded while answers stream; a wrong file changes nothing', async () => {
  test.setTimeout(240_000);
  const file = join(directory, 'agents.json');
  const write = (...ids: string[]): void =>
    writeFileSync(file, JSON.stringify({ agents: ids.map((id) => ({ id, kind: 'echo' })) }));
  write('echo');
  const child = await startChild({ DATA_DIR: join(directory, 'reload'), AGENTS_FILE: file });
  try {
    const answers = Array.from({ length: 20 }, () => ask(child, 'a ferry'));
    writeFileSync(file, '{"agents":[{"id":"echo"}]}');
    child.process.kill('SIGHUP');
    await until(() => child.log.some((line) => line.includes('the former agents stay in force')), 20_000);
    expect((await ask(child)).status).toBe(200);
    write('echo', 'other');
    const began = performance.now();
    child.process.kill('SIGHUP');
    await until(() => child.log.some((line) => line.includes('the agents were loaded again')), 20_000);
    const ends = await Promise.all(answers);
    const whole = ends.filter(({ text }) => text.includes('run.completed')).length;
    figure('answers across a reload', `${whole} of ${ends.length}`, 'all');
    figure('reloaded after', `${(performance.now() - began).toFixed(0)} ms`, '');
    expect(whole).toBe(ends.length);
  } finally {
    await child.kill();
  }
});
