// Measures what a page pays for having the chat while nobody opens it: the main thread's time until it is idle, and
// what came over the wire, beside the same page with an empty Lit element, in the same run. Wants a built `dist/`.
//
//   npm run bench:launcher -- --rounds 15
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build } from 'vite';
import { browserArguments, findBrowser } from '../tools/find-browser.js';
import { median } from './report.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const dist = new URL('../../dist/', import.meta.url).pathname;
const built = await build({
  configFile: false,
  logLevel: 'error',
  build: {
    write: false,
    target: 'es2022',
    lib: { entry: new URL('page/empty-element.js', import.meta.url).pathname, formats: ['es'] },
    rolldownOptions: { output: { minify: true } },
  },
});
const emptyElement = built[0].output[0].code;
const page = (body) =>
  `<!doctype html><html lang="en"><title>Page</title><body><h1>Page</h1>${body}</body></html>`;
const ways = {
  'empty Lit element': page('<script type="module" src="/empty.js"></script><empty-element></empty-element>'),
  launcher: page('<script async src="/agent-chat.js" data-agent-id="a"></script>'),
};

const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const way = ways[decodeURIComponent(path.slice(1))];
  const send = (type, body) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'br', 'Cache-Control': 'no-store' });
    response.end(brotliCompressSync(body));
  };
  if (way) send('text/html', way);
  else if (path === '/empty.js') send('text/javascript', emptyElement);
  else if (/^\/(agent-chat|chunks\/[\w-]+)\.js$/.test(path))
    send('text/javascript', await readFile(join(dist, path)));
  else response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({
  executablePath: await findBrowser({ isWhole: true }),
  args: browserArguments,
});

/** One visit in a context of its own: milliseconds of the main thread, and kilobytes of script. */
async function visit(way) {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tab.goto(`${origin}/${encodeURIComponent(way)}`, { waitUntil: 'networkidle' });
  const kilobytes = await tab.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ initiatorType }) => initiatorType !== 'other')
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0),
  );
  const { metrics } = await devtools.send('Performance.getMetrics');
  await context.close();
  return { main: 1000 * metrics.find(({ name }) => name === 'TaskDuration').value, kilobytes };
}

const results = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const way of Object.keys(ways)) {
    const measured = await visit(way);
    if (round > 0) results[way].push(measured); // the first warms the browser up
  }
}
await browser.close();
server.close();

const [floor, launcher] = Object.keys(ways).map((way) => median(results[way].map(({ main }) => main)));
console.log('| page | main thread ms | × empty Lit element | kB |\n|---|--:|--:|--:|');
for (const [way, measured] of Object.entries(results)) {
  const main = median(measured.map((result) => result.main));
  const kilobytes = median(measured.map((result) => result.kilobytes));
  console.log(`| ${way} | ${main.toFixed(1)} | ${(main / floor).toFixed(2)} | ${kilobytes.toFixed(1)} |`);
}
console.log(`\nbudget: ${(launcher / floor).toFixed(2)} of 1.5`);
