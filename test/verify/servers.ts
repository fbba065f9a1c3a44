import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is wrong with a server made for a test; `undefined`: nothing. */
export interface ServerFault {
  /** Changes the events of a turn, given as lines of JSON. */
  readonly events?: (lines: string[]) => string[];
  /** Milliseconds of silence before the last event. */
  readonly silence?: number;
  /** Sends the whole stream at its end. */
  readonly holdsBack?: boolean;
  /** Answers in place of the server; true when it did. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
  readonly withoutCors?: boolean;
  readonly anybody?: boolean;
  readonly forgetsThreads?: boolean;
  readonly rudeErrors?: boolean;
}

/** A server of the interface on a free loopback port, good but for its fault. */
export async function startServer(
  fault: ServerFault = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => void serve(fault, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let counter = 0;
const uuid = (): string => `00000000-0000-4000-8000-${String((counter += 1)).padStart(12, '0')}`;
const known = new Set<string>();

async function serve(fault: ServerFault, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  if (!fault.withoutCors) {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, last-event-id');
    response.setHeader('access-control-expose-headers', 'retry-after');
  }
  if (fault.answer?.(request, response, text)) return;
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  const refuse = (status: number, msg: string): void => {
    const detail = fault.rudeErrors
      ? 'Oops'
      : JSON.stringify({ detail: [{ loc: ['body'], msg, type: 'value' }] });
    response.writeHead(fault.rudeErrors && status === 422 ? 500 : status).end(detail);
  };
  if (!fault.anybody && request.headers.authorization !== 'Bearer good') return refuse(401, 'token');
  let body: Record<string, unknown>;
  try {
    body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  } catch {
    return refuse(422, 'not JSON');
  }
  const path = request.url ?? '';
  if (path === '/api/v1/hub/runs/stream') {
    if (typeof body['message'] !== 'object') return refuse(422, 'message');
    if (body['agent_id'] !== 'a') return refuse(404, 'agent');
    const given = fault.forgetsThreads ? undefined : body['thread_id'];
    return stream(fault, response, typeof given === 'string' ? given : uuid());
  }
  const callback = /^\/api\/v1\/callback\/(.+)$/.exec(path)?.[1];
  if (callback) {
    if (!Array.isArray(body['content'])) return refuse(422, 'content');
    return known.has(callback) ? void response.writeHead(201).end() : refuse(404, 'thread');
  }
  if (path === '/api/v1/notifications/') {
    return typeof body['thread_id'] === 'string'
      ? void response.writeHead(201).end()
      : refuse(422, 'thread_id');
  }
  if (path.startsWith('/api/v1/notifications/') && request.method === 'DELETE')
    return void response.writeHead(204).end();
  refuse(404, 'path');
}

async function stream(fault: ServerFault, response: ServerResponse, threadId: string): Promise<void> {
  known.add(threadId);
  const ids = { run_id: uuid(), thread_id: threadId };
  const words = 'The tide is high at noon and low at six in the evening.'.split(/(?= )/);
  const kinds: [string, object][] = [
    ['run.started', ids],
    ...words.map((word): [string, object] => [
      'message.delta',
      { ...ids, delta: { content: [{ id: '1', text: word }] } },
    ]),
    ['message.created', { ...ids, message: { content: [{ id: '1', text: words.join('') }] } }],
    ['run.completed', ids],
    ['done', ids],
  ];
  const start = Date.now();
  const all = kinds.map(([event, data], index) =>
    JSON.stringify({ id: `${start + index * 40}-${index}`, event, data }),
  );
  const lines = fault.events?.(all) ?? all;
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  if (!fault.holdsBack) response.flushHeaders();
  for (const [index, line] of lines.entries()) {
    // the pace is what is under test: a stream that takes its time, or that falls silent
    await sleep(index === lines.length - 1 ? (fault.silence ?? 30) : 30);
    if (!fault.holdsBack) response.write(`${line}\n`);
  }
  response.end(fault.holdsBack ? `${lines.join('\n')}\n` : '');
}
