import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { signToken } from '../../../src/service/auth/sign-token.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { atOnce, collect, everyScope, say, secret, until } from '../running-service.ts';

let child: ServiceChild;
let directory: string;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-log-'));
  const agentsFile = join(directory, 'agents.json');
  const agents = [
    { id: 'echo', kind: 'echo' },
    { id: 'foreign', kind: 'echo', tenants: ['elsewhere'] },
    { id: 'closed', kind: 'echo', origins: ['https://shop.example'] },
  ];
  writeFileSync(agentsFile, JSON.stringify({ agents }));
  writeFileSync(join(directory, 'closed.json'), JSON.stringify({ agents: agents.slice(2) }));
  child = await startChild({
    DATA_DIR: directory,
    AGENTS_FILE: agentsFile,
    RATE_LIMTI: '5',
    RUN_LIMIT: '1',
  });
});
test.afterAll(async () => {
  await child.kill();
  rmSync(directory, { recursive: true, force: true });
});

type Line = Record<string, unknown> & { msg: string };
const lines = (): Line[] =>
  child.log.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

test('each request and each run is one line with its ids, status and duration; probes are silent', async () => {
  await (await fetch(`${child.address}/healthz`)).text();
  const text = 'nobody logs these words';
  const events = await collect(child.client('quinn').runStream(say(text, { agent_id: 'echo', ...atOnce })));
  const ids = {
    tenant_id: 'quay',
    agent_id: 'echo',
    thread_id: events[0]?.data['thread_id'],
    run_id: events[0]?.data['run_id'],
  };
  await until(() => lines().filter(({ run_id }) => run_id === ids.run_id).length === 2);
  const [ended, request] = ['run ended', 'request'].map((msg) => lines().find((line) => line.msg === msg));
  expect(request).toMatchObject({
    ...ids,
    method: 'POST',
    route: '/api/v1/hub/runs/stream',
    status: 200,
    duration_ms: expect.any(Number) as unknown,
    reqId: expect.any(String) as unknown,
  });
  expect(ended).toMatchObject({ ...ids, status: 'completed', duration_ms: expect.any(Number) as unknown });
  expect(lines().some(({ route }) => route === '/healthz')).toBe(false);
  expect(child.log.join('\n')).not.toMatch(/nobody logs|quinn/);
});

test('the line of a request for notifications names agent and thread', async () => {
  const [started] = await collect(
    child.client('quinn').runStream(say('hello', { agent_id: 'echo', ...atOnce })),
  );
  const threadId = String(started?.data['thread_id']);
  const token = await signToken(secret, { subject: 'quinn', tenantId: 'quay', scopes: everyScope }, 600);
  await fetch(`${child.address}/api/v1/notifications/?thread_id=${threadId}`, {
    headers: { authorization: `Bearer ${token}`, 'x-request-id': 'notifications-1' },
  });
  await until(() => lines().some(({ reqId }) => reqId === 'notifications-1'));
  expect(lines().find(({ reqId }) => reqId === 'notifications-1')).toMatchObject({
    agent_id: 'echo',
    thread_id: threadId,
  });
});

test('the log says which version has started, and on which database', () => {
  const started = lines().filter(({ msg }) => msg === 'the service has started');
  expect(started).toMatchObject([{ version: expect.any(String) as unknown, database: 'sqlite' }]);
});

test('the log warns of a misspelled setting', () => {
  const warnings = lines().filter(({ level }) => level === 40);
  expect(warnings.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('did you mean RATE_LIMIT?'));
});

test('the line of a refused request says why', async () => {
  const path = `${child.address}/api/v1/hub/runs/stream`;
  const headers = { 'content-type': 'application/json', 'x-request-id': 'refused-1' };
  await fetch(path, { method: 'POST', headers: { ...headers, authorization: 'Bearer ack_unknown' } });
  await until(() => lines().some(({ reqId }) => reqId === 'refused-1'));
  expect(lines().find(({ reqId }) => reqId === 'refused-1')).toMatchObject({
    status: 401,
    reason: 'the API key is not in API_KEYS_FILE',
  });
  await expect(
    collect(child.client('quinn').runStream(say('hello', { thread_id: 'none' }))),
  ).rejects.toThrow();
  await until(() => lines().some(({ status }) => status === 422));
  expect(lines().find(({ status }) => status === 422)?.['reason']).toMatch(
    /^body\.thread_id: must be a UUID/,
  );
});

test('the line of a refused request names the agent, the origin, or the setting', async () => {
  const token = await signToken(secret, { subject: 'quinn', tenantId: 'quay', scopes: everyScope }, 600);
  const ask = async (agent: string, more: { origin?: string; text?: string } = {}) => {
    const { origin, text = 'hello' } = more;
    const before = lines().length;
    const response = await fetch(`${child.address}/api/v1/hub/runs/stream`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(origin === undefined ? {} : { origin }),
      },
      body: JSON.stringify(say(text, { agent_id: agent })),
    });
    const answer = await response.text();
    await until(() => lines().length > before);
    const reason = lines().at(-1)?.['reason'];
    if (response.status !== 413) expect(answer).not.toContain(reason);
    return reason;
  };
  expect(await ask('ecko')).toBe('there is no agent "ecko"');
  expect(await ask('a b')).toBe('there is no agent of this id');
  expect(await ask('foreign')).toBe('the agent "foreign" is not for this tenant');
  expect(await ask('closed', { origin: 'https://www.example.org' })).toBe(
    '"origins" of the agent "closed" does not have https://www.example.org',
  );
  expect(await ask('echo', { text: 'x'.repeat(1_100_000) })).toBe(
    'BODY_LIMIT: the body exceeds the size limit',
  );
  expect(await ask('echo', { text: 'x'.repeat(100_001) })).toBe(
    'MESSAGE_LIMIT: must have at most 100000 characters of text',
  );
});

test('the line of a preflight names the page that no agent allows', async () => {
  const other = await startChild({
    DATA_DIR: join(directory, 'closed'),
    AGENTS_FILE: join(directory, 'closed.json'),
  });
  const preflight = (origin: string) =>
    fetch(`${other.address}/api/v1/hub/runs/stream`, { method: 'OPTIONS', headers: { origin } });
  try {
    await preflight('https://shop.example');
    await preflight('https://www.example.org');
    await until(() => other.log.filter((line) => line.includes('"OPTIONS"')).length === 2);
    const reasons = other.log
      .filter((line) => line.includes('"OPTIONS"'))
      .map((line) => JSON.parse(line) as Line);
    expect(reasons.map(({ reason }) => reason)).toEqual([
      undefined,
      '"origins" of no agent has https://www.example.org',
    ]);
  } finally {
    await other.kill();
  }
});

test('a request that reaches no route has its line', async () => {
  const from = lines().length;
  const { port } = new URL(child.address);
  for (const words of [
    'GET /api/v1/hub/threads/%ff/messages HTTP/1.1\r\nHost: a\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n',
    `GET /api/v1/hub/threads/${'x'.repeat(600)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'hello\r\n\r\n',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(words);
    await once(socket, 'data');
    socket.destroy();
  }
  await until(() => lines().length === from + 5);
  expect(
    lines()
      .slice(from)
      .map(({ method, status, reason }) => [method, status, reason]),
  ).toEqual([
    ['GET', 404, 'path: no such route'],
    ['unknown', 431, 'header: the headers exceed the size limit'],
    ['GET', 417, 'header.expect: must be 100-continue or absent'],
    ['GET', 414, 'request: the request could not be read'],
    ['unknown', 400, 'request: not a valid HTTP request'],
  ]);
});

test('the line of a request over a limit names the limit and the tenant', async () => {
  const slow = say('wait', { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } });
  const first = child.client('rosa').runStream(slow)[Symbol.asyncIterator]();
  await first.next();
  await expect(collect(child.client('rosa').runStream(slow))).rejects.toThrow(/concurrent runs/);
  await first.return?.();
  await until(() => lines().some(({ status }) => status === 429));
  expect(lines().find(({ status }) => status === 429)).toMatchObject({
    tenant_id: 'quay',
    reason: expect.stringMatching(/^RUN_LIMIT: too many concurrent runs/) as unknown,
  });
});

test('a request id is taken from the caller if it is an ordinary one, and returned and logged', async () => {
  const ask = (id: string) =>
    fetch(`${child.address}/api/v1/hub/threads/none/messages`, { headers: { 'x-request-id': id } });
  expect((await ask('edge-7f3a:1')).headers.get('x-request-id')).toBe('edge-7f3a:1');
  await until(() => lines().some(({ reqId, status }) => reqId === 'edge-7f3a:1' && status === 401));
  for (const odd of ['a b', 'x'.repeat(200), '{"a":1}'])
    expect((await ask(odd)).headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('a stream that its reader leaves has its line and is counted', async () => {
  const token = await signToken(secret, { subject: 'quinn', tenantId: 'quay', scopes: everyScope }, 600);
  const leave = new AbortController();
  const response = await fetch(`${child.address}/api/v1/hub/runs/stream`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-request-id': 'left-1',
    },
    body: JSON.stringify(say('x '.repeat(2_000), { agent_id: 'echo' })),
    signal: leave.signal,
  });
  await response.body?.getReader().read();
  const counted = async (): Promise<number> => {
    const metrics = await (await fetch(`${child.address}/metrics`)).text();
    return Number(
      /^agent_chat_requests_total\{.*runs\/stream",status="200"\} (\d+)$/m.exec(metrics)?.[1] ?? 0,
    );
  };
  const before = await counted();
  leave.abort();
  await until(() => lines().some(({ reqId }) => reqId === 'left-1'));
  const left = lines().filter(({ reqId }) => reqId === 'left-1');
  expect(left).toHaveLength(1);
  expect(left[0]).toMatchObject({
    msg: 'request',
    agent_id: 'echo',
    reason: 'the connection was closed before the end',
  });
  expect(await counted()).toBe(before + 1);
});
