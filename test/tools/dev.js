// `npm run dev`: builds script, playground, documents and service, rebuilds what an edit changes, and reloads the
// pages.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { build } from 'vite';
import { startDevServer } from './dev-server.js';

process.env.WATCH = '1'; // builds then keep the files that the running service reads
const modes = ['service', 'script', 'demo', 'docs'];
const command = 'dist/service/cli.js';
const port = Number(process.env.PORT ?? 8787);

const targetPort = await freePort();
const server = await startDevServer({ port, targetPort }).catch((error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is in use. Stop what uses it, or choose another: PORT=8788 npm run dev`);
  process.exit(1);
});
let service;
/** Whether it answers. */
let isReady = false;
let startedAt = Date.now();
/** What to print of the last build, once the service answers. */
let news = '';
/** Builds that run, or have not begun. */
const building = new Set(modes);

console.log('Building …');
if (['dist/agent-chat.js', 'dist/demo/index.html', command].every((file) => existsSync(file))) startService();
for (const mode of modes) await watch(mode);

async function watch(mode) {
  const noTimings = { checks: { pluginTimings: false } };
  const watcher = await build({ mode, logLevel: 'error', build: { watch: {}, rolldownOptions: noTimings } });
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_START') {
      if (building.size === 0) startedAt = Date.now();
      building.add(mode);
    } else if (event.code === 'BUNDLE_END') {
      void event.result?.close();
      building.delete(mode);
      if (mode === 'service') restartService();
      if (building.size === 0) finish();
    } else if (event.code === 'ERROR') {
      building.delete(mode);
      console.error(`${mode}: ${event.error.message}`);
      if (mode === 'service' && !service && existsSync(command)) startService();
    }
  });
}

function finish() {
  news = `Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s: http://localhost:${server.port}/`;
  tellNews();
  if (!service) startService();
  server.reload();
}

function tellNews() {
  if (!isReady || news === '') return;
  console.log(news);
  news = '';
}

function restartService() {
  if (!service) return; // `finish` starts it
  isReady = false;
  service.removeAllListeners('exit');
  service.once('exit', () => {
    service = undefined;
    if (!building.has('service')) startService(); // else at the end of that build: its files are incomplete
  });
  service.kill('SIGTERM');
}

function startService() {
  const env = { ...process.env, PORT: String(targetPort), HOST: '127.0.0.1' };
  isReady = false;
  service = spawn(process.execPath, [command, 'playground'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  service.stdout.on('data', (text) => {
    if (!/^Playground: /m.test(text)) return;
    isReady = true;
    tellNews();
  });
  service.on('exit', (status) => {
    service = undefined;
    isReady = false;
    console.error(`The service stopped with status ${status}. It starts again when you save a file.`);
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    service?.removeAllListeners('exit');
    service?.kill('SIGTERM');
    process.exit(0);
  });
}
