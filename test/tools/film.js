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
const size = { width: 960, height: 640 };
const stepMs = 100;
/** Pictures of each part: the page, the welcome page, the pointer on a question, the answer. */
const frames = { closed: 7, home: 14, pointed: 5, answering: 64 };
const lastFrameMs = 4000;

const starters = JSON.stringify({
  header: { avatar: '/demo/logos/harbour.svg', subtitle: 'Answers in seconds' },
  starters: [
    {
      title: 'Is a berth free this weekend?',
      description: 'Checks live availability',
      icon: 'M12 8v13M5 13a7 7 0 0014 0M8 12h8M9.5 5.5a2.5 2.5 0 105 0 2.5 2.5 0 10-5 0z',
    },
    { title: 'Explain my last invoice', icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6' },
  ],
});
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Westhaven Marina</title>
<style>body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#16191d;background:#fff}
header{display:flex;gap:28px;align-items:center;padding:16px 32px;border-bottom:1px solid #e3e6ea;color:#5c6570}header b{color:#16191d;font-size:18px}
main{padding:36px 32px;width:448px}h1{margin:0 0 12px;font-size:36px;line-height:1.12;letter-spacing:-.02em}p{margin:0 0 22px;color:#5c6570}
img{display:block;width:448px;height:270px;object-fit:cover;border-radius:16px;background:#bcd8ee}
agent-chat{--agent-chat-shadow:0 0 0 1px #d5d9df, 0 2px 6px #e3e6ea}</style>
<header><b>Westhaven Marina</b><span>Berths</span><span>Tides</span><span>The yard</span></header>
<main><h1>A quiet harbour, an hour from the city</h1><p>Forty berths from 6 to 14 metres, most with water and power.</p><img src="/demo/quay.svg" alt=""></main>
<agent-chat heading="Harbour Help" storage="none" theme="light" width="384px" height="530px">
<script type="application/json">${starters}</script></agent-chat>
<script src="/agent-chat.js"></script></html>`;

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
  const chat = page.locator('agent-chat');
  const launcher = chat.getByRole('button').first();
  await launcher.waitFor();
  const step = async () => {
    await page.clock.runFor(stepMs);
    pictures.push(PNG.sync.read(await page.screenshot()));
  };
  for (let count = 0; count < frames.closed; count += 1) await step();
  await launcher.click();
  const question = chat.getByText('Is a berth free this weekend?');
  while (!(await question.isVisible())) await page.clock.runFor(16);
  for (let count = 0; count < frames.home; count += 1) await step();
  await question.hover();
  for (let count = 0; count < frames.pointed; count += 1) await step();
  // in place of a service, the answer comes from a recording
  await chat.evaluate((host) => host.setAttribute('replay', '/demo/recordings/berths.ndjson'));
  while (await chat.locator('agent-chat-welcome').isVisible()) await page.clock.runFor(16);
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
  const sample = Buffer.concat([all[0].data, all[frames.closed + frames.home]?.data, all.at(-1).data]);
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
