import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { startDevServer, type DevServer } from './dev-server.js';

let service: Server;
let dev: DevServer;
let address: string;

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // listens on a port
}

test.beforeEach(async () => {
  service = createServer((request, response) => {
    if (request.url === '/page') {
      const html = Buffer.from('<html><head></head><body>Ä</body></html>');
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': html.length }).end(html);
    } else {
      response.writeHead(201, { 'content-type': 'text/plain', 'cache-control': 'public, max-age=300' });
      request.pipe(response);
    }
  });
  const targetPort = await listen(service);
  dev = await startDevServer({ port: 0, targetPort });
  address = `http://localhost:${dev.port}`;
});
test.afterEach(() => {
  dev.close();
  service.closeAllConnections();
  service.close();
});

test('a page gets the script that reloads it; everything else passes, and nothing is kept', async () => {
  const page = await fetch(`${address}/page`);
  expect(await page.text()).toContain('<script async src="/.dev/reload.js"></script></head>');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await (await fetch(`${address}/.dev/reload.js`)).text()).toContain('location.reload()');
  const echo = await fetch(`${address}/echo`, { method: 'POST', body: 'said' });
  expect([echo.status, await echo.text()]).toEqual([201, 'said']);
  expect(echo.headers.get('cache-control')).toBe('no-store');
});

test('open pages are told to reload', async () => {
  const events = await fetch(`${address}/.dev/events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(': open\n\n');
  dev.reload();
  expect((await reader?.read())?.value).toBe('event: reload\ndata:\n\n');
  await reader?.cancel();
});

/** Stops the service. Returns the port at which it can start again. */
async function stopService(): Promise<number> {
  const { port } = service.address() as AddressInfo; // listens on a port
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  return port;
}

test('a request waits while the service restarts, and its body is sent once', async () => {
  const port = await stopService();
  const waiting = fetch(`${address}/echo`, { method: 'POST', body: 'kept' });
  await expect.poll(() => fetch(`${address}/.dev/reload.js`).then(({ ok }) => ok)).toBe(true);
  await listen(service, port);
  expect(await (await waiting).text()).toBe('kept');
});

test('a page that leaves while it waits is not asked for any more', async () => {
  const port = await stopService();
  const asked: (string | undefined)[] = [];
  service.on('request', ({ url }) => asked.push(url));
  const leaving = new AbortController();
  const left = fetch(`${address}/left`, { signal: leaving.signal }).catch(() => undefined);
  const stays = fetch(`${address}/stays`);
  await expect.poll(() => fetch(`${address}/.dev/reload.js`).then(({ ok }) => ok)).toBe(true);
  leaving.abort();
  await left;
  // asked later: by its answer the server has seen the other leave
  await fetch(`${address}/.dev/reload.js`);
  await listen(service, port);
  expect((await stays).status).toBe(201);
  expect(asked).toEqual(['/stays']);
});

test('a request that waits in vain is told so, and however often it asked, Node warns of nothing', async () => {
  const targetPort = await stopService();
  const impatient = await startDevServer({ port: 0, targetPort, patienceMs: 300, retryMs: 1 });
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  const response = await fetch(`http://localhost:${impatient.port}/page`);
  process.off('warning', note);
  impatient.close();
  expect([response.status, await response.text()]).toEqual([502, expect.stringMatching(/ECONNREFUSED/)]);
  expect(warnings).toEqual([]);
});
