// Makes the moving picture of the README from a recording: `npm run film`, after a build. The page's clock is driven by
// hand, so that the pictures are the same on any machine.
import { createReadStream, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { browserArguments, findBrowser } from './find-browser.js';

const { GIFEncoder, applyPalette, quantize } = gifenc;
const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(root, 'demo/docs/images/hero.gif');
const size = { width: 720, height: 540 };
const stepMs = 100;
const frames = { closed: 8, answering: 52 };
const lastFrameMs = 3500;

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Westhaven Marina</title>
<style>body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#16191d;background:#f3f4f7}
header{display:flex;gap:28px;align-items:center;padding:16px 28px;background:#fff;color:#5c6570}header b{color:#16191d;font-size:18px}
main{padding:36px 28px;width:300px}h1{margin:0 0 12px;font-size:30px;line-height:1.15}p{margin:0 0 20px;color:#5c6570}
i{display:block;height:84px;margin-bottom:14px;border-radius:14px;background:#dfe4ea}</style>
<header><b>Westhaven Marina</b><span>Berths</span><span>Tides</span><span>The yard</span></header>
<main><h1>A quiet harbour, an hour from the city</h1><p>Forty berths from 6 to 14 metres, most with water and power.</p><i></i><i></i></main>
<script src="/agent-chat.js" data-replay="/demo/recordings/steps.ndjson" data-heading="Harbour Help" data-storage="none"
  data-theme="light" data-width="360px" data-height="440px"></script></html>`;

const types = { '.js': 'text/javascript', '.ndjson': 'application/x-ndjson', '.svg': 'image/svg+xml' };
const server = createServer((request, response) => {
  const path = join(root, 'dist', new URL(request.url, 'http://localhost').pathname);
  if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({
  executablePath: await findBrowser({ isWhole: true }),
  args: browserArguments,
});
const pictures = [];
try {
  const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
  await page.clock.install({ time: new Date('2026-11-24T10:00:00') });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const launcher = page.locator('agent-chat').getByRole('button').first();
  await launcher.waitFor();
  const step = async () => {
    await page.clock.runFor(stepMs);
    pictures.push(PNG.sync.read(await page.screenshot()));
  };
  for (let count = 0; count < frames.closed; count += 1) await step();
  await launcher.click();
  const begun = page.locator('agent-chat').getByText('Is a berth for 11 m');
  while (!(await begun.isVisible())) await page.clock.runFor(16);
  for (let count = 0; count < frames.answering; count += 1) await step();
} finally {
  await browser.close();
  server.close();
}
writeFileSync(file, encode(pictures));
console.log(`${file}: ${pictures.length} pictures`);

/** One palette for all; a pixel that stays as it was is transparent, which makes the file small. */
function encode(all) {
  const { width, height } = size;
  const sample = Buffer.concat([all[0].data, all.at(-1).data]);
  const palette = quantize(sample, 255);
  const transparentIndex = palette.length;
  const gif = GIFEncoder();
  let before;
  for (const [place, { data }] of all.entries()) {
    const indexes = applyPalette(data, palette);
    const changed = before
      ? indexes.map((index, at) => (index === before[at] ? transparentIndex : index))
      : indexes;
    const delay = place === all.length - 1 ? lastFrameMs : stepMs;
    gif.writeFrame(changed, width, height, {
      delay,
      dispose: 1,
      ...(before ? { transparent: true, transparentIndex } : { palette: [...palette, [0, 0, 0]], repeat: 0 }),
    });
    before = indexes;
  }
  gif.finish();
  return gif.bytes();
}
