/**
 * The service under load, beside a bare Node server that writes the same events, in one run on the same machine:
 * streams at a steady pace, a burst of whole runs, followers on another instance, and clean-up. Takes about four
 * minutes.
 *
 *   node test/bench/service.js [--only steady,burst,followers,retention] [--streams 1000] [--rounds 1] [--seconds 10]
 *
 * Prints the figures with their budgets, and a JSON line. Nothing here fails for being slow.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { SignJWT } from 'jose';
import { build as buildService } from 'vite';
import { measureFollowers } from './service/followers.js';
import { measure } from './service/load.js';
import { usage } from './service/measures.js';
import { measureRetention } from './service/retention.js';
import { measureRuns } from './service/runs.js';
import { bareAndService, median, ratio, rowOf, table } from './service/table.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'steady,burst,followers,retention' },
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
  },
});
const rounds = Number(values.rounds);
/** Seconds a service is left alone before it counts as idle. */
const idleAfter = 2;
const steady = {
  streams: Number(values.streams),
  delay: 250,
  ramp: 5,
  warm: 5,
  seconds: Number(values.seconds),
};
/** Seconds within which the runs of the third series start: as long as a run takes. */
const spreadSeconds = 16;
const burst = { runs: Number(values.streams), events: 64, delay: 250, ramp: 0 };
const secret = 'a secret for the bench only, long enough for it';
const token = await tokenOf('bench');

const work = `${root}test/bench/.work/service`;
mkdirSync(work, { recursive: true });
await buildService({ root, mode: 'service', logLevel: 'error', build: { outDir: work, emptyOutDir: false } });
await bundle({
  entryPoints: [`${root}test/bench/service/parts.ts`],
  outfile: `${work}/bench-parts.js`,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
const parts = await import(`${work}/bench-parts.js`);

const figures = {};
const parting = {
  steady: async () => {
    const rows = await bareAndService(rounds, {
      bare: () => withBare((child) => measureChild(child)),
      service: () => withService({}, (child) => measureChild(child, token)),
    });
    figures.steady = { bare: median(rows.bare), service: median(rows.service) };
    const cpu = ratio(rows, 'cpuMicrosecondsPerEvent');
    table(`${steady.streams} streams, 4 events/s each, once they are open`, figures.steady, {
      'ready in': rowOf('ready', 'ms'),
      'idle memory': rowOf('idle', 'MB'),
      'CPU an event': rowOf('cpuMicrosecondsPerEvent', 'µs', `× ${cpu.toFixed(2)} (budget 2)`),
      'delay p50': rowOf('p50', 'ms'),
      'delay p99': rowOf('p99', 'ms', `× ${ratio(rows, 'p99').toFixed(2)} (budget 2)`),
      'memory a stream': rowOf('kilobytesPerStream', 'kB'),
      failed: rowOf('failed', ''),
    });
  },
  burst: async () => {
    const tokens = await Promise.all(
      Array.from({ length: burst.runs }, (_, place) => tokenOf(`guest-${place}`)),
    );
    const run = (child, load) => measureRuns({ ...burst, address: child.address, pid: child.pid, ...load });
    const series = async (child, load) => {
      const [fresh, again] = [await run(child, load), await run(child, load)];
      const spread = await run(child, { ...load, ramp: spreadSeconds });
      // some runs always start and end meanwhile: the cost of an event is that of the series before
      const fixed = spread.cpuMillisecondsPerRun - (burst.events * again.microsecondsOfEvent) / 1e3;
      return { fresh, again, spread: { ...spread, fixedMilliseconds: fixed } };
    };
    const rows = await bareAndService(rounds, {
      bare: () => withBare((child) => series(child, {})),
      service: () => withService({}, (child) => series(child, { tokens })),
    });
    const of = (name) => ({
      bare: rows.bare.map((row) => row[name]),
      service: rows.service.map((row) => row[name]),
    });
    const show = (name, title) => {
      const measured = of(name);
      figures[name] = { bare: median(measured.bare), service: median(measured.service) };
      const times = ratio(measured, 'cpuMicrosecondsPerEvent').toFixed(2);
      table(title, figures[name], {
        'CPU an event, all included': rowOf('cpuMicrosecondsPerEvent', 'µs', `× ${times} (budget 2)`),
        'CPU a run': rowOf('cpuMillisecondsPerRun', 'ms', '', 2),
        'of it fixed': rowOf('fixedMilliseconds', 'ms', 'budget 2', 2),
        'first event p50': rowOf('firstP50', 'ms', burst.ramp === 0 ? 'budget 300 at once' : ''),
        'first event p99': rowOf('firstP99', 'ms'),
        failed: rowOf('failed', ''),
      });
    };
    const runs = `${burst.runs} runs of ${burst.events} events, 4 events/s`;
    show('fresh', `${runs}, at once, in a new process`);
    show('again', `${runs}, at once, in the same process`);
    show('spread', `${runs}, within ${spreadSeconds} s, in the same process`);
  },
  followers: async () => {
    await withPostgres(async (postgres) => {
      figures.postgres = await measureInstances(postgres, {});
      showFollowers('PostgreSQL', figures.postgres);
      const redis = await parts.startRedis();
      if (!redis) return;
      figures.redis = await measureInstances(postgres, { EVENTS_URL: redis.url });
      showFollowers('PostgreSQL and Redis', figures.redis);
      await redis.stop();
    });
  },
  retention: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'));
    const sqlite = parts.openSqlite(directory);
    await parts.migrate(sqlite);
    figures.retention = { sqlite: await measureRetention(sqlite, parts.sweep) };
    await sqlite.close();
    rmSync(directory, { recursive: true, force: true });
    await withPostgres(async (postgres) => {
      const store = await parts.openPostgres(await postgres.createDatabase(), () => undefined);
      await parts.migrate(store);
      figures.retention.postgres = await measureRetention(store.unlimited, parts.sweep);
      await store.close();
    });
    table('Sweep at 200,000 old runs and 2.3 million events', figures.retention, {
      'nothing to remove': rowOf('idleSweepMs', 'ms', 'budget 20'),
      'removing the events of 1,000 runs': rowOf('removingMs', 'ms'),
      'longest block meanwhile': rowOf('longestBlockMs', 'ms', 'budget 50'),
    });
  },
};
for (const name of values.only.split(',')) await parting[name]();
console.log(JSON.stringify({ steady, burst, ...figures }));

function tokenOf(subject) {
  return new SignJWT({ tenant_id: 'bench', scope: 'run' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

async function measureChild(child, bearer) {
  await new Promise((resolve) => setTimeout(resolve, idleAfter * 1000));
  const idle = usage(child.pid).resident;
  const row = await measure({ ...steady, address: child.address, pid: child.pid, token: bearer });
  return { ...row, ready: child.ready, idle };
}

/** Two instances on one database. */
async function measureInstances(postgres, environment) {
  const url = await postgres.createDatabase();
  const store = await parts.openPostgres(url, () => undefined);
  const statements = () => countStatements(store);
  const shared = { ...environment, DATABASE_URL: url };
  try {
    return await withService(shared, (owner) =>
      withService(shared, async (other) => {
        const measureRows = (load) => measureFollowers({ owner, other, token, statements, ...load });
        return {
          alone: await measureRows({ runs: 50, delay: 33, followed: false }),
          followed: await measureRows({ runs: 50, delay: 33, followed: true }),
          many: await measureRows({ runs: 400, delay: 250, followed: true }),
        };
      }),
    );
  } finally {
    await store.close();
  }
}

function showFollowers(name, rows) {
  table(`${name}: runs of one instance, read on another (50 × 30 events/s, and 400 × 4)`, rows, {
    'execution and its reader, an event': rowOf('executionMicroseconds', 'µs'),
    'following, an event': rowOf('followingMicroseconds', 'µs', 'budget: below the execution'),
    'statements an event': rowOf('statementsPerEvent', '', 'budget 0.05', 3),
    'delay p50': rowOf('lagP50', 'ms'),
    'delay p99': rowOf('lagP99', 'ms', 'budget 250'),
  });
}

async function countStatements({ database }) {
  const { CompiledQuery } = await import('kysely');
  await database.executeQuery(CompiledQuery.raw('create extension if not exists pg_stat_statements'));
  const { rows } = await database.executeQuery(
    CompiledQuery.raw(`
      select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat%'`),
  );
  return rows[0].calls;
}

async function withPostgres(use) {
  const postgres = await parts.startPostgres(['shared_preload_libraries=pg_stat_statements']);
  if (!postgres) return;
  try {
    await use(postgres);
  } finally {
    await postgres.stop();
  }
}

async function withBare(use) {
  const child = await start([`${root}test/bench/service/bare-server.js`], {});
  try {
    return await use(child);
  } finally {
    await child.stop();
  }
}

async function withService(environment, use) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'));
  const child = await start([`${work}/cli.js`, 'serve'], {
    JWT_SECRET: secret,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    RATE_LIMIT: '0',
    RUN_LIMIT: '0',
    ...environment,
  });
  try {
    return await use(child);
  } finally {
    await child.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function start(words, environment) {
  const began = performance.now();
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /Server listening at (http:\/\/[\d.:]+)/.exec(line)?.[1];
      const ready = performance.now() - began;
      if (address) resolve({ address, ready, pid: child.pid, stop: () => (child.kill('SIGKILL'), gone) });
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
}
