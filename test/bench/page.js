// Measures, and prints as a table:
// - how soon one can write in the widget, compared to a bare page with a textarea in the same run
// - how soon one can write after a click on the launcher, on three networks
// - what a thread of 2,000 messages costs, compared to an empty one
//
//   npm run bench:page              builds first; `-- --no-build` does not
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { browserArguments, findBrowser } from '../tools/find-browser.js';
import { buildForBench } from './build.js';
import { median } from './report.js';
import { settle } from './settle.js';

const { values } = parseArgs({
  options: { build: { type: 'boolean', default: true }, rounds: { type: 'string', default: '7' } },
  allowNegative: true,
});
const rounds = Array.from({ length: Number(values.rounds) });
const thread = (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;

if (values.build) await buildForBench();
const server = spawn(process.execPath, [new URL('stream-server.js', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(Number(data))));
const browser = await chromium.launch({
  executablePath: await findBrowser({ isWhole: true }),
  args: browserArguments,
});

/** Networks by name: latency in ms, bytes per second in both directions; undefined is the machine's own. */
const networks = {
  local: undefined,
  '4G': { offline: false, latency: 85, downloadThroughput: 1_125_000, uploadThroughput: 190_000 },
  'fast 3G': { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 },
};

/**
 * A page without cache. Its `window.usable()` resolves with the time at which a textarea takes the focus, in any
 * shadow root.
 */
async function emptyCachePage() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const findTextarea = (root) => {
      const textarea = root.querySelector('textarea');
      if (textarea) return textarea;
      for (const { shadowRoot } of root.querySelectorAll('*')) {
        const deep = shadowRoot && findTextarea(shadowRoot);
        if (deep) return deep;
      }
      return null;
    };
    window.usable = () =>
      new Promise((resolve) => {
        const check = () => {
          const input = findTextarea(document);
          input?.focus();
          if (input?.matches(':focus') && input.getBoundingClientRect().width > 0) resolve(performance.now());
          else setTimeout(check);
        };
        check();
      });
  });
  return page;
}

/** Milliseconds from the navigation until one can write. */
async function timeToUsable(name) {
  const page = await emptyCachePage();
  await page.addInitScript(() => (window.wasUsable = window.usable()));
  await page.goto(`http://127.0.0.1:${port}/page/${name}.html`);
  const time = await page.evaluate(() => window.wasUsable);
  await page.context().close();
  return time;
}

/** Milliseconds from a click on the launcher, without a hover that preloads the panel, until one can write. */
async function timeToUsableAfterClick(network) {
  const page = await emptyCachePage();
  await page.goto(`http://127.0.0.1:${port}/page/closed.html`);
  await page.locator('.launcher').waitFor();
  await settle(page, 600);
  const devtools = await page.context().newCDPSession(page);
  if (network) await devtools.send('Network.emulateNetworkConditions', network);
  const time = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector('agent-chat').shadowRoot.querySelector('.launcher').click();
    return (await window.usable()) - start;
  });
  await page.context().close();
  return time;
}

/** Main-thread milliseconds to open a thread of `count` messages, and for a key typed in it. */
async function openThread(count) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/page/widget.html`);
  await page.evaluate(() => window.ready);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (work) => {
    await settle(page, 1500); // what the page does on its own is over
    const before = await mainTime(devtools);
    await work();
    await settle(page, 600);
    return (await mainTime(devtools)) - before;
  };
  const opened = await spent(() =>
    page.evaluate((id) => document.querySelector('agent-chat').setThread(id), thread(count)),
  );
  const shown = await page.locator('agent-chat-turn').count();
  if (count > 0 && shown === 0) throw new Error('the thread was not shown');
  await page.getByRole('textbox').focus();
  const keys = 40;
  const typed = await spent(() => page.keyboard.type('x'.repeat(keys), { delay: 20 }));
  await page.close();
  return { opened, key: typed / keys };
}

async function mainTime(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

const times = { bare: [], eager: [] };
const clicks = Object.fromEntries(Object.keys(networks).map((name) => [name, []]));
const threads = { 0: [], 2000: [] };
for (const _round of rounds) {
  for (const name of Object.keys(times)) times[name].push(await timeToUsable(name));
  for (const name of Object.keys(clicks)) clicks[name].push(await timeToUsableAfterClick(networks[name]));
  for (const count of Object.keys(threads)) threads[count].push(await openThread(Number(count)));
}
await browser.close();
server.kill();

const [bare, eager] = [median(times.bare), median(times.eager)];
const medianOf = (count, key) => median(threads[count].map((result) => result[key]));
process.stdout.write(`| what | figure | budget |
|---|--:|--:|
| bare page with a textarea: usable, ms | ${bare.toFixed(0)} | |
| the widget, eager: usable, ms | ${eager.toFixed(0)} | |
| × bare page | ${(eager / bare).toFixed(2)} | 1.7 |
${Object.entries(clicks)
  .map(
    ([name, all]) => `| a click on the launcher → usable, ms (${name}) | ${median(all).toFixed(0)} | 50 |\n`,
  )
  .join('')}| 2,000 messages: open, main-thread ms | ${medianOf(2000, 'opened').toFixed(0)} | 100 |
| an empty thread: the same | ${medianOf(0, 'opened').toFixed(0)} | |
| 2,000 messages: a key, main-thread ms | ${medianOf(2000, 'key').toFixed(2)} | as below |
| an empty thread: the same | ${medianOf(0, 'key').toFixed(2)} | |
`);
