// Measures how an answer gets on screen, in a real browser: the floor (plain text), the usual way (parse, sanitise and
// replace all), and the widget, in the same run; peers from the package registry beside them, where they are named.
// Prints a table, writes JSON to test/bench/results and adds a line to its history.
//
//   npm run bench                               all shapes, 2k to 128k, the median of three
//   npm run bench -- --quick                    two shapes up to 32k, once
//   npm run bench -- --shapes list --sizes 2000,8000 --ways floor,widget --rounds 5 --throttle 4
//   npm run bench -- --sizes 128000 --append    beside what earlier runs have measured, in one file and one table
//   npm run bench -- --peers deep-chat,streamdown@2.7.1,react-markdown --sizes 2000,8000 --output peers
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { chromium } from 'playwright';
import { browserArguments, findBrowser } from '../tools/find-browser.js';
import { readArguments } from './arguments.js';
import { buildForBench } from './build.js';
import { weigh } from './bytes.js';
import { historyLine } from './history.js';
import { installPeers } from './peers/install.js';
import { peers } from './peers/list.js';
import { reportLines } from './report.js';
import { settle } from './settle.js';

/** Told without a stack: what went wrong is in the words. */
function giveUp(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

let settings;
let installed = { versions: {} };
try {
  settings = readArguments(process.argv.slice(2));
  if (settings.peers.length > 0) installed = await installPeers(settings.peers);
} catch (error) {
  giveUp(error);
}
const { shapes, sizes, rounds, rate, throttle } = settings;
const ways = [...settings.ways, ...settings.peers.map(({ name }) => name)];
/** The usual way, and some peers, take minutes for longer answers. */
const longest = (way) => (way === 'usual' ? 8000 : (peers[way]?.longest ?? Infinity));

if (settings.build) await buildForBench();
const server = spawn(
  process.execPath,
  [new URL('stream-server.js', import.meta.url).pathname, ...(installed.folder ? [installed.folder] : [])],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
process.once('exit', () => server.kill());
const port = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(Number(data))));
const executablePath = await findBrowser({ isWhole: true });
// no page waits for a host that may answer or not
const ownHostOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
const browser = await chromium.launch({ executablePath, args: [...browserArguments, ownHostOnly] });

/** Where a way's page is. */
function addressOf(way) {
  return `http://127.0.0.1:${port}/${Object.hasOwn(peers, way) ? 'peers' : 'page'}/${way}.html`;
}

/** One answer, in a fresh page: what it cost the main thread, in milliseconds of its own processor time. */
async function once(way, shape, size) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('pageerror', (error) => process.stderr.write(`${way}: ${error.message}\n`));
  await page.goto(addressOf(way));
  await page.evaluate(() => window.ready);
  const devtools = await page.context().newCDPSession(page);
  if (throttle !== 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await settle(page, 1500); // nobody asks before they have looked, and written
  const before = await metrics(devtools);
  const measured = await page.evaluate((prompt) => window.measure(prompt), `${shape} ${size} ${rate}`);
  await settle(page);
  const after = await metrics(devtools);
  await page.close();
  return {
    ...measured,
    main: 1000 * (after.TaskDuration - before.TaskDuration),
    script: 1000 * (after.ScriptDuration - before.ScriptDuration),
    layout: 1000 * (after.LayoutDuration - before.LayoutDuration),
    style: 1000 * (after.RecalcStyleDuration - before.RecalcStyleDuration),
    nodes: after.Nodes,
  };
}

async function metrics(devtools) {
  const { metrics: entries } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

const weights = {};
for (const way of ways) {
  if (way === 'floor') continue;
  // a page has the widget's launcher until somebody opens it; the others have no such state
  weights[way] = await weigh(browser, addressOf(way) + (way === 'widget' ? '?closed' : ''));
}
const results = [];
for (const shape of shapes) {
  for (const size of sizes) {
    for (let round = 0; round < rounds; round++) {
      // the ways take turns, so that a busy moment of the machine meets them all
      for (const way of ways) {
        if (size > longest(way)) continue;
        const result = { way, shape, size, round, ...(await once(way, shape, size)) };
        results.push(result);
        process.stderr.write(
          `${way} ${shape} ${size}: main ${Math.round(result.main)} script ${Math.round(result.script)} layout ${Math.round(result.layout)} style ${Math.round(result.style)} missed ${result.missed} draws/s ${result.drawsPerSecond.toFixed(0)} painted ${Math.round(result.painted)} first ${result.firstToken.toFixed(1)}\n`,
        );
      }
    }
  }
}
const chromiumVersion = browser.version();
await browser.close();
server.kill();

/** The commit that was measured, where there is one. */
function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: new URL('.', import.meta.url),
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const run = {
  machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}, ${chromiumVersion}`,
  rate,
  throttle,
  versions: { widget: version, ...installed.versions },
  weights,
  results,
};
mkdirSync(new URL('results/', import.meta.url), { recursive: true });
appendFileSync(
  new URL('results/history.ndjson', import.meta.url),
  historyLine({ date: new Date().toISOString(), commit: commit(), ...run }),
);
const file = new URL(`results/${settings.output}.json`, import.meta.url);
if (settings.append && existsSync(file)) {
  const earlier = JSON.parse(readFileSync(file, 'utf8'));
  run.results = [...earlier.results, ...results];
  run.versions = { ...earlier.versions, ...run.versions };
  run.weights = { ...earlier.weights, ...weights };
}
writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`);
run.results.sort((one, other) => one.size - other.size);
process.stdout.write(`\n${reportLines(run).join('\n')}\n`);
