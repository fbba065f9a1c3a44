// Measures how an answer gets on screen, in a real browser: the floor (plain text), the usual way (parse, sanitise and
// replace all), and the widget, in the same run. Prints a table and writes JSON to test/bench/results.
//
//   npm run bench                               all shapes, 2k to 128k, the median of three
//   npm run bench -- --quick                    two shapes up to 32k, once
//   npm run bench -- --shapes list --sizes 2000,8000 --ways floor,widget --rounds 5 --throttle 4
//   npm run bench -- --sizes 128000 --append    beside what earlier runs have measured, in one file and one table
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { browserArguments, findBrowser } from '../tools/find-browser.js';
import { buildForBench } from './build.js';
import { printReport } from './report.js';
import { shapeNames } from './texts.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    shapes: { type: 'string' },
    sizes: { type: 'string' },
    ways: { type: 'string', default: 'floor,usual,widget' },
    rounds: { type: 'string' },
    rate: { type: 'string', default: '200' },
    throttle: { type: 'string', default: '1' },
    build: { type: 'boolean', default: true },
    append: { type: 'boolean', default: false },
    output: { type: 'string', default: 'markdown' },
  },
  allowNegative: true,
});
const list = (text) => text.split(',').filter(Boolean);
const shapes = list(values.shapes ?? (values.quick ? 'mixed,fence' : shapeNames.join(',')));
const sizes = list(values.sizes ?? (values.quick ? '2000,8000,32000' : '2000,8000,32000,128000')).map(Number);
const ways = list(values.ways);
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
/** The usual way takes minutes for longer answers. */
const longestUsual = 8000;

if (values.build) await buildForBench();
const server = spawn(process.execPath, [new URL('stream-server.js', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(Number(data))));
const executablePath = await findBrowser();
const browser = await chromium.launch({ executablePath, args: browserArguments });

/** One answer, in a fresh page: what it cost the main thread, in milliseconds of its own processor time. */
async function once(way, shape, size) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('pageerror', (error) => process.stderr.write(`${way}: ${error.message}\n`));
  await page.goto(`http://127.0.0.1:${port}/page/${way}.html`);
  await page.evaluate(() => window.ready);
  const devtools = await page.context().newCDPSession(page);
  if (values.throttle !== '1') {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: Number(values.throttle) });
  }
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await settle(page);
  const before = await metrics(devtools);
  const measured = await page.evaluate((prompt) => window.measure(prompt), `${shape} ${size} ${values.rate}`);
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

/** Lets everything that is still scheduled happen. */
function settle(page) {
  return page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 400)));
}

const results = [];
for (const shape of shapes) {
  for (const size of sizes) {
    for (let round = 0; round < rounds; round++) {
      // the ways take turns, so that a busy moment of the machine meets them all
      for (const way of ways) {
        if (way === 'usual' && size > longestUsual) continue;
        const result = { way, shape, size, round, ...(await once(way, shape, size)) };
        results.push(result);
        process.stderr.write(
          `${way} ${shape} ${size}: main ${Math.round(result.main)} script ${Math.round(result.script)} layout ${Math.round(result.layout)} style ${Math.round(result.style)} missed ${result.missed} painted ${Math.round(result.painted)} first ${result.firstToken.toFixed(1)}\n`,
        );
      }
    }
  }
}
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}, ${browser.version()}`;
await browser.close();
server.kill();

mkdirSync(new URL('results/', import.meta.url), { recursive: true });
const file = new URL(`results/${values.output}.json`, import.meta.url);
if (values.append && existsSync(file)) results.unshift(...JSON.parse(readFileSync(file, 'utf8')).results);
writeFileSync(
  file,
  `${JSON.stringify({ machine, rate: Number(values.rate), throttle: Number(values.throttle), results }, null, 1)}\n`,
);
results.sort((one, other) => one.size - other.size);
printReport(results, machine);
