// A proxy in front of the service for development: reloads pages after a build, and holds requests while the service
// restarts.
import { createServer, request as ask } from 'node:http';

const scriptPath = '/.dev/reload.js';
const eventsPath = '/.dev/events';
const reloadScript = `new EventSource('${eventsPath}').addEventListener('reload', () => location.reload());\n`;

/**
 * @param {{ port: number, targetPort: number, patienceMs?: number, retryMs?: number }} options `targetPort`: of the
 *   service; `patienceMs`: how long a request waits for it, asking again every `retryMs`
 */
export async function startDevServer({ port, targetPort, patienceMs = 20_000, retryMs = 100 }) {
  const pages = new Set();
  const server = createServer((request, response) => {
    if (request.url === scriptPath) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(reloadScript);
    } else if (request.url === eventsPath) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(': open\n\n');
      pages.add(response);
      response.on('close', () => pages.delete(response));
    } else {
      forward(request, response, { targetPort, retryMs, until: Date.now() + patienceMs });
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return {
    port: server.address().port,
    reload() {
      for (const page of pages) page.write('event: reload\ndata:\n\n');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forward(request, response, { targetPort, retryMs, until }) {
  if (response.destroyed) return; // its page has gone while it waited
  const { 'accept-encoding': _encoding, ...headers } = request.headers; // pages are changed on the way
  const upstream = ask({
    host: '127.0.0.1',
    port: targetPort,
    method: request.method,
    path: request.url,
    headers,
  });
  upstream.on('response', (answer) => {
    if (/^text\/html/.test(answer.headers['content-type'] ?? '')) return sendPage(answer, response);
    // a reload asks only for the page anew: a browser would keep the script of before the edit for five minutes
    response.writeHead(answer.statusCode, { ...answer.headers, 'cache-control': 'no-store' });
    answer.pipe(response);
  });
  upstream.on('error', (error) => {
    const isAway = error.code === 'ECONNREFUSED' && Date.now() < until;
    if (isAway && !response.headersSent) {
      setTimeout(() => forward(request, response, { targetPort, retryMs, until }), retryMs);
    } else if (!response.headersSent) {
      response.writeHead(502).end(`The service does not answer: ${error.message}\n`);
    } else response.destroy();
  });
  const stop = () => upstream.destroy();
  response.once('close', stop);
  upstream.once('close', () => response.off('close', stop)); // the next attempt adds its own
  upstream.once('socket', (socket) => {
    // the body is sent only once there is somebody to take it, so that it can be sent again
    if (socket.connecting) socket.once('connect', () => request.pipe(upstream));
    else request.pipe(upstream);
  });
}

async function sendPage(answer, response) {
  const parts = [];
  for await (const part of answer) parts.push(part);
  const html = Buffer.concat(parts).toString('utf8');
  const { 'content-length': _length, etag: _etag, ...headers } = answer.headers;
  response.writeHead(answer.statusCode, { ...headers, 'cache-control': 'no-store' });
  response.end(html.replace('</head>', `<script async src="${scriptPath}"></script></head>`));
}
