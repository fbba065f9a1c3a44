import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createSiblingServer } from './http-server.ts';
import { SettingsError } from '../settings.ts';

/**
 * How many connections may wait to be accepted; the system's own limit may be lower (Linux: 4096). With Node's 511, the
 * system resets some of thousands of pages that come back at once. They leave no line in the log.
 */
const backlog = 4096;

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
  const first = await app.listen({ host, port, backlog });
  const bound = app.server.address() as AddressInfo; // a host and a port were given
  for (const other of others) {
    const server = createSiblingServer(app);
    try {
      server.listen(bound.port, other, backlog);
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

/** Explains an address that cannot be listened on. Returns other errors unchanged. */
export function listenError(
  settings: { readonly host: string; readonly port: number },
  error: unknown,
): unknown {
  const { host, port } = settings;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingsError([
        `PORT ${port} is in use on ${host}; stop the other process, or set PORT to another port (0 picks a free one)`,
      ]);
    case 'EACCES':
      return new SettingsError([
        `PORT ${port} is not permitted for this user; set PORT to a number above 1023`,
      ]);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new SettingsError([
        `HOST ${host} is not an address of this machine (${code}); set it to 0.0.0.0 for all addresses, or to 127.0.0.1`,
      ]);
    default:
      return error;
  }
}
