import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the upstream saw it. */
export interface UpstreamRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { messages: { role: string; content: string }[]; model: string } & Record<string, unknown>;
  /** Whether the connection is closed. */
  closed: boolean;
  /** Resolves when the connection closes, with `performance.now()`. */
  readonly closedAt: Promise<number>;
}

/** A chat-completions server for tests: `answer` responds to each request. */
export interface Upstream {
  readonly address: string;
  readonly requests: UpstreamRequest[];
  answer: (request: UpstreamRequest, send: UpstreamReply) => void | Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamReply {
  /** Sends one chunk of a stream. */
  part(delta: object, more?: object): void;
  /** Sends text unchanged. */
  raw(text: string): void;
  /** Ends the stream with `[DONE]`. */
  end(): void;
  /** Sends a response that is not a stream. */
  whole(type: string, body: string): void;
  /** Ends the stream without `[DONE]`. */
  close(): void;
  fail(status: number, headers?: Record<string, string>): void;
  /** Breaks the connection. */
  cut(): void;
}

export async function startUpstream(): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const noted = note(request, response, body);
      requests.push(noted);
      await upstream.answer(noted, replyTo(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  const upstream: Upstream = {
    address: `http://127.0.0.1:${port}/v1`,
    requests,
    answer: (_request, send) => send.end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}

function note(request: IncomingMessage, response: ServerResponse, body: string): UpstreamRequest {
  let closed = (_at: number): void => undefined;
  const noted: UpstreamRequest = {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(body) as UpstreamRequest['body'],
    closed: false,
    closedAt: new Promise((resolve) => {
      closed = resolve;
    }),
  };
  response.once('close', () => {
    noted.closed = true;
    closed(performance.now());
  });
  return noted;
}

function replyTo(response: ServerResponse): UpstreamReply {
  const open = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  };
  const raw = (text: string): void => {
    open();
    response.write(text);
  };
  return {
    raw,
    part: (delta, more = {}) =>
      raw(
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`,
      ),
    end: () => {
      open();
      response.end('data: [DONE]\n\n');
    },
    whole: (type, body) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    },
    close: () => {
      open();
      response.end();
    },
    fail: (status, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(
        JSON.stringify({ error: { message: 'upstream says no, secret-detail', type: 'x', code: null } }),
      );
    },
    cut: () => response.destroy(),
  };
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => resolve(body));
  });
}
