import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a Chromium asks on its own account, whatever it is told; a page would ask these for fonts at most. */
const browsersOwn = /^(?!fonts\.)([\w-]+\.)*(google|googleapis|gstatic|gvt1|chromium)\.(com|org)$/;

/**
 * Stands, for all end-to-end tests together, between their browsers and the world: whatever a page asks of a host that
 * is not this machine comes here, gets nothing, and fails the run. What a test answers itself (`page.route`) does not
 * come so far.
 */
export default async function foreignTrap(): Promise<() => Promise<void>> {
  const asked = new Set<string>();
  const note = (method: string | undefined, url: string): void => {
    if (!browsersOwn.test(new URL(url).hostname)) asked.add(`${method} ${url}`);
  };
  const trap = createServer((request, response) => {
    note(request.method, request.url ?? '');
    response.writeHead(502).end();
  });
  trap.on('connect', (request, socket) => {
    note(request.method, `https://${request.url}`);
    // a browser that is closed resets it; unheard, that would end the whole run
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 502 No way out\r\n\r\n');
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  // read by `browserArguments` in the workers, which start later
  process.env['FOREIGN_TRAP'] = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  return async () => {
    trap.closeAllConnections();
    await new Promise((resolve) => trap.close(resolve));
    if (asked.size > 0) throw new Error(`pages asked foreign hosts:\n${[...asked].join('\n')}`);
  };
}
