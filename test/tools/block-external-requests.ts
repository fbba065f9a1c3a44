import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Hosts that Chromium contacts by itself, despite all flags. `fonts.*` is excluded: only pages request it. */
const chromiumHosts = /^(?!fonts\.)([\w-]+\.)*(google|googleapis|gstatic|gvt1|chromium)\.(com|org)$/;

/**
 * Playwright's global setup: a proxy that answers every request to an external host with 502, and fails the run at its
 * end. Requests that a test answers itself (`page.route`) never reach it.
 */
export default async function blockExternalRequests(): Promise<() => Promise<void>> {
  const requests = new Set<string>();
  const note = (method: string | undefined, url: string): void => {
    if (!chromiumHosts.test(new URL(url).hostname)) requests.add(`${method} ${url}`);
  };
  const proxy = createServer((request, response) => {
    note(request.method, request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    note(request.method, `https://${request.url}`);
    // a closing browser resets the socket; without a listener the error would end the run
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 502 External requests blocked\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // read by `browserArguments` in the workers, which start later
  process.env['BLOCKING_PROXY'] = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    if (requests.size > 0) throw new Error(`Pages requested external hosts:\n${[...requests].join('\n')}`);
  };
}
