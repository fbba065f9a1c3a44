// Takes the screenshots of the README and of the gallery: `npm run shots`, or `npm run shots -- hero`.
// Starts the built service with its own agent, and writes demo/shots/ and demo/gallery.html.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { format } from 'oxfmt';
import { browserArguments, findBrowser } from './find-browser.js';
import { galleryPage, heroPage, hostPage } from './shots-pages.js';
import { layouts, reached, sizes, states, themes } from './shots-states.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = process.env.SHOTS ?? join(root, 'demo/shots');
const only = process.argv.slice(2);

const work = await mkdtemp(join(tmpdir(), 'agent-chat-shots-'));
const service = await startService();
const browser = await chromium.launch({
  executablePath: await findBrowser({ isWhole: true }),
  args: browserArguments,
});
try {
  await mkdir(folder, { recursive: true });
  if (wanted('hero')) await takeHero();
  const taken = [];
  for (const layout of layouts) {
    for (const theme of themes) {
      for (const size of sizes) taken.push(...(await takeStates({ layout, theme, size })));
    }
  }
  if (only.length === 0) {
    const { code: html } = await format('gallery.html', galleryPage(taken, Object.keys(states)), {
      printWidth: 110,
    });
    await writeFile(join(root, 'demo/gallery.html'), html);
  }
} finally {
  await browser.close();
  service.child.kill('SIGKILL');
  await rm(work, { recursive: true, force: true });
}

function wanted(name) {
  return only.length === 0 || only.some((part) => name.includes(part));
}

async function takeHero() {
  const page = await open({ width: 904, height: 712, scale: 2, html: heroPage() });
  const [light, dark] = [page.locator('agent-chat').first(), page.locator('agent-chat').last()];
  await say(light, 'Is a berth for 11 m free this weekend, and what would it cost?');
  await light.locator('p', { hasText: 'nearer the gate' }).waitFor();
  await say(dark, 'Book C 14');
  await dark.getByRole('button', { name: 'Book berth' }).waitFor();
  await dark.getByRole('button', { name: /2 steps/ }).click();
  await dark.getByLabel('E-mail').fill('anna@');
  await dark.getByRole('button', { name: 'Book berth' }).click();
  await settle(page);
  await page.screenshot({ path: join(folder, 'hero.png') });
  await page.context().close();
}

async function takeStates({ layout, theme, size }) {
  const names = Object.keys(states).map((state) => ({
    state,
    file: `${layout}-${theme}-${size.width}-${state}.png`,
    layout,
    theme,
    width: size.width,
  }));
  const mine = names.filter(({ file }) => wanted(file));
  if (mine.length === 0) return [];
  const page = await open({ ...size, html: hostPage({ layout, theme }) });
  const chat = page.locator('agent-chat');
  for (const { state, file } of mine) {
    await chat.evaluate((host) => host.newThread());
    for (const words of states[state]) await say(chat, words);
    await reached(chat, state);
    await settle(page);
    await page.screenshot({ path: join(folder, file), scale: 'device' });
  }
  await page.context().close();
  return mine;
}

async function say(chat, words) {
  const streams = words.includes('tide');
  await chat.evaluate((host, text) => void host.send(text), words);
  if (!streams)
    await chat
      .page()
      .waitForFunction(
        (host) => host.connection === 'idle' || host.connection === 'failed',
        await chat.elementHandle(),
      );
}

/** Waits for fonts, animations and lazily loaded modules. */
async function settle(page) {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 40; frame += 1) await new Promise(requestAnimationFrame);
  });
}

async function open({ width, height, scale, html }) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: false,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.route('**/shot.html', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`${service.origin}/shot.html`);
  await page.locator('agent-chat agent-chat-welcome').first().waitFor();
  return page;
}

async function startService() {
  const port = await freePort();
  const agents = join(work, 'agents.json');
  const module = fileURLToPath(new URL('shots-agent.js', import.meta.url));
  const harbour = { kind: 'module', id: 'harbour', name: 'Harbour Help', module };
  await writeFile(agents, JSON.stringify({ agents: [harbour] }));
  const child = spawn(process.execPath, [join(root, 'dist/service/cli.js'), 'playground'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: work, AGENTS_FILE: agents, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (answer?.ok) return { origin, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error('The service did not start: run `npm run build` first.');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
