import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createSiblingServer } from './http-server.ts';

/**
 * Returns the addresses to listen on. For "localhost", these are all addresses it resolves to, because
 * browsers differ in which one they use.
 */
export async function resolveAddresses(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.length === 0 ? [host] : [...new Set(found.map(({ address }) => address))];
}

/**
 * Listens on the first address and, on the same port, on every other address that is available. Fastify can
 * do this itself, but its extra servers would not send our responses for requests that reach no route.
 * @returns the first address with its port, without a trailing slash
 */
export async function listenOnAll(
  app: FastifyInstance,
  [host = '127.0.0.1', ...others]: readonly string[],
  port: number,
): Promise<string> {
  const first = await app.listen({ host, port });
  const bound = app.server.address() as AddressInfo; // a host and a port were given
  for (const other of others) {
    const server = createSiblingServer(app);
    try {
      server.listen(bound.port, other);
      await once(server, 'listening');
    } catch (error) {
      app.log.info({ err: error }, `not listening at ${other}`);
      continue;
    }
    const name = other.includes(':') ? `[${other}]` : other;
    app.log.info(`Server listening at http://${name}:${bound.port}`);
  }
  return first;
}
