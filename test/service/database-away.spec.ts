import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { collect, everyScope, say, secret, spelled, until } from './running-service.ts';
import { startChild, type ServiceChild } from './service-child.ts';
import { startWire, type Wire } from './wire.ts';

let postgres: Postgres | undefined;
let wire: Wire;
let child: ServiceChild;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
  if (!postgres) return;
  const address = new URL(await postgres.createDatabase());
  wire = await startWire(Number(address.port));
  address.port = String(wire.port);
  child = await startChild({ DATABASE_URL: address.href, RUN_LIMIT: '2' });
});
test.afterAll(async () => {
  if (!postgres) return;
  await child.kill();
  await wire.cut();
  await postgres.stop();
});
test.beforeEach(() => test.skip(postgres === undefined, 'there is no PostgreSQL here'));

async function run(text: string): Promise<Response> {
  return fetch(`${child.address}/api/v1/hub/runs/stream`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(say(text, { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } })),
  });
}

test('many concurrent requests stay within the run limit', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => run(`the ${place}th`)));
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([200, 200, ...Array.from({ length: 18 }, () => 429)]);
});

test('the service is not ready while the database accepts queries without answering', async () => {
  wire.freeze();
  try {
    expect((await fetch(`${child.address}/readyz`)).status).toBe(503);
    expect((await fetch(`${child.address}/healthz`)).status).toBe(200);
  } finally {
    wire.thaw();
  }
  await until(async () => (await fetch(`${child.address}/readyz`)).status === 200);
  await until(() => child.log.some((line) => line.includes('the service is ready again')));
  expect((await fetch(`${child.address}/readyz`)).status).toBe(200);
  const again = child.log.filter((line) => line.includes('the service is ready again'));
  expect(again.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, duration_ms: expect.any(Number) as unknown },
  ]);
});

test('half-open connections to the database are noticed, refused within five seconds, and replaced', async () => {
  test.setTimeout(120_000);
  const visit = (): Promise<Response> =>
    fetch(`${child.address}/api/v1/hub/threads/${randomUUID()}/messages`, { headers: { authorization } });
  const authorization = `Bearer ${await signToken(secret, { subject: 'bob', tenantId: 'quay', scopes: everyScope }, 600)}`;
  // several connections, all to go silent
  await Promise.all(Array.from({ length: 20 }, visit));
  const began = performance.now();
  wire.forget();
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const answer = await visit();
      return { status: answer.status, after: performance.now() - began };
    }),
  );
  for (const { status, after } of answers) {
    expect([404, 503]).toContain(status);
    expect(after).toBeLessThan(process.env['CI'] ? 15_000 : 8_000);
  }
  expect(answers.some(({ status }) => status === 503)).toBe(true);
  const again = child.client('eve').runStream(say('still here', { agent_id: 'echo' }));
  expect(spelled(await collect(again))).toBe('still here');
  await until(async () => (await fetch(`${child.address}/readyz`)).status === 200);
  expect(performance.now() - began).toBeLessThan(30_000);
});

test('while the database is unavailable requests get 503; once it is back everything continues', async () => {
  await wire.cut();
  const begin = child.log.length;
  const since = (words: string) => child.log.slice(begin).filter((line) => line.includes(words));
  const away = await run('hello');
  expect(away.status).toBe(503);
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await away.json()).toEqual({
    detail: [{ loc: ['server'], msg: 'the database is not responding', type: 'unavailable' }],
  });
  const before = child.log.length;
  expect((await fetch(`${child.address}/readyz`)).status).toBe(503);
  const linesWith = (words: string) => child.log.slice(before).filter((line) => line.includes(words));
  await until(() => linesWith('"msg":"the database is not responding"').length > 0);
  for (let count = 0; count < 9; count += 1) {
    expect((await run('hello')).status).toBe(503);
    expect((await fetch(`${child.address}/readyz`)).status).toBe(503);
  }
  // The connection is tried for many times meanwhile, and that it is away is told once.
  // The same words are logged once a minute, so the test before may have had them.
  await until(() => child.log.some((line) => line.includes('leases could not be renewed')), 30_000);
  expect(linesWith('"msg":"the database is not responding"')).toHaveLength(1);
  expect(since('"reason":"server: the database is not responding","status":503')).toHaveLength(10);
  expect(since('a request failed').length).toBeLessThan(2);
  expect(since('leases could not be renewed').length).toBeLessThan(2);
  const stillDown = () =>
    child.log.filter((line) => line.includes('the notification connection is still down'));
  await until(() => stillDown().length > 0);
  expect(stillDown()).toHaveLength(1);
  await wire.mend();
  await until(async () => (await fetch(`${child.address}/readyz`)).status === 200);
  await until(() => linesWith('the notification connection is back').length === 1);
  const again = child.client('grace').runStream(say('back', { agent_id: 'echo' }));
  expect(spelled(await collect(again))).toBe('back');
});

test('after an outage, instances give each other time: nobody ends the runs of one that lives', async () => {
  test.setTimeout(120_000);
  const database = new URL((await postgres?.createDatabase()) ?? '');
  const line = await startWire(Number(database.port));
  database.port = String(line.port);
  const settings = { DATABASE_URL: database.href, RUN_LEASE: '6' };
  const instances: ServiceChild[] = [];
  for (let count = 0; count < 4; count += 1) {
    instances.push(await startChild(settings)); // each renews its lease at another time
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  const leave = new AbortController();
  try {
    const pace = { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } };
    for (const instance of instances) {
      const stream = instance.client().runStream(say('a long one', pace), { signal: leave.signal });
      await stream[Symbol.asyncIterator]().next();
    }
    await line.cut();
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    await line.mend();
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    for (const instance of instances) {
      const metrics = await (await fetch(`${instance.address}/metrics`)).text();
      expect(metrics).toContain('agent_chat_active_runs 1\n');
      expect(metrics).not.toMatch(/^agent_chat_orphaned_runs_total\{.*\} [1-9]/m);
    }
  } finally {
    leave.abort();
    await Promise.all(instances.map((instance) => instance.kill()));
    await line.cut();
  }
});
