import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as an upstream saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the client has let go of it. */
  closed: boolean;
}

/** The answer to one request. */
export interface FakeReply {
  /** Sends bytes as they are, after a 200 of the wire's type. Waits while the client does not read. */
  raw(text: string): Promise<void>;
  /** Answers with an error. */
  fail(status: number, headers?: Record<string, string>): void;
  /** Ends the response. */
  close(): void;
  /** Breaks the connection. */
  cut(): void;
}

/** A server that answers as a test says. */
export interface FakeUpstream {
  readonly address: string;
  readonly requests: SeenRequest[];
  answer: (request: SeenRequest, reply: FakeReply) => void | Promise<void>;
  stop(): Promise<void>;
}

/** What no log may contain: stands in the bodies of errors. */
export const secretDetail = 'secret-detail';

/** Starts a server. @param type of its successful responses */
export async function startFakeUpstream(type: string): Promise<FakeUpstream> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const seen: SeenRequest = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(body) as SeenRequest['body'],
        closed: false,
      };
      response.once('close', () => (seen.closed = true));
      requests.push(seen);
      const open = (): void => {
        if (!response.headersSent) response.writeHead(200, { 'content-type': type });
      };
      await upstream.answer(seen, {
        raw: async (text) => {
          open();
          if (!response.write(text) && !response.destroyed)
            await new Promise<void>((resolve) => {
              const goOn = (): void => {
                response.off('drain', goOn).off('close', goOn);
                resolve();
              };
              response.once('drain', goOn).once('close', goOn);
            });
        },
        fail: (status, headers = {}) => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(JSON.stringify({ error: { message: secretDetail, type: 'x' } }));
        },
        close: () => {
          open();
          response.end();
        },
        cut: () => response.destroy(),
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  const upstream: FakeUpstream = {
    address: `http://127.0.0.1:${port}`,
    requests,
    answer: (_request, reply) => reply.close(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const text of request.setEncoding('utf8')) body += String(text);
  return body;
}

/** Answers the requests one after the other. Returns them as they come. */
export function answerWith(upstream: FakeUpstream, ...answers: readonly string[]): readonly SeenRequest[] {
  upstream.requests.length = 0;
  upstream.answer = async (_request, reply) => {
    await reply.raw(answers[upstream.requests.length - 1] ?? '');
    reply.close();
  };
  return upstream.requests;
}
