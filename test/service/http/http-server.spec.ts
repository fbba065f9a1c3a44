import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@playwright/test';
import { createHttpServer, createSiblingServer } from '../../../src/service/http/http-server.ts';
import { createJsonPrefix } from '../../../src/service/http/json-prefix.ts';
import { resolveAddresses, listenOnAll } from '../../../src/service/http/listen.ts';
import { atOnce, collect, say, startService, until, type RunningService } from '../running-service.ts';

let running: RunningService;
test.beforeAll(async () => {
  running = await startService();
});
test.afterAll(() => running.close());

const request = say('größer als 日本 🚢', {
  agent_id: 'echo',
  additional_parameters: { delay_ms: 5, chunk_length: 3 },
});

async function head(version: '1.0' | '1.1', more = ''): Promise<string> {
  const body = JSON.stringify(request);
  const token = await running.token();
  return `POST /api/v1/hub/runs/stream HTTP/${version}\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;
}

/** Sends bytes over one connection and gives what comes until it is closed. */
function exchange(bytes: string, address = running.address): Promise<string> {
  const { port, hostname } = new URL(address);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''), () => socket.write(bytes));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

/** Takes a chunked body apart by the bytes. @throws Error where it is not framed as it should be */
function unchunked(text: string): { body: string; rest: string } {
  let bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (;;) {
    const end = bytes.indexOf('\r\n');
    const length = Number.parseInt(bytes.subarray(0, end).toString('latin1'), 16);
    const chunk = bytes.subarray(end + 2, end + 2 + length);
    const after = end + 2 + length;
    if (Number.isNaN(length) || bytes.subarray(after, after + 2).toString() !== '\r\n')
      throw new Error(`no chunk: ${bytes.subarray(0, 80).toString()}`);
    bytes = bytes.subarray(after + 2);
    if (length === 0) return { body: Buffer.concat(parts).toString('utf8'), rest: bytes.toString('utf8') };
    parts.push(chunk);
  }
}

function answered(body: string): string {
  return body
    .split('\n\n')
    .filter((record) => record.includes('event: message.delta\n'))
    .map(
      (record) =>
        JSON.parse(record.slice(record.indexOf('data: ') + 6)) as { delta: { content: { text: string }[] } },
    )
    .map(({ delta }) => delta.content[0]?.text)
    .join('');
}

test('the chunks of a stream have their length in bytes', async () => {
  const answer = await exchange(await head('1.1', 'connection: close\r\n'));
  const [headers = ''] = answer.split('\r\n\r\n', 1);
  expect(headers).toMatch(/transfer-encoding: chunked/i);
  const { body, rest } = unchunked(answer.slice(headers.length + 4));
  expect(answered(body)).toBe('größer als 日本 🚢');
  expect(rest).toBe('');
});

test('a client without chunked encoding gets the plain stream, until the connection ends', async () => {
  const answer = await exchange(await head('1.0'));
  const [headers = ''] = answer.split('\r\n\r\n', 1);
  expect(headers).not.toMatch(/transfer-encoding/i);
  const body = answer.slice(headers.length + 4);
  expect(body).toMatch(/^id: \d+-\d+\nevent: run\.started\n/);
  expect(body).toMatch(/\nevent: done\ndata: .*\n\n$/);
  expect(answered(body)).toBe('größer als 日本 🚢');
});

test('two streams requested on one connection are sent one after the other', async () => {
  const answer = await exchange((await head('1.1')) + (await head('1.1', 'connection: close\r\n')));
  const [first = ''] = answer.split('\r\n\r\n', 1);
  const one = unchunked(answer.slice(first.length + 4));
  expect(answered(one.body)).toBe('größer als 日本 🚢');
  const [second = ''] = one.rest.split('\r\n\r\n', 1);
  expect(second).toMatch(/^HTTP\/1\.1 200/);
  const other = unchunked(one.rest.slice(second.length + 4));
  expect(answered(other.body)).toBe('größer als 日本 🚢');
  expect(other.rest).toBe('');
});

test('proxy headers are used only if a proxy is configured', async () => {
  const headers = { 'x-forwarded-host': 'chat.example', 'x-forwarded-proto': 'https' };
  const scriptOf = async (service: RunningService): Promise<string> => {
    const path = '/v1/hub/agents/echo/embedded-chat-config';
    return (await service.request('PUT', path, { body: { layout: {} }, headers })).text();
  };
  expect(await scriptOf(running)).not.toContain('chat.example');
  const behind = await startService({ trustProxy: 1 });
  try {
    expect(await scriptOf(behind)).toContain('https://chat.example/agent-chat.js');
  } finally {
    await behind.close();
  }
});

test('an HTTP/1.0 client without a host gets the script’s URL with the service’s address', async () => {
  const body = '{"layout":{}}';
  const path = '/v1/hub/agents/echo/embedded-chat-config';
  const answer = await exchange(
    `PUT ${path} HTTP/1.0\r\nauthorization: Bearer ${await running.token()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  expect(answer).toContain(`${running.address}/agent-chat.js`);
});

/** Status and `detail` of an answer read from the wire. */
function refusal(answer: string): { status: number; detail: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { detail } = JSON.parse(body) as { detail: unknown };
  return { status: Number(head.split(' ')[1]), detail };
}

/** Asks in ways that no route hears of. */
async function expectRefusals(address: string): Promise<void> {
  const close = 'connection: close\r\n';
  const asked = (bytes: string) => exchange(bytes, address);
  for (const path of ['/healthz', '/api/v1/hub/nowhere']) {
    expect(refusal(await asked(`GET ${path} HTTP/1.1\r\n${close}\r\n`))).toMatchObject({
      status: 400,
      detail: [{ loc: ['header', 'host'], msg: 'is required' }],
    });
  }
  expect(await asked('GET /healthz HTTP/1.0\r\n\r\n')).toContain(' 200 ');
  expect(
    refusal(await asked(`GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: banana\r\n${close}\r\n`)),
  ).toMatchObject({ status: 417, detail: [{ loc: ['header', 'expect'] }] });
  expect(
    refusal(await asked(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`)),
  ).toMatchObject({ status: 431, detail: [{ loc: ['header'], type: 'too_large' }] });
  expect(refusal(await asked('banana\r\n\r\n'))).toMatchObject({
    status: 400,
    detail: [{ msg: 'not a valid HTTP request' }],
  });
  expect(refusal(await asked(`GET /healthz HTTP/1.1\r\nhost: x\r\nHost: y\r\n${close}\r\n`))).toMatchObject({
    status: 400,
    detail: [{ loc: ['header', 'host'], msg: 'must be given once' }],
  });
}

test('requests rejected before a route also get a reason', async () => {
  await expectRefusals(running.address);
});

test('all addresses of "localhost" give the same responses and close with the service', async () => {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  test.skip(!all.some(({ address }) => address === '::1'), 'there is no ::1 here');
  const app = createHttpServer(running.settings, createJsonPrefix('svc_'));
  app.get('/healthz', () => ({ status: 'ok' }));
  try {
    const first = await listenOnAll(app, ['127.0.0.1', '::1'], 0);
    const second = first.replace('127.0.0.1', '[::1]');
    expect(await (await fetch(`${second}/healthz`)).json()).toEqual({ status: 'ok' });
    await expectRefusals(second);
    await app.close();
    await expect(fetch(`${second}/healthz`)).rejects.toThrow();
  } finally {
    await app.close();
  }
});

test('"localhost" resolves to all its addresses, any other host to itself', async () => {
  expect(await resolveAddresses('localhost')).toContain('127.0.0.1');
  expect(await resolveAddresses('192.0.2.1')).toEqual(['192.0.2.1']);
});

test('a client that sends a body that is too large before it reads still gets the reason', async () => {
  const { port, hostname } = new URL(running.address);
  const token = await running.token();
  const piece = Buffer.alloc(65_536, 'a');
  for (const [framing, framed] of [
    [`content-length: ${piece.length * 64}`, piece],
    ['transfer-encoding: chunked', Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])],
  ] as const) {
    const socket = connect(Number(port), hostname);
    socket.pause();
    const answer = new Promise<string>((resolve, reject) => {
      socket.once('data', (part) => resolve(String(part)));
      socket.once('error', reject);
    });
    const send = async (bytes: Buffer | string): Promise<void> => {
      await Promise.race([new Promise<void>((resolve) => socket.write(bytes, () => resolve())), answer]);
    };
    await send(
      `POST /api/v1/hub/runs/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`,
    );
    for (let count = 0; count < 64; count += 1) await send(framed);
    socket.resume();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*"type":"too_large"/);
    socket.destroy();
  }
});

test('a body that is not sent in time gets an error response', async () => {
  const late = await startService();
  try {
    const { server } = late.service.app;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([30_000, 30_000]);
    server.headersTimeout = server.requestTimeout = 100; // a test cannot wait for the half minute
    const body = `POST /api/v1/hub/runs/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await late.token()}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`;
    expect(refusal(await exchange(body, late.address))).toMatchObject({
      status: 408,
      detail: [{ loc: ['request'], msg: 'was not completed within 30 seconds', type: 'timeout' }],
    });
  } finally {
    await late.close();
  }
});

test('an invalid request during a stream closes the connection without a response', async () => {
  const { port, hostname } = new URL(running.address);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (part) => (answer += String(part)));
  socket.write(await head('1.1'));
  await once(socket, 'data');
  socket.write('banana\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toContain('HTTP/1.1 200 OK');
  expect(answer).not.toContain('HTTP/1.1 400');
  expect(answer).not.toContain('not a valid HTTP request');
});

test('a client that disconnects while sending a body is not logged as an error', async () => {
  const app = createHttpServer(running.settings, createJsonPrefix('svc_'));
  const statuses: number[] = [];
  app.addHook('onSend', (_request, reply, _payload, done) => {
    statuses.push(reply.statusCode);
    done();
  });
  app.post('/any', () => ({}));
  try {
    const { port, hostname } = new URL(await listenOnAll(app, ['127.0.0.1'], 0));
    for (const framing of ['content-length: 9\r\n\r\n{', 'transfer-encoding: chunked\r\n\r\n9\r\n{']) {
      const socket = connect(Number(port), hostname);
      const asked = once(app.server, 'request');
      socket.write(`POST /any HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}`);
      await asked;
      socket.destroy();
    }
    await until(() => statuses.length === 2);
    expect(statuses).toEqual([400, 400]);
  } finally {
    await app.close();
  }
});

test('a response that nobody reads is dropped with its connection', async () => {
  const app = createHttpServer(running.settings, createJsonPrefix('svc_'));
  app.get('/large', () => ['x'.repeat(20_000_000)]); // more than the buffers of both ends of a connection take
  const connections = (): Promise<number> =>
    new Promise((resolve) => app.server.getConnections((_fault, count) => resolve(count)));
  try {
    expect([app.server.timeout, createSiblingServer(app).timeout]).toEqual([60_000, 60_000]);
    app.server.timeout = 100; // a test cannot wait for the minute
    const address = new URL(await listenOnAll(app, ['127.0.0.1'], 0));
    const connected = once(app.server, 'connection');
    const socket = connect(Number(address.port), address.hostname);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    await connected;
    await until(async () => (await connections()) === 0);
    socket.destroy();
  } finally {
    await app.close();
  }
});

test('requests before a stop are answered, those after it get 503', async () => {
  const stopping = await startService();
  const { port, hostname } = new URL(stopping.address);
  const body = '{"layout":{"theme":"dark"}}';
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (part) => (answer += String(part)));
  const asked = once(stopping.service.app.server, 'request');
  socket.write(
    `PUT /v1/hub/agents/echo/embedded-chat-config HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await stopping.token()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await asked;
  const stopped = stopping.close();
  let late: Response | undefined;
  await until(async () => {
    late = await fetch(`${stopping.address}/healthz`);
    return late.status === 503;
  });
  expect(await late?.json()).toMatchObject({ detail: [{ loc: ['server'], type: 'unavailable' }] });
  expect(late?.headers.get('retry-after')).toBe('5');
  socket.write(body.slice(5));
  await Promise.all([stopped, once(socket, 'close')]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*"theme":"dark"/i);
});

test('a known path with another method is a 405 that names the right one; an unknown path stays a 404', async () => {
  const token = await running.token();
  const ask = async (method: string, path: string) => {
    const answer = await running.request(method, path, { token });
    return [answer.status, answer.headers.get('allow'), await answer.json()];
  };
  const wrong = {
    detail: [{ loc: ['method'], msg: 'must be POST for this path', type: 'method_not_allowed' }],
  };
  expect(await ask('GET', '/api/v1/hub/runs/stream')).toEqual([405, 'POST', wrong]);
  expect((await ask('PUT', '/api/v1/hub/threads/some-id')).slice(0, 2)).toEqual([405, 'DELETE, PATCH']);
  for (const path of ['/api/v1/hub/run/stream', '/api/v1/hub/runs/stream/'])
    expect((await ask('POST', path)).slice(0, 2)).toEqual([404, null]);
});

test('a path with something before /api/v1 is a 404 that names base-url and the proxy', async () => {
  const answer = await running.request('POST', '/api/api/v1/hub/runs/stream', {
    token: await running.token(),
  });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    {
      detail: [
        {
          loc: ['path'],
          msg: 'no such route: nothing stands before /api/v1; check base-url, or the proxy',
          type: 'not_found',
        },
      ],
    },
  ]);
});

test('a change of a thread that changes nothing is refused: its member is misspelled', async () => {
  const events = await collect(running.client().runStream(say('hello', { agent_id: 'echo', ...atOnce })));
  const path = `/api/v1/hub/threads/${String(events[0]?.data['thread_id'])}`;
  for (const body of [{ titel: 'Regatta' }, {}]) {
    const answer = await running.request('PATCH', path, { body });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ msg: 'must have title or archived' }] });
  }
  expect((await running.request('PATCH', path, { body: { title: 'Regatta' } })).status).toBe(200);
});
