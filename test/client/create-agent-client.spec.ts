import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { expect, test } from '@playwright/test';
import {
  type AgentClientOptions,
  AgentChatError,
  createAgentClient,
  HttpError,
  NetworkError,
  ResponseShapeError,
  StreamFormatError,
  StreamInterruptedError,
  TimeoutError,
  type WireDiagnostic,
} from '../../src/client/index.ts';
import type { RunEvent, RunRequest } from '../../src/protocol/index.ts';
import { type Answer, answerJson, type FakeService, startFakeService } from './fake-service.ts';

const request: RunRequest = {
  message: { role: 'user', content: [{ response_type: 'text', text: 'Hello' }] },
};
const events: readonly RunEvent[] = [
  { id: '1-0', event: 'run.started', data: { run_id: 'R', thread_id: 'T' } },
  { id: '2-0', event: 'message.delta', data: { delta: { content: [{ id: '1', text: 'Grüße' }] } } },
  { id: '3-0', event: 'message.created', data: { message: { id: 'M', role: 'assistant', content: [] } } },
  { id: '4-0', event: 'run.completed', data: { context: {} } },
  { id: '4-1', event: 'done', data: {} },
];

let service: FakeService | undefined;
test.afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function start(answer: Answer): Promise<FakeService> {
  service = await startFakeService(answer);
  return service;
}

async function collect(stream: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const collected: RunEvent[] = [];
  for await (const event of stream) collected.push(event);
  return collected;
}

/** What the promise is rejected with; fails the test when it is not. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const settled = await promise.then(
    () => ({ failed: false, error: undefined }),
    (error: unknown) => ({ failed: true, error }),
  );
  expect(settled.failed, 'it should have failed').toBe(true);
  return settled.error;
}

const unsigned = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

test('a custom fetch that returns no body fails with a message that names the remedy', async () => {
  for (const response of [new Response(null), { ok: true, status: 200, headers: new Headers() }]) {
    const fetch = (): Promise<Response> => Promise.resolve(response as Response); // as a page without types does
    const client = createAgentClient({ baseUrl: 'http://127.0.0.1:1', fetch });
    const error = await rejection(collect(client.runStream(request)));
    expect(error).toBeInstanceOf(StreamFormatError);
    expect(error).toMatchObject({ reason: 'no-body', message: expect.stringContaining('custom fetch') });
  }
});

test('four services with different framings give the same events', async () => {
  const bodies = [
    {
      type: 'text/event-stream',
      text: events
        .map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        .join(''),
    },
    { type: 'text/event-stream', text: events.map((event) => `${JSON.stringify(event)}\n`).join('') },
    { type: 'application/octet-stream', text: events.map((event) => JSON.stringify(event)).join('') },
    { type: 'application/json', text: JSON.stringify(events) },
  ];
  for (const { type, text } of bodies) {
    const { baseUrl } = await start((response) => {
      response.writeHead(200, { 'Content-Type': type });
      const bytes = Buffer.from(text);
      for (let place = 0; place < bytes.length; place += 7) response.write(bytes.subarray(place, place + 7));
      response.end();
    });
    expect(await collect(createAgentClient({ baseUrl }).runStream(request)), type).toEqual(events);
    await service?.close();
  }
});

test('a run posts the request once, when it is iterated', async () => {
  const { baseUrl, requests } = await start((response) => response.end(JSON.stringify(events)));
  const client = createAgentClient({
    baseUrl: `${baseUrl}/`,
    tokenProvider: () => 'opaque',
    productPath: 'desk',
  });
  expect(client.baseUrl).toBe(baseUrl);
  const stream = client.runStream(request);
  expect(requests).toHaveLength(0);
  await collect(stream);
  await expect(collect(stream)).rejects.toThrow(TypeError);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/desk/runs/stream' });
  expect(requests[0]?.headers).toMatchObject({
    authorization: 'Bearer opaque',
    'content-type': 'application/json',
  });
  expect(requests[0]?.headers.accept).toMatch(/^text\/event-stream, application\/x-ndjson/);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual(request);
});

test('the JSON endpoints use the exact method and path, and accept any success status', async () => {
  const { baseUrl, requests } = await start((response, received, index) => {
    if (received.method === 'PUT')
      answerJson(response, 201, { layout: { theme: 'dark' }, is_live: true, script: '<script>', extra: 1 });
    else if (index === 1) answerJson(response, 201, { id: 'M', content: [], kept: true });
    else if (index === 3) response.writeHead(202).end('accepted');
    else response.writeHead(204).end();
  });
  const client = createAgentClient({ baseUrl });
  const config = await client.putEmbeddedChatConfig('a/b', { layout: {} });
  expect(config).toMatchObject({ script: '<script>', extra: 1 });
  expect(await client.postCallback('T', request.message)).toMatchObject({ id: 'M', kept: true });
  expect(await client.postCallback('T', request.message)).toBeUndefined();
  expect(await client.createNotification({ thread_id: 'T' })).toBeUndefined();
  await client.deleteNotifications('T');
  await client.extensions.cancelRun('R');
  await client.extensions.deleteThread('T');
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PUT /v1/hub/agents/a%2Fb/embedded-chat-config',
    'POST /api/v1/callback/T',
    'POST /api/v1/callback/T',
    'POST /api/v1/notifications/',
    'DELETE /api/v1/notifications/T',
    'POST /api/v1/hub/runs/R/cancel',
    'DELETE /api/v1/hub/threads/T',
  ]);
  expect(requests.at(-1)?.headers['content-type']).toBeUndefined();
});

test('responses are validated, and an error names the invalid field', async () => {
  const answers: unknown[] = [
    { messages: 7 },
    { notifications: [{ thread_id: 'T' }] },
    { layout: 1, script: 2 },
  ];
  const { baseUrl } = await start((response, _received, index) => answerJson(response, 200, answers[index]));
  const { extensions, putEmbeddedChatConfig } = createAgentClient({ baseUrl });
  expect(await rejection(extensions.listMessages('T'))).toMatchObject({
    issues: [{ path: ['messages'] }],
  });
  expect(await extensions.listNotifications('T')).toEqual([{ thread_id: 'T' }]);
  const error = await rejection(putEmbeddedChatConfig('A', { layout: {} }));
  expect(error).toBeInstanceOf(ResponseShapeError);
  expect(error).toMatchObject({
    name: 'ResponseShapeError',
    issues: [{ path: ['layout'] }, { path: ['script'] }],
  });
});

test('an invalid history entry is skipped with a diagnostic', async () => {
  const content = [{ response_type: 'text', text: 'hello' }];
  const messages = [{ id: 'M', content }, null, 7, { id: 8, content }, { content }, { id: 'N' }, { id: 'M' }];
  const { baseUrl } = await start((response) => answerJson(response, 200, { messages }));
  const told: string[] = [];
  const onDiagnostic = ({ code, message }: { code: string; message: string }): void => {
    told.push(`${code}: ${message}`);
  };
  const { extensions } = createAgentClient({ baseUrl, onDiagnostic });
  expect(await extensions.listMessages('T')).toEqual([
    { id: 'M', content },
    { id: '8', content },
    { content },
    { id: 'N' },
    { id: 'M' },
  ]);
  expect(told).toEqual([
    'odd-stored-message: Entry 1 of the history is null, so it is skipped.',
    'odd-stored-message: Entry 2 of the history is a number, so it is skipped.',
    'odd-stored-message: Entry 3 of the history has a number as its id, which was converted to text.',
    'odd-stored-message: Entry 4 of the history has no id.',
    'odd-stored-message: Entry 5 of the history has no content.',
    'odd-stored-message: Entry 6 of the history has the id of an earlier entry, so it is skipped.',
  ]);
});

test('a rejected token is renewed once for all waiting requests, and each is repeated once', async () => {
  const reasons: string[] = [];
  const { baseUrl, requests } = await start((response, received) => {
    if (received.headers.authorization === 'Bearer new') response.end(JSON.stringify(events));
    else answerJson(response, 401, { detail: 'expired' });
  });
  const client = createAgentClient({
    baseUrl,
    tokenProvider: async (reason) => {
      reasons.push(reason);
      await Promise.resolve();
      return reason === 'rejected' ? 'new' : 'old';
    },
  });
  const streams = await Promise.all([1, 2, 3].map(() => collect(client.runStream(request))));
  expect(streams).toEqual([events, events, events]);
  expect(reasons).toEqual(['initial', 'rejected']);
  expect(requests).toHaveLength(6);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
});

test('a token rejected twice is a 401 for the caller, without the token in it', async () => {
  const { baseUrl, requests } = await start((response, received) =>
    answerJson(response, 401, { detail: `bad token ${received.headers.authorization ?? ''}` }),
  );
  const client = createAgentClient({ baseUrl, tokenProvider: () => 'open-sesame' });
  const error = await rejection(collect(client.runStream(request)));
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ status: 401, reason: 'bad token Bearer [token]' });
  expect(JSON.stringify(error) + String(error)).not.toContain('sesame');
  expect(requests).toHaveLength(2);
});

for (const placeholder of ['t', 'dev'])
  test(`the placeholder token "${placeholder}" does not garble what the service says`, async () => {
    const { baseUrl } = await start((response) => answerJson(response, 500, { detail: 'device on fire' }));
    const client = createAgentClient({ baseUrl, tokenProvider: () => placeholder });
    const error = await rejection(collect(client.runStream(request)));
    expect(error).toMatchObject({ reason: 'device on fire', body: '{"detail":"device on fire"}' });
  });

test('a token is renewed a minute before it expires, and kept while the renewal fails', async () => {
  const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
  const { baseUrl, requests } = await start((response) => response.writeHead(204).end());
  const diagnostics: string[] = [];
  const given: (() => string)[] = [
    () => unsigned({ exp: inSeconds(3600), iat: 0 }),
    () => {
      throw new Error('offline');
    },
    () => unsigned({ exp: inSeconds(7200) }),
  ];
  const reasons: string[] = [];
  const now = Date.now;
  const client = createAgentClient({
    baseUrl,
    onDiagnostic: ({ code }) => diagnostics.push(code),
    tokenProvider: (reason) => {
      reasons.push(reason);
      return given[reasons.length - 1]?.() ?? '';
    },
  });
  try {
    await client.deleteNotifications('T');
    await client.deleteNotifications('T');
    expect(reasons).toEqual(['initial']);
    Date.now = () => now() + 3_550_000;
    await client.deleteNotifications('T');
    expect(diagnostics).toEqual(['token-refresh-failed']);
    await client.deleteNotifications('T');
  } finally {
    Date.now = now;
  }
  expect(reasons).toEqual(['initial', 'expiring', 'expiring']);
  const sent = requests.map(({ headers }) => headers.authorization);
  expect(sent[2]).toBe(sent[0]);
  expect(sent[3]).not.toBe(sent[0]);
});

test('a failing token provider causes a 401 with its cause', async () => {
  const cause = new Error('signed out');
  const failing = createAgentClient({
    baseUrl: 'http://127.0.0.1:9',
    tokenProvider: () => Promise.reject(cause),
  });
  expect(await rejection(failing.deleteNotifications('T'))).toMatchObject({
    name: 'HttpError',
    status: 401,
    reason: 'no token was given',
    cause,
  });
});

test('an invalid token causes a 401 that says what is allowed, without the value', async () => {
  for (const given of ['', undefined, null, 7, {}, { token: '' }, 'two\nlines']) {
    const tokenProvider = (): string => given as string; // as a page without types does
    const client = createAgentClient({ baseUrl: 'http://127.0.0.1:9', tokenProvider });
    const error = await rejection(client.deleteNotifications('T'));
    expect(error, String(given)).toMatchObject({
      name: 'HttpError',
      status: 401,
      reason: expect.stringContaining('tokenProvider must return'),
    });
    expect(String(error)).not.toContain('two');
  }
});

test('a provider may return an object with the token', async () => {
  const { baseUrl, requests } = await start((response) => response.writeHead(204).end());
  const client = createAgentClient({ baseUrl, tokenProvider: async () => ({ token: 'sesame' }) });
  await client.deleteNotifications('T');
  expect(requests[0]?.headers.authorization).toBe('Bearer sesame');
});

test('an error contains the URL and the request id', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const named: readonly (readonly [Record<string, string>, string | undefined])[] = [
    [{ 'X-Request-ID': 'abc-1', traceparent: `00-${trace}-00f067aa0ba902b7-01` }, 'abc-1'],
    [{ 'X-Correlation-ID': ' abc-2 ' }, 'abc-2'],
    [{ 'Request-Id': 'abc-3' }, 'abc-3'],
    [{ 'X-Amzn-RequestId': 'abc-4' }, 'abc-4'],
    [{ traceparent: `00-${trace}-00f067aa0ba902b7-01` }, trace],
    [{ 'X-Request-ID': 'x'.repeat(400) }, 'x'.repeat(200)],
    [{}, undefined],
  ];
  const { baseUrl } = await start((response, _request, index) =>
    answerJson(response, 503, { detail: 'busy' }, named[index]?.[0]),
  );
  const client = createAgentClient({ baseUrl });
  for (const [, requestId] of named) {
    const error = await rejection(collect(client.runStream(request)));
    expect(error).toMatchObject({ status: 503, url: `${baseUrl}/api/v1/hub/runs/stream` });
    expect(error).toHaveProperty('requestId', requestId);
  }
});

test('an opened stream reports the run id of its headers', async () => {
  const { baseUrl } = await start((response, _request, index) => {
    if (index === 0) response.setHeader('X-Run-ID', 'run-7');
    response.end(JSON.stringify(events));
  });
  const client = createAgentClient({ baseUrl });
  const opened: unknown[] = [];
  for (let count = 0; count < 2; count += 1) {
    await collect(client.runStream(request, { onOpen: (headers) => opened.push(headers) }));
  }
  expect(opened).toEqual([{ runId: 'run-7' }, { runId: undefined }]);
});

test('toJSON methods of old libraries do not change a request', async () => {
  const answer = JSON.stringify(events);
  const { baseUrl, requests } = await start((response) => response.end(answer));
  const date = new Date(0);
  const odd = { ...request, context: { list: ['a', { b: [1] }], none: null, date } };
  const toJSON = { configurable: true, value: () => '"by Prototype.js"' };
  const natives = [Array.prototype, String.prototype, Number.prototype];
  for (const native of natives) Object.defineProperty(native, 'toJSON', toJSON);
  try {
    await collect(createAgentClient({ baseUrl }).runStream(odd));
  } finally {
    for (const native of natives) Reflect.deleteProperty(native, 'toJSON');
  }
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    ...request,
    context: { list: ['a', { b: [1] }], none: null, date: '1970-01-01T00:00:00.000Z' },
  });
});

test('a provider that fails offline causes a NetworkError, not a sign-out', async () => {
  const cause = new TypeError('Failed to fetch');
  const client = createAgentClient({
    baseUrl: 'http://127.0.0.1:9',
    tokenProvider: () => Promise.reject(cause),
  });
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true });
  try {
    expect(await rejection(client.deleteNotifications('T'))).toMatchObject({ name: 'NetworkError', cause });
  } finally {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else Reflect.deleteProperty(globalThis, 'navigator');
  }
});

test('a provider times out after the connect timeout, and the next request calls it again', async () => {
  const { baseUrl, requests } = await start((response) => response.writeHead(204).end());
  let asked = 0;
  const client = createAgentClient({
    baseUrl,
    connectTimeout: 1_000,
    tokenProvider: () => ((asked += 1) === 1 ? new Promise<string>(() => undefined) : 'second'),
  });
  expect(await rejection(client.deleteNotifications('T'))).toMatchObject({
    name: 'TimeoutError',
    phase: 'token',
    milliseconds: 1_000,
  });
  await client.deleteNotifications('T');
  expect(asked).toBe(2);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer second']);
});

test('an abort ends the wait for a token only for the aborted request', async () => {
  const { baseUrl, requests } = await start((response) => response.writeHead(204).end());
  let give = (_token: string): void => undefined;
  const token = new Promise<string>((resolve) => (give = resolve));
  const client = createAgentClient({ baseUrl, tokenProvider: () => token });
  const reason = new Error('enough');
  const stopped = client.deleteNotifications('T', { signal: AbortSignal.abort(reason) });
  const aborted = new AbortController();
  const later = client.deleteNotifications('T', { signal: aborted.signal });
  const patient = client.deleteNotifications('T');
  expect(await rejection(stopped)).toBe(reason);
  aborted.abort(reason);
  expect(await rejection(later)).toBe(reason);
  give('token');
  await patient;
  expect(requests).toHaveLength(1);
});

test('every error status is an HttpError with reason and delay of the response', async () => {
  const cases = [
    {
      status: 422,
      body: { detail: [{ loc: ['body', 'message', 0], msg: 'is wrong', type: 'x' }] },
      expected: {
        reason: 'body.message.0: is wrong',
        problem: [{ loc: ['body', 'message', 0], msg: 'is wrong', type: 'x' }],
      },
    },
    { status: 400, body: { detail: 'no thread' }, expected: { reason: 'no thread', problem: undefined } },
    { status: 403, body: { error: 'scope' }, expected: { reason: 'scope' } },
    { status: 404, body: { error: { message: 'gone' } }, expected: { reason: 'gone' } },
    { status: 413, body: 'too large', expected: { reason: '' } },
    {
      status: 429,
      body: { detail: [] },
      headers: { 'Retry-After': '7' },
      expected: { retryAfter: 7, problem: [] },
    },
    {
      status: 503,
      body: {},
      headers: { 'Retry-After': new Date(Date.now() + 30_000).toUTCString() },
      expected: { reason: '' },
    },
    {
      status: 502, // from a clock that is behind
      body: {},
      headers: { Date: 'Tue, 05 May 2026 06:00:00 GMT', 'Retry-After': 'Tue, 05 May 2026 06:00:30 GMT' },
      expected: { retryAfter: 30 },
    },
  ];
  const { baseUrl } = await start((response, _received, index) => {
    const one = cases[index];
    answerJson(response, one?.status ?? 500, one?.body, one?.headers);
  });
  for (const { status, expected } of cases) {
    const error = await rejection(collect(createAgentClient({ baseUrl }).runStream(request)));
    expect(error).toBeInstanceOf(AgentChatError);
    expect(error).toMatchObject({ name: 'HttpError', status, ...expected });
    expect(String(error)).toContain(String(status));
    if (status === 503) expect((error as HttpError).retryAfter).toBeGreaterThan(20); // matched above
  }
});

test('a request that the browser ends while the page is being left counts as aborted', async () => {
  const left = new AbortController();
  // the rejection is handled between two listeners of `pagehide`; the second one aborts, in the same task
  const leave = async (): Promise<void> => {
    for (let microtask = 0; microtask < 100; microtask += 1) await undefined;
    left.abort(new Error('left'));
  };
  const fetch = (): Promise<Response> => {
    void leave();
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const client = createAgentClient({ baseUrl: 'http://service.test', fetch });
  const error = await rejection(collect(client.runStream(request, { signal: left.signal })));
  expect(error).toBe(left.signal.reason);
});

test('no response is a NetworkError, missing headers are a TimeoutError', async () => {
  const { baseUrl } = await start(() => undefined);
  const slow = createAgentClient({ baseUrl, connectTimeout: 20 });
  expect(await rejection(slow.deleteNotifications('T'))).toMatchObject({
    name: 'TimeoutError',
    phase: 'connect',
    milliseconds: 20,
    message: expect.stringContaining('no proxy buffers'),
  });
  expect(await rejection(collect(slow.runStream(request)))).toBeInstanceOf(TimeoutError);
  await service?.close();
  const error = await rejection(createAgentClient({ baseUrl }).deleteNotifications('T'));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    cause: expect.any(Error) as unknown,
    url: `${baseUrl}/api/v1/notifications/T`,
  });
});

test('the connect timeout does not limit a stream', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let signal: AbortSignal | null | undefined;
    const fetch = (_address: unknown, init?: RequestInit): Promise<Response> => {
      signal = init?.signal;
      const start = (stream: ReadableStreamDefaultController<Uint8Array>): void =>
        stream.enqueue(new TextEncoder().encode(`${JSON.stringify(events[0])}\n`));
      return Promise.resolve(new Response(new ReadableStream({ start })));
    };
    const client = createAgentClient({ baseUrl: 'http://service.test', connectTimeout: 20, fetch });
    const stream = client.runStream(request)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ event: 'run.started' });
    mock.timers.tick(1_000);
    expect(signal?.aborted).toBe(false);
    await stream.return?.();
    expect(signal?.aborted).toBe(true);
  } finally {
    mock.timers.reset();
  }
});

/** A fetch that answers with these one after the other, and keeps the signals it was given. */
function answering(...answers: readonly (() => Response)[]) {
  const signals: AbortSignal[] = [];
  const fetch = (_address: unknown, init?: RequestInit): Promise<Response> => {
    if (init?.signal) signals.push(init.signal);
    const answer = answers[signals.length - 1];
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('fetch failed'));
  };
  return { fetch, signals };
}

test('a finished call leaves no timer and no listener on its signal', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const cleared = mock.method(globalThis, 'clearTimeout');
  const set = mock.method(globalThis, 'setTimeout');
  try {
    const { signal } = new AbortController();
    const ways = [
      { answers: [() => new Response('[]')], calls: 1 },
      { answers: [() => new Response('gone', { status: 404 })], calls: 1 },
      { answers: [() => new Response('', { status: 401 }), () => new Response('[]')], calls: 2 },
      { answers: [], calls: 1 },
    ];
    for (const { answers, calls } of ways) {
      const { fetch, signals } = answering(...answers);
      const tokenProvider = (): string => unsigned({ jti: signals.length });
      const client = createAgentClient({ baseUrl: 'http://service.test', tokenProvider, fetch });
      await client.extensions.listMessages('T', { signal }).catch(() => undefined);
      expect(signals.map(({ aborted }) => aborted)).toEqual(Array<boolean>(calls).fill(true));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
    const timers = set.mock.calls.map(({ result }) => result);
    expect(timers.length).toBeGreaterThan(4);
    const gone = new Set<unknown>(cleared.mock.calls.map((call) => call.arguments[0]));
    expect(timers.filter((timer) => !gone.has(timer))).toEqual([]);
  } finally {
    mock.reset();
    mock.timers.reset();
  }
});

/** A fetch whose stream is written by hand; what begins it is there before anybody reads. */
function writtenByHand(beginning: string) {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => body?.enqueue(new TextEncoder().encode(text));
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    body = controller;
    if (beginning) write(beginning);
  };
  const fetch = (): Promise<Response> => Promise.resolve(new Response(new ReadableStream({ start })));
  return { fetch, write, end: (): void => body?.close() };
}

test('a silent stream is a TimeoutError after its events', async () => {
  const { fetch } = writtenByHand(`${JSON.stringify(events[0])}\n`);
  const client = createAgentClient({ baseUrl: 'http://service.test', idleTimeout: 50, fetch });
  const seen: string[] = [];
  const error = await rejection(
    (async () => {
      for await (const event of client.runStream(request)) seen.push(event.event);
    })(),
  );
  expect(seen).toEqual(['run.started']);
  expect(error).toMatchObject({ name: 'TimeoutError', phase: 'idle', milliseconds: 50 });
});

test('heartbeats keep a stream alive and count as activity', async () => {
  let now = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
  try {
    const { fetch, write, end } = writtenByHand('');
    const told: string[] = [];
    let heard = (): void => undefined;
    const next = (): Promise<void> => new Promise((resolve) => (heard = resolve));
    const tell = (word: string): void => {
      told.push(word);
      heard();
    };
    const client = createAgentClient({ baseUrl: 'http://service.test', idleTimeout: 200, fetch });
    let isHeard = next();
    const all = collect(
      client.runStream(request, { onOpen: () => tell('open'), onActivity: () => tell('bytes') }),
    );
    for (let beat = 0; beat < 12; beat += 1) {
      await isHeard;
      await new Promise(setImmediate); // it reads again
      now += 150;
      mock.timers.tick(150);
      isHeard = next();
      write(': still here\n\n');
    }
    write(JSON.stringify(events));
    end();
    expect(await all).toEqual(events);
    expect(told.slice(0, 13)).toEqual(['open', ...Array<string>(12).fill('bytes')]);
    expect(told.filter((word) => word === 'open').length).toBe(1);
  } finally {
    mock.reset();
    mock.timers.reset();
  }
});

test('onRefused is called before the body is read, and an abort skips reading it', async () => {
  let isWhole = true;
  const { baseUrl } = await start((response) => {
    response.writeHead(404).write('{"detail":"no such thread"}');
    if (isWhole) response.end();
  });
  const told: number[] = [];
  const stay = createAgentClient({ baseUrl }).extensions.threadEvents('t', {
    onRefused: (status) => told.push(status),
  });
  expect(await rejection(collect(stay))).toMatchObject({ name: 'HttpError', status: 404 });
  isWhole = false;
  const controller = new AbortController();
  const leave = createAgentClient({ baseUrl }).extensions.threadEvents('t', {
    signal: controller.signal,
    onRefused: (status) => {
      told.push(status);
      controller.abort();
    },
  });
  expect(await rejection(collect(leave))).toMatchObject({ name: 'AbortError' });
  expect(told).toEqual([404, 404]);
});

test('a broken connection yields the complete events, then a StreamInterruptedError with the last id', async () => {
  const { baseUrl } = await start((response) => {
    response.write(
      `${JSON.stringify(events[0])}\ndata: ${JSON.stringify({ event: 'message.delta', data: { delta: 'a' } })}\n`,
      () => response.destroy(),
    );
  });
  const seen: string[] = [];
  const error = await rejection(
    (async () => {
      for await (const event of createAgentClient({ baseUrl }).runStream(request)) seen.push(event.event);
    })(),
  );
  expect(seen).toEqual(['run.started', 'message.delta']);
  expect(error).toBeInstanceOf(StreamInterruptedError);
  expect(error).toMatchObject({ lastEventId: '1-0' });
});

test('an abort is the platform’s own error, before, during and after the headers', async () => {
  let open = 0;
  const { baseUrl, requests } = await start((response, received) => {
    open += 1;
    response.on('close', () => (open -= 1));
    if (received.method === 'POST') response.write(`${JSON.stringify(events[0])}\n`);
  });
  const client = createAgentClient({ baseUrl });
  const early = rejection(client.deleteNotifications('T', { signal: AbortSignal.abort() }));
  expect(await early).toMatchObject({ name: 'AbortError' });
  expect(requests).toHaveLength(0);

  const waiting = new AbortController();
  const deletion = rejection(client.deleteNotifications('T', { signal: waiting.signal }));
  await expect.poll(() => requests.length).toBe(1);
  waiting.abort();
  expect(await deletion).toMatchObject({ name: 'AbortError' });

  const streaming = new AbortController();
  const seen: string[] = [];
  const error = await rejection(
    (async () => {
      for await (const event of client.runStream(request, { signal: streaming.signal })) {
        seen.push(event.event);
        streaming.abort();
      }
    })(),
  );
  expect(seen).toEqual(['run.started']);
  expect(error).toBeInstanceOf(DOMException);
  expect(error).toMatchObject({ name: 'AbortError' });
  await expect.poll(() => open).toBe(0);
});

test('leaving the loop early closes the connection', async () => {
  let closed = false;
  const { baseUrl } = await start((response) => {
    response.on('close', () => (closed = true));
    response.write(`${JSON.stringify(events[0])}\n`);
  });
  for await (const event of createAgentClient({ baseUrl }).runStream(request)) {
    expect(event.event).toBe('run.started');
    break;
  }
  await expect.poll(() => closed).toBe(true);
});

test('a page with status 200 is a StreamFormatError, an error body with status 200 an error event', async () => {
  const { baseUrl } = await start((response, _received, index) => {
    const headers = { 'Content-Type': 'text/html', 'X-Request-ID': 'req-7' };
    if (index === 0) response.writeHead(200, headers).end('<!doctype html><title>Sign in</title>');
    else answerJson(response, 200, { detail: 'no agent' });
  });
  const client = createAgentClient({ baseUrl });
  const error = await rejection(collect(client.runStream(request)));
  expect(error).toBeInstanceOf(StreamFormatError);
  expect(error).toMatchObject({ framing: 'html', reason: 'html' });
  const url = `${baseUrl}/api/v1/hub/runs/stream`;
  expect(error).toMatchObject({ status: 200, url, requestId: 'req-7' });
  expect(String(error)).toContain('The response is an HTML page');
  expect(await collect(client.runStream(request))).toEqual([
    { id: '', event: 'error', data: { detail: 'no agent' } },
  ]);
});

test('following a run sends the last event id and drops repeated events', async () => {
  const { baseUrl, requests } = await start((response, received) => {
    const from = received.method === 'POST' ? events.slice(0, 3) : events.slice(1);
    response.end(from.map((event) => JSON.stringify(event)).join('\n'));
  });
  const client = createAgentClient({ baseUrl });
  expect(await collect(client.runStream(request))).toEqual(events.slice(0, 3));
  expect(await collect(client.extensions.runEvents('R', { lastEventId: '3-0' }))).toEqual(events.slice(3));
  expect(requests[1]).toMatchObject({ method: 'GET', url: '/api/v1/hub/runs/R/events' });
  expect(requests[1]?.headers['last-event-id']).toBe('3-0');
  expect(await collect(client.extensions.threadEvents('T'))).toEqual(events.slice(1));
});

test('the identifier prefix is renamed in both directions, and nothing else is', async () => {
  const outside = {
    own_message: { a: 1 },
    own_connection_status: { connection_status: 'ok' },
    tool_name: 'own_message',
  };
  const inside = {
    svc_message: { a: 1 },
    svc_connection_status: { connection_status: 'ok' },
    tool_name: 'own_message',
  };
  const { baseUrl, requests } = await start((response, received) => {
    if (received.url.includes('callback'))
      answerJson(response, 201, { id: 'M', additional_properties: outside });
    else
      response.end(
        JSON.stringify({
          id: '1',
          event: 'message.created',
          data: {
            message: {
              content: [{ response_type: 'own_connection_status' }],
              additional_properties: outside,
            },
            own_message: 1,
          },
        }),
      );
  });
  const client = createAgentClient({ baseUrl, identifierPrefix: 'own_' });
  const message = { ...request.message, additional_properties: inside };
  const [event] = await collect(client.runStream({ message }));
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ message: { additional_properties: outside } });
  expect(event?.data).toEqual({
    message: { content: [{ response_type: 'svc_connection_status' }], additional_properties: inside },
    own_message: 1,
  });
  expect(await client.postCallback('T', message)).toMatchObject({ additional_properties: inside });
  expect(JSON.parse(requests[1]?.body ?? '')).toMatchObject({ additional_properties: outside });
  expect(message.additional_properties).toBe(inside);
});

test('the prefix is renamed inside cards and questions; an event without it stays the same object', async () => {
  const state = (prefix: string) => ({
    response_type: `${prefix}connection_status`,
    connection_status: 'ok',
  });
  const card = (prefix: string) => ({
    response_type: 'card',
    body: [{ items: [state(prefix)] }, 'words', null],
  });
  const bodies: (prefix: string) => Record<string, unknown>[] = (prefix) => [
    { message: { content: [card(prefix)] } },
    { form: state(prefix) },
    { delta: { content: [card(prefix)] } },
    { item: { own_message: 1 } },
  ];
  const { baseUrl, requests } = await start((response) => {
    for (const data of bodies('own_'))
      response.write(`${JSON.stringify({ event: 'message.created', data })}\n`);
    response.end();
  });
  const client = createAgentClient({ baseUrl, identifierPrefix: 'own_' });
  const message = { ...request.message, content: [card('svc_')] };
  const heard = await collect(
    client.runStream({ message, context: { response_type: 'svc_connection_status' } }),
  );
  expect(heard.map(({ data }) => data)).toEqual(bodies('svc_'));
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
    message: { content: [card('own_')] },
    context: { response_type: 'svc_connection_status' },
  });
});

const acceptances: readonly (readonly [number, string | undefined, Record<string, unknown>])[] = [
  [204, undefined, {}],
  [202, undefined, {}],
  [202, '{"ok":true}', {}],
  [202, '{"message":"Accepted"}', {}],
  [202, 'Accepted', {}],
  [201, '{"id":"M"}', {}],
  [202, '{"run_id":"R","thread_id":"T"}', { run_id: 'R', thread_id: 'T' }],
];

for (const [status, body, data] of acceptances) {
  test(`a run that is answered ${status} with ${body ?? 'nothing'} was accepted, and its stream is complete`, async () => {
    const { baseUrl } = await start((response) => void response.writeHead(status).end(body));
    const heard = await collect(createAgentClient({ baseUrl }).runStream(request));
    expect(heard.at(-1)).toEqual({ id: '', event: 'run.completed', data });
    expect(heard.filter(({ event }) => event === 'error')).toEqual([]);
  });
}

test('a run that is answered 202 with a fault, or with a whole stream, is read as with 200', async () => {
  const bodies = ['{"detail":"No such agent"}', '{"event":"message.delta","data":{"delta":"One"}}'];
  for (const [body, kind] of [
    [bodies[0], 'error'],
    [bodies[1], 'message.delta'],
  ]) {
    const { baseUrl } = await start((response) => void response.writeHead(202).end(body));
    const heard = await collect(createAgentClient({ baseUrl }).runStream(request));
    expect(heard.map(({ event }) => event)).toEqual([kind]);
  }
});

test('a client is created without `URL.canParse`, which Safari 16 lacks', () => {
  const { canParse } = URL;
  Reflect.deleteProperty(URL, 'canParse');
  try {
    expect(createAgentClient({ baseUrl: 'https://a.example' })).toBeDefined();
  } finally {
    Object.assign(URL, { canParse });
  }
});

test('misuse is a TypeError with a suggestion', async () => {
  const make = (options: object) => () => createAgentClient(options as AgentClientOptions); // misuse on purpose
  expect(make({ baseURL: 'https://a.example' })).toThrow(
    /there is no option "baseURL". Did you mean "baseUrl"\?/,
  );
  expect(make({ baseUrl: 'https://a.example', tokenProvidr: () => '' })).toThrow(
    /Did you mean "tokenProvider"\?/,
  );
  expect(make({ baseUrl: 'https://a.example', zebra: 1 })).toThrow(/Options: baseUrl/);
  expect(make({ baseUrl: 'https://a.example', idleTimeout: '5' })).toThrow(/idleTimeout must be a number/);
  expect(make({ baseUrl: '/relative' })).toThrow(/absolute http or https URL/);
  expect(make({ baseUrl: 'https://me:secret@a.example' })).toThrow(/^(?!.*secret).*tokenProvider/);
  expect(make({})).toThrow(TypeError);
  const client = createAgentClient({ baseUrl: 'https://a.example' });
  const misspelt = { sginal: undefined };
  expect(() => client.runStream(request, misspelt as object)).toThrow(/Did you mean "signal"\?/);
  expect(await rejection(client.deleteNotifications(''))).toBeInstanceOf(TypeError);
});

test('irregular records are reported and do no harm', async () => {
  const { baseUrl } = await start((response) =>
    response.end(`${JSON.stringify(events[0])}\n{"id":,\n${JSON.stringify(events[4])}\n`),
  );
  const diagnostics: WireDiagnostic[] = [];
  const client = createAgentClient({ baseUrl, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  expect(await collect(client.runStream(request))).toEqual([events[0], events[4]]);
  expect(diagnostics).toMatchObject([{ code: 'malformed-record', excerpt: '{"id":,' }]);
});

test('a time limit that no timer can wait for is none', async () => {
  const response = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(new Response('{"messages":[]}')), 100);
  });
  const client = createAgentClient({
    baseUrl: 'http://service.test',
    connectTimeout: Number.MAX_SAFE_INTEGER,
    fetch: () => response,
  });
  expect(await client.extensions.listMessages('T')).toEqual([]);
});
