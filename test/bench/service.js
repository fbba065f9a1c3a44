/**
 * The service under load against a bare Node server that writes the same events, in one run on the same machine.
 *
 *   node test/bench/service.js [--streams 1000] [--rounds 3] [--seconds 10]
 *
 * Prints one row each (the time until it listens, what it holds when idle, its cost under load), the ratios, and a JSON line. Nothing here fails for being slow: see the budget in demo/docs/measured.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SignJWT } from 'jose';
import { measure } from './service/load.js';
import { usage } from './service/measures.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
});
/** Seconds a service is left alone before it counts as idle. */
const idleAfter = 3;
const load = {
  streams: Number(values.streams),
  delay: 250,
  ramp: 5,
  warm: 5,
  seconds: Number(values.seconds),
};
const secret = 'a secret for the bench only, long enough for it';

const work = `${root}test/bench/.work/service`;
mkdirSync(work, { recursive: true });
const built = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vite/bin/vite.js`,
    'build',
    '--mode',
    'service',
    '--outDir',
    work,
    '--logLevel',
    'error',
  ],
  { cwd: root, stdio: 'inherit' },
);
if (built.status !== 0) process.exit(1);

const token = await new SignJWT({ tenant_id: 'bench', scope: 'run' })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('bench')
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(secret));

const rows = { service: [], bare: [] };
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const name of round % 2 === 0 ? ['bare', 'service'] : ['service', 'bare']) {
    rows[name].push(name === 'bare' ? await benchBare() : await benchService());
    print(name, rows[name].at(-1));
  }
}
const service = median(rows.service);
const bare = median(rows.bare);
// round by round, because what else the machine does changes both
const ratio = (key) =>
  middle(rows.service.map((row, round) => row[key] / Math.max(1, rows.bare[round][key])));
const ratios = { cpuPerEvent: ratio('cpuMicrosecondsPerEvent'), p99: ratio('p99') };
console.log('\nmedians');
print('bare', bare);
print('service', service);
console.log(
  `median ratio of a round: CPU per event × ${ratios.cpuPerEvent.toFixed(2)}, p99 delay × ${ratios.p99.toFixed(2)} (budget 2)`,
);
console.log(JSON.stringify({ load, bare, service, ratios }));

async function benchBare() {
  const child = await start([`${root}test/bench/service/bare-server.js`], {});
  try {
    return await measureChild(child);
  } finally {
    await child.stop();
  }
}

async function benchService() {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'));
  const child = await start([`${work}/cli.js`, 'serve'], {
    JWT_SECRET: secret,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    RATE_LIMIT: '0',
    RUN_LIMIT: '0',
  });
  try {
    return await measureChild(child, token);
  } finally {
    await child.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureChild(child, bearer) {
  await new Promise((resolve) => setTimeout(resolve, idleAfter * 1000));
  const idle = usage(child.pid).resident;
  const row = await measure({ ...load, address: child.address, pid: child.pid, token: bearer });
  return { ...row, ready: child.ready, idle };
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

function median(all) {
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, middle(all.map((row) => row[key]))]));
}

function middle(figures) {
  return figures.sort((one, other) => one - other)[Math.floor(figures.length / 2)];
}

function print(name, row) {
  const of = (value, digits = 0) => value.toFixed(digits);
  console.log(
    `${name.padEnd(8)} ready in ${of(row.ready)} ms, idle ${of(row.idle)} MB; ${row.streams} streams (${row.failed} failed), ${of(row.eventsPerSecond)} events/s, ${of(row.cpuMicrosecondsPerEvent)} µs CPU an event (${of(row.cores, 2)} cores), delay p50 ${of(row.p50, 1)} p99 ${of(row.p99, 1)} worst ${of(row.worst)} ms, gap p99 ${of(row.gapP99)} ms, ${of(row.kilobytesPerStream)} kB a stream`,
  );
}
