import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { framings, WireEvent } from './wire-events.ts';

export { framings, plainTurn, type WireEvent } from './wire-events.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

/** Handles a request. Returns whether it sent a response. */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => boolean | Promise<boolean>;

/** A page: its HTML, and optional headers. */
export interface Page {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A server on a free loopback port. Serves pages of the test, the built script, and responses of the test's handler.
 */
export class PageServer {
  readonly pages = new Map<string, Page>();
  /** Method and path of every request, in order. */
  readonly requests: string[] = [];
  answer: Answer = () => false;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<PageServer> {
    const server = new PageServer();
    await server.listen();
    return server;
  }

  async listen(): Promise<void> {
    this.requests.length = 0;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The same server under another origin. */
  get otherOrigin(): string {
    return `http://localhost:${this.#port}`;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on a port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request) body += String(part);
    const path = new URL(request.url ?? '/', this.origin).pathname;
    this.requests.push(`${request.method ?? ''} ${path}`);
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, last-event-id');
    response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (await this.answer(request, response, body)) return;
    const page = this.pages.get(path);
    if (page) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
      return void response.end(page.html);
    }
    const file = join(dist, path);
    if (request.method === 'GET' && file.startsWith(dist) && existsSync(file) && statSync(file).isFile()) {
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      return void createReadStream(file).pipe(response);
    }
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"not found"}');
  }
}

/** Hooks of Playwright's `test`, or of a `test.describe`. */
export interface Hooks {
  beforeAll(hook: () => Promise<void>): void;
  afterAll(hook: () => Promise<void>): void;
}

/** Creates the server of a file's tests. It listens while they run: read `origin` in hooks and tests only. */
export function pageServer(test: Hooks): PageServer {
  const server = new PageServer();
  test.beforeAll(() => server.listen());
  test.afterAll(() => server.close());
  return server;
}

/** Sends events in a framing, `pause` milliseconds apart. Stops when the reader disconnects. */
export async function sendEvents(
  response: ServerResponse,
  framing: (typeof framings)[keyof typeof framings],
  events: readonly WireEvent[],
  pause = 5,
): Promise<void> {
  response.writeHead(200, { 'content-type': framing.type, 'cache-control': 'no-store' });
  response.write(framing.open);
  for (const [index, event] of events.entries()) {
    if (response.destroyed) return;
    response.write(framing.write(event, index));
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  response.end(framing.close);
}
