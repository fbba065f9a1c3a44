import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { validationErrorSchema } from '../../src/protocol/index.ts';
import { createKey } from '../../src/service/auth/api-keys.ts';
import { RateLimit } from '../../src/service/auth/rate-limit.ts';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { createTokenVerifier } from '../../src/service/auth/verify-token.ts';
import { Problem } from '../../src/service/errors/problem.ts';
import { readSettings } from '../../src/service/settings.ts';
import { asked, type Asked } from './asked-endpoints.ts';
import {
  atOnce,
  collect,
  everyScope,
  say,
  secret,
  startService,
  type RunningService,
  until,
} from './running-service.ts';

interface Keys {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

let running: RunningService;
let keyServer: Server;
let published: JWK[] = [];
let rsa: Keys;
let ed: Keys;
let ec: Keys;
let directory: string;
let serverKey: string;
let threadId: string;
let runId: string;
const allowed = 'https://shop.example';

async function keys(algorithm: 'RS256' | 'ES256' | 'EdDSA', kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } };
}

test.beforeAll(async () => {
  rsa = await keys('RS256', 'rsa-1');
  ed = await keys('EdDSA', 'ed-1');
  ec = await keys('ES256', 'ec-1');
  published = [rsa.jwk, ed.jwk, ec.jwk];
  keyServer = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-access-'));
  const made = createKey({ id: 'backend', tenantId: 'quay', scopes: ['callback', 'notify'] });
  serverKey = made.key;
  writeFileSync(join(directory, 'keys.json'), JSON.stringify({ keys: [made.entry] }));
  writeFileSync(
    join(directory, 'agents.json'),
    JSON.stringify({
      agents: [
        { id: 'echo', kind: 'echo', origins: [allowed] },
        { id: 'open', kind: 'echo' },
      ],
    }),
  );
  const { port } = keyServer.address() as AddressInfo; // listening on a port
  running = await startService({
    jwtAudience: 'chat',
    jwtIssuer: 'https://host.example',
    jwksUrl: `http://127.0.0.1:${port}/keys`,
    apiKeysFile: join(directory, 'keys.json'),
    agentsFile: join(directory, 'agents.json'),
  });
  const events = await read(
    await post('/api/v1/hub/runs/stream', say('hello', { agent_id: 'echo', ...atOnce }), await good()),
  );
  threadId = String(events[0]?.data['thread_id']);
  runId = String(events[0]?.data['run_id']);
});
test.afterAll(async () => {
  await running.close();
  keyServer.close();
  rmSync(directory, { recursive: true });
});

interface Claims {
  readonly sub?: string | null;
  readonly tenant_id?: string | null;
  readonly aud?: string;
  readonly iss?: string;
  readonly scope?: string;
  readonly exp?: number | null;
}

function sign(
  claims: Claims = {},
  key: Uint8Array | CryptoKey = new TextEncoder().encode(secret),
  header: { alg: string; kid?: string } = { alg: 'HS256' },
) {
  const all = {
    sub: 'ada',
    tenant_id: 'quay',
    aud: 'chat',
    iss: 'https://host.example',
    scope: everyScope.join(' '),
    exp: Math.floor(Date.now() / 1000) + 300,
    ...claims,
  };
  return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
    .setProtectedHeader(header)
    .sign(key);
}
const good = () => sign();

function post(path: string, body: unknown, token: string, headers: Record<string, string> = {}) {
  return running.request('POST', path, { body, token, headers });
}
async function read(response: Response): Promise<{ event: string; data: Record<string, unknown> }[]> {
  return (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
}

async function ask(
  endpoint: Asked,
  token: string | null,
  options: { thread?: string; run?: string; headers?: Record<string, string> } = {},
) {
  const thread = options.thread ?? threadId;
  const response = await running.request(endpoint.method, endpoint.path(thread, options.run ?? runId), {
    token,
    ...(endpoint.body ? { body: endpoint.body(thread) } : {}),
    ...(options.headers ? { headers: options.headers } : {}),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function expectProblem(answer: { status: number; text: string }, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(validationErrorSchema.safeParse(JSON.parse(answer.text)).success).toBe(true);
}

const now = () => Math.floor(Date.now() / 1000);
const unsigned = (claims: object) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
const confused = () => {
  // A token "signed" with the public key as if it were a shared secret.
  const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'rsa-1' })).toString('base64url');
  const body = Buffer.from(
    JSON.stringify({
      sub: 'ada',
      tenant_id: 'quay',
      aud: 'chat',
      iss: 'https://host.example',
      exp: now() + 300,
      scope: 'run',
    }),
  ).toString('base64url');
  return `${head}.${body}.${createHmac('sha256', JSON.stringify(rsa.jwk)).update(`${head}.${body}`).digest('base64url')}`;
};

const badTokens: readonly (readonly [string, () => string | null | Promise<string | null>])[] = [
  ['no token', () => null],
  ['a malformed token', () => 'not-a-token'],
  ['an expired token', () => sign({ exp: now() - 60 })],
  ['a token without an end', () => sign({ exp: null })],
  [
    'a token of another key',
    () => sign({}, new TextEncoder().encode('another secret, of forty letters or more')),
  ],
  ['a token of another audience', () => sign({ aud: 'elsewhere' })],
  ['a token of another issuer', () => sign({ iss: 'https://evil.example' })],
  ['a token without a subject', () => sign({ sub: null })],
  ['a token without a tenant', () => sign({ tenant_id: null })],
  ['a token that poses as a key', () => sign({ sub: 'key:backend' })],
  [
    'an unsigned token',
    () => unsigned({ sub: 'ada', tenant_id: 'quay', exp: now() + 300, scope: everyScope.join(' ') }),
  ],
  ['a token signed with the public key', confused],
  ['an unknown API key', () => `ack_${'A'.repeat(43)}`],
];

for (const endpoint of asked) {
  for (const [what, make] of badTokens) {
    test(`${endpoint.name} with ${what}: 401`, async () => {
      const answer = await ask(endpoint, await make());
      expectProblem(answer, 401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    });
  }

  test(`${endpoint.name} with another scope: 403`, async () => {
    const others = everyScope.filter(
      (scope) => scope !== endpoint.scope && !(endpoint.name === 'get config' && scope === 'run'),
    );
    expectProblem(await ask(endpoint, await sign({ scope: others.join(' ') })), 403);
    expectProblem(await ask(endpoint, await sign({ scope: '' })), 403);
  });

  if (endpoint.anyOrigin) {
    test(`${endpoint.name} from another origin: nothing of an agent that it may not use`, async () => {
      const { text } = await ask(endpoint, await good());
      expect(text).toContain('"agent_id":"echo"');
      const answer = await ask(endpoint, await good(), { headers: { origin: 'https://evil.example' } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('"agent_id":"echo"');
    });
  } else {
    test(`${endpoint.name} from another origin: 403, not readable by pages`, async () => {
      const answer = await ask(endpoint, await good(), { headers: { origin: 'https://evil.example' } });
      expectProblem(answer, 403);
    });
  }

  if (endpoint.owned) {
    test(`${endpoint.name}: the response for another user's resource equals that for a missing one`, async () => {
      const stranger = await sign({ sub: 'grace' });
      const foreigner = await sign({ tenant_id: 'elsewhere' });
      const missing = await ask(endpoint, stranger, { thread: randomUUID(), run: randomUUID() });
      expectProblem(missing, 404);
      for (const token of [stranger, foreigner]) {
        for (const headers of [{}, { origin: 'https://evil.example' }]) {
          const answer = await ask(endpoint, token, { headers });
          const without = await ask(endpoint, token, { thread: randomUUID(), run: randomUUID(), headers });
          expect(answer.status).toBe(404);
          expect(answer.text).toBe(without.text);
          const names = (all: Headers) => [...all.keys()].filter((name) => name !== 'date').sort();
          expect(names(answer.headers)).toEqual(names(without.headers));
        }
      }
    });
  }
}

test('RS256 and EdDSA tokens are valid if the key set has their key', async () => {
  for (const { privateKey, jwk } of [rsa, ed, ec]) {
    const token = await sign({}, privateKey, { alg: String(jwk.alg), kid: String(jwk.kid) });
    expect((await ask(asked[7]!, token)).status).toBe(200);
  }
});

test('a rotated key is fetched, and an unpublished key is rejected', async () => {
  test.setTimeout(60_000);
  const next = await keys('EdDSA', 'ed-2');
  const token = await sign({}, next.privateKey, { alg: 'EdDSA', kid: 'ed-2' });
  expectProblem(await ask(asked[7]!, token), 401);
  published = [next.jwk];
  await expect.poll(async () => (await ask(asked[7]!, token)).status, { timeout: 20_000 }).toBe(200);
});

test('scopes are a string or a list, in the claims scope or scp; other claims can be named', async () => {
  const settings = { jwtSecret: secret, jwksUrl: undefined, jwtAudience: undefined, jwtIssuer: undefined };
  const verify = createTokenVerifier(settings);
  const token = (claims: Record<string, unknown>) =>
    new SignJWT({ sub: 'ada', tenant_id: 'quay', exp: now() + 300, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
  for (const claims of [
    { scope: 'run notify' },
    { scope: ['run', 'notify'] },
    { scp: 'run notify' },
    { scp: ['run', 'notify', 7] },
    { scope: 'run notify admin' },
  ])
    expect([...(await verify(await token(claims))).scopes].sort()).toEqual(['notify', 'run']);
  const renamed = createTokenVerifier({
    ...settings,
    jwtSubjectClaim: 'email',
    jwtTenantClaim: 'https://idp.example/org',
    jwtScopeClaim: 'permissions',
  });
  const claims = { email: 'ada@example.com', 'https://idp.example/org': 'pier', permissions: ['run'] };
  expect(await renamed(await token(claims))).toMatchObject({
    subject: 'ada@example.com',
    author: 'ada@example.com',
    tenantId: 'pier',
    scopes: new Set(['run']),
  });
  await expect(renamed(await token({ scope: 'run' }))).rejects.toMatchObject({ status: 401 });
  for (const sub of ['key:backend', 'agent:echo'])
    await expect(verify(await token({ sub }))).rejects.toMatchObject({ status: 401 });
});

test('a token that lives longer than JWT_MAX_AGE ends early; one without its time of issue is refused', async () => {
  const verify = createTokenVerifier({
    jwtSecret: secret,
    jwksUrl: undefined,
    jwtAudience: undefined,
    jwtIssuer: undefined,
    jwtMaxAge: 600,
  });
  const token = (iat: number | undefined) =>
    new SignJWT({ sub: 'ada', tenant_id: 'quay', exp: now() + 86_400, ...(iat ? { iat } : {}) })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
  const issued = now() - 300;
  expect((await verify(await token(issued))).expiresAtMs).toBe((issued + 600 + 5) * 1000);
  await expect(verify(await token(now() - 700))).rejects.toMatchObject({ status: 401 });
  await expect(verify(await token(undefined))).rejects.toMatchObject({ status: 401 });
});

test('while the key set is unavailable tokens get 503 instead of 401, and the shared secret still works', async () => {
  const lonely = await startService({ jwksUrl: 'http://127.0.0.1:9/keys' });
  try {
    const token = await sign({}, rsa.privateKey, { alg: 'RS256', kid: 'rsa-1' });
    const away = await lonely.request('GET', `/api/v1/hub/threads/${randomUUID()}/messages`, { token });
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toBe('5');
    const known = await lonely.request('GET', `/api/v1/hub/threads/${randomUUID()}/messages`);
    expect(known.status).toBe(404);
  } finally {
    await lonely.close();
  }
});

test('while the key set is unavailable its keys stay valid for a day, and it is not requested every time', async () => {
  let isThere = false;
  let fetches = 0;
  const known = await keys('EdDSA', 'known');
  const server = createServer((_request, response) => {
    fetches += 1;
    if (isThere) response.end(JSON.stringify({ keys: [known.jwk] }));
    else response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  const told: string[] = [];
  const verify = createTokenVerifier(
    {
      jwtSecret: undefined,
      jwksUrl: `http://127.0.0.1:${port}/keys`,
      jwtAudience: undefined,
      jwtIssuer: undefined,
    },
    (fault) => told.push(fault.message),
  );
  const token = await sign({}, known.privateKey, { alg: 'EdDSA', kid: 'known' });
  const other = await sign({}, (await keys('EdDSA', 'other')).privateKey, { alg: 'EdDSA', kid: 'other' });
  const statusOf = (one: string): Promise<unknown> =>
    verify(one).then(
      () => 200,
      (fault: unknown) => (fault instanceof Problem ? fault.status : fault),
    );
  const clock = Date.now;
  const later = (minutes: number): void => {
    const now = clock() + minutes * 60_000;
    Date.now = () => now;
  };
  try {
    later(0);
    expect(await statusOf(token)).toBe(503);
    isThere = true; // with no key to go by it is asked each time
    expect([await statusOf(token), fetches]).toEqual([200, 2]);
    isThere = false;
    later(11);
    for (let count = 0; count < 3; count += 1) expect(await statusOf(token)).toBe(200);
    for (let count = 0; count < 3; count += 1) expect(await statusOf(other)).toBe(503);
    expect(fetches).toBe(3);
    expect(told).toEqual([`JWKS_URL http://127.0.0.1:${port}/keys: it answered 500 instead of 200`]);
    later(25 * 60);
    expect(await statusOf(token)).toBe(503);
    isThere = true;
    later(25 * 60 + 1);
    expect(await statusOf(other)).toBe(401);
    isThere = false; // it was there for the token of a stranger, too
    later(25 * 60 + 12);
    expect(await statusOf(token)).toBe(200);
    isThere = true;
    later(25 * 60 + 13);
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 401]);
  } finally {
    Date.now = clock;
    server.close();
  }
});

test('an invalid response of the key set gives 503 instead of 401', async () => {
  const token = await sign({}, (await keys('EdDSA', 'any')).privateKey, { alg: 'EdDSA', kid: 'any' });
  for (const answer of ['banana', '[]', '{"keys":1}']) {
    const server = createServer((_request, response) => response.end(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listening on a port
    const jwksUrl = `http://127.0.0.1:${port}/keys`;
    const settings = { jwtSecret: undefined, jwtAudience: undefined, jwtIssuer: undefined };
    await expect(createTokenVerifier({ ...settings, jwksUrl })(token)).rejects.toMatchObject({ status: 503 });
    server.close();
  }
});

test('the log says which key set failed, and why', async () => {
  const broken = createServer((_request, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const address = broken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const token = await sign({}, rsa.privateKey, { alg: 'RS256', kid: 'rsa-1' });
  const causeOf = async (jwksUrl: string): Promise<unknown> => {
    const settings = { jwtSecret: undefined, jwksUrl, jwtAudience: undefined, jwtIssuer: undefined };
    const fault: unknown = await createTokenVerifier(settings)(token).catch((thrown: unknown) => thrown);
    return fault instanceof Error && fault.cause instanceof Error ? fault.cause.message : fault;
  };
  try {
    expect(await causeOf(`http://127.0.0.1:${port}/keys?secret=1`)).toBe(
      `JWKS_URL http://127.0.0.1:${port}/keys: it answered 500 instead of 200`,
    );
  } finally {
    broken.close();
  }
  const closed = `http://127.0.0.1:${port}/keys`;
  expect(await causeOf(closed)).toContain(`JWKS_URL ${closed}: fetch failed: connect ECONNREFUSED`);
});

test('an API key has access to its whole tenant, within its scopes', async () => {
  const callback = await post(`/api/v1/callback/${threadId}`, { content: 'from the backend' }, serverKey);
  expect(callback.status).toBe(201);
  expect(await callback.json()).toMatchObject({ role: 'assistant' });
  expect((await post('/api/v1/hub/runs/stream', say('hi'), serverKey)).status).toBe(403);
  expect((await post(`/api/v1/callback/${randomUUID()}`, { content: 'hi' }, serverKey)).status).toBe(404);
});

test('every response has a request id that pages can read', async () => {
  const ask = async (body: Parameters<typeof post>[1]): Promise<Response> =>
    post('/api/v1/hub/runs/stream', body, await good(), { origin: allowed });
  const answers = [await ask(say('hi', { agent_id: 'echo', ...atOnce })), await ask({ message: 7 })];
  expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  for (const { headers } of answers) {
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-ID');
  }
  expect(answers[0]?.headers.get('x-request-id')).not.toBe(answers[1]?.headers.get('x-request-id'));
});

test('a stream’s headers have the run id, which pages can read', async () => {
  const { headers, body } = await post(
    '/api/v1/hub/runs/stream',
    say('hi', { agent_id: 'echo', ...atOnce }),
    await good(),
    { origin: allowed },
  );
  expect(headers.get('access-control-expose-headers')).toContain('X-Run-ID, X-Thread-Id');
  const runId = headers.get('x-run-id');
  expect(runId).toMatch(/^[\da-f-]{36}$/);
  expect(await new Response(body).text()).toContain(`"run_id":"${runId}"`);
});

test('only pages of allowed origins can read responses', async () => {
  const preflight = (origin: string) =>
    fetch(`${running.address}/api/v1/hub/runs/stream`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,last-event-id',
      },
    });
  const answer = await preflight(allowed);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
  expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Last-Event-ID/);
  const stream = await post(
    '/api/v1/hub/runs/stream',
    say('hi', { agent_id: 'echo', ...atOnce }),
    await good(),
    { origin: allowed },
  );
  expect(stream.status).toBe(200);
  expect(stream.headers.get('access-control-allow-origin')).toBe(allowed);
  expect(stream.headers.get('access-control-expose-headers')).toContain('Retry-After');
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  await stream.text();
  // The second agent is open to any page, so any page may ask; the first still refuses it.
  const open = await post(
    '/api/v1/hub/runs/stream',
    say('hi', { agent_id: 'open', ...atOnce }),
    await good(),
    { origin: 'https://any.example' },
  );
  expect(open.status).toBe(200);
  await open.text();
});

test('a thread of an agent with origins cannot be read from another page through another agent', async () => {
  const token = await good();
  const from = (origin: string) => ({ origin });
  const foreign = from('https://any.example');
  const clientMessageId = randomUUID();
  const request = say('between us', { agent_id: 'echo', ...atOnce });
  request.message.additional_properties = { client_message_id: clientMessageId };
  const path = '/api/v1/hub/runs/stream';
  const [first] = await read(await post(path, request, token, from(allowed)));
  const thread_id = String(first?.data['thread_id']);
  const joined = say('what was said?', { agent_id: 'open', thread_id, ...atOnce });
  expect((await post(path, joined, token, foreign)).status).toBe(403);
  expect((await post(path, { ...request, agent_id: 'open' }, token, foreign)).status).toBe(403);
  const [second] = await read(await post(path, joined, token, from(allowed)));
  const run = `/api/v1/hub/runs/${String(second?.data['run_id'])}`;
  const events = await fetch(`${running.address}${run}/events`, {
    headers: { authorization: `Bearer ${token}`, ...foreign },
  });
  expect(events.status).toBe(403);
  expect((await post(`${run}/cancel`, {}, token, foreign)).status).toBe(403);
  expect((await post(`/api/v1/hub/runs/${clientMessageId}/cancel`, {}, token, foreign)).status).toBe(403);
  const named = await fetch(`${running.address}/api/v1/hub/runs/${clientMessageId}/events`, {
    headers: { authorization: `Bearer ${token}`, ...foreign },
  });
  expect(named.status).toBe(403);
});

test('a large list counts as one request per mebibyte, and is rejected before it is read', async () => {
  const limited = await startService({ rateLimit: 20 });
  try {
    const events = await collect(limited.client().runStream(say('hi', { agent_id: 'echo', ...atOnce })));
    const path = `/threads/${String(events[0]?.data['thread_id'])}/messages`;
    const body = { content: [{ response_type: 'user_defined', user_defined: { x: 'x'.repeat(900_000) } }] };
    for (let count = 0; count < 4; count += 1)
      await limited.request('POST', `/api/v1/callback/${String(events[0]?.data['thread_id'])}`, { body });
    const list = async (query = ''): Promise<number> => {
      const answer = await limited.request('GET', `/api/v1/hub${path}${query}`);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect([await list(), await list(), await list(), await list()]).toEqual([200, 200, 200, 429]);
    expect(await list('?limit=1')).toBe(200);
  } finally {
    await limited.close();
  }
});

test('the rate limit refills steadily, for each name separately, up to one minute’s worth', () => {
  const limit = new RateLimit(60);
  const now = performance.now.bind(performance);
  let at = 0;
  performance.now = () => at;
  const taken = (name: string): number => {
    for (let count = 0; ; count += 1) {
      try {
        limit.take(name);
      } catch {
        return count;
      }
    }
  };
  try {
    expect([taken('ada'), taken('ada'), taken('ben')]).toEqual([60, 0, 60]);
    at = 5_000;
    expect(taken('ada')).toBe(5);
    at = 600_000;
    expect(taken('ada')).toBe(60);
  } finally {
    performance.now = now;
  }
});

test('a response to too many requests says when to retry', async () => {
  const limited = await startService({ rateLimit: 3, runLimit: 1 });
  try {
    const slow = { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } };
    const first = await limited.request('POST', '/api/v1/hub/runs/stream', { body: say('hold on', slow) });
    expect(first.status).toBe(200);
    const second = await limited.request('POST', '/api/v1/hub/runs/stream', { body: say('me too', slow) });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    const elsewhere = await limited.request('POST', '/api/v1/hub/runs/stream', {
      body: say('another tenant’s', { agent_id: 'echo', ...atOnce }),
      token: await limited.token('ada', { tenantId: 'other' }),
    });
    expect(elsewhere.status).toBe(200);
    await limited.request('DELETE', `/api/v1/notifications/${randomUUID()}`);
    const fourth = await limited.request('DELETE', `/api/v1/notifications/${randomUUID()}`);
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await limited.request('DELETE', `/api/v1/notifications/${randomUUID()}`, {
      token: await limited.token('grace'),
    });
    expect(other.status).toBe(404);
  } finally {
    await limited.close();
  }
});

test('a visitor follows at most as many threads as runs, and until the token expires', async () => {
  const limited = await startService({ runLimit: 1 });
  try {
    const [first] = await collect(limited.client().runStream(say('begin', { agent_id: 'echo', ...atOnce })));
    const path = `/api/v1/hub/threads/${String(first?.data['thread_id'])}/events`;
    const leave = new AbortController();
    const follow = async (lifetime = 600) =>
      limited.request('GET', path, { signal: leave.signal, token: await limited.token('ada', { lifetime }) });
    expect((await follow()).status).toBe(200);
    const second = await follow();
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    leave.abort();
    let last: Response | undefined;
    let token = '';
    await until(async () => {
      token = await limited.token('ada', { lifetime: 0 });
      last = await limited.request('GET', path, { token });
      return last.status === 200;
    });
    // The token is good for as long as clocks may differ. The stream ends by itself then.
    await last?.text();
    expect((await limited.request('GET', path, { token })).status).toBe(401);
  } finally {
    await limited.close();
  }
});

test('a repeated message starts no further run, even at the run limit', async () => {
  const limited = await startService({ runLimit: 1 });
  try {
    const body = say('hold on', { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } });
    body.message.additional_properties = { client_message_id: randomUUID() };
    const send = () => limited.request('POST', '/api/v1/hub/runs/stream', { body });
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('a run has at most a hundred readers', async () => {
  const patient = await startService();
  const leave = new AbortController();
  try {
    const slow = say('hold on', { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } });
    const { signal } = leave;
    const first = await patient.request('POST', '/api/v1/hub/runs/stream', { body: slow, signal });
    const read = () =>
      patient.request('GET', `/api/v1/hub/runs/${first.headers.get('x-run-id')}/events`, { signal });
    const others = await Promise.all(Array.from({ length: 99 }, read));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    const last = await read();
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    leave.abort();
    await patient.close();
  }
});

test('visitors can read their own runs only', async () => {
  const events = await collect(running.client().runStream(say('hi', { agent_id: 'echo' }))).catch(
    (fault: unknown) => fault,
  );
  // The usual test token names no audience here, so even a well-signed one is refused without a word of why.
  expect(String(events)).toContain('401');
  expect(String(events)).not.toContain(secret);
});

test('a token must have the configured issuer and audience', async () => {
  const verify = createTokenVerifier({
    jwtSecret: secret,
    jwksUrl: undefined,
    jwtIssuer: 'https://shop.example',
    jwtAudience: 'chat',
  });
  const claims = { subject: 'ada', tenantId: 'quay', scopes: ['run'] };
  const [issuer, audience] = ['https://shop.example', 'chat'];
  expect(await verify(await signToken(secret, { ...claims, issuer, audience }, 60))).toMatchObject({
    subject: 'ada',
  });
  for (const half of [{ issuer }, { audience }, {}])
    await expect(verify(await signToken(secret, { ...claims, ...half }, 60))).rejects.toMatchObject({
      status: 401,
    });
});

test('while the secret is replaced, tokens of the former one stay valid', async () => {
  const [next, stranger] = ['n'.repeat(32), 's'.repeat(32)];
  const { jwtSecret, jwtSecretPrevious } = readSettings({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: secret });
  const none = { jwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined };
  const verify = createTokenVerifier({ ...none, jwtSecret, jwtSecretPrevious });
  const sign = (by: string, lifetime = 60) =>
    signToken(by, { subject: 'ada', tenantId: 'quay', scopes: ['run'] }, lifetime);
  for (const by of [next, secret]) expect(await verify(await sign(by))).toMatchObject({ subject: 'ada' });
  await expect(verify(await sign(stranger))).rejects.toMatchObject({ status: 401 });
  await expect(verify(await sign(secret, -60))).rejects.toThrow('the token has expired');
  expect(() => readSettings({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: 'short' })).toThrow(
    'JWT_SECRET_PREVIOUS must have at least 32 characters',
  );
});

test('a refused token has a reason for the log, which the caller does not get', async () => {
  const settings = { jwtSecret: secret, jwksUrl: undefined, jwtIssuer: undefined, jwtAudience: 'chat' };
  const verify = createTokenVerifier({ ...settings, jwtMaxAge: 600 });
  const reasonOf = async (token: string) => {
    const error: unknown = await verify(token).catch((problem: unknown) => problem);
    if (!(error instanceof Problem)) throw new Error('the token was accepted');
    expect(JSON.stringify(error.body)).not.toContain(error.reason);
    return error.reason;
  };
  const key = new TextEncoder().encode(secret);
  const claims = { sub: 'ada', tenant_id: 'quay', aud: 'chat', iat: now(), exp: now() + 300 };
  const signed = (changes: object, by = key) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256' }).sign(by);
  expect(await reasonOf(await signed({ exp: now() - 60 }))).toMatch(/^the token expired 6\d s ago$/);
  for (const early of [{ nbf: now() + 60 }, { iat: now() + 60 }])
    expect(await reasonOf(await signed(early))).toBe('the token is not valid yet; compare the clocks');
  expect(await reasonOf(await signed({ iat: undefined }))).toBe('the claim "iat" is missing');
  expect(await reasonOf(await signed({ iat: now() - 900 }))).toContain('longer ago than JWT_MAX_AGE');
  expect(await reasonOf(await signed({ aud: 'shop' }))).toBe('the claim "aud" does not fit JWT_AUDIENCE');
  expect(await reasonOf(await signed({ tenant_id: undefined }))).toBe('the claim "tenant_id" is missing');
  expect(await reasonOf(await signed({ sub: 'key:backend' }))).toContain('the claim "sub" must be');
  expect(await reasonOf(await signed({}, new TextEncoder().encode('o'.repeat(32))))).toBe(
    'the token is signed with another secret than JWT_SECRET and JWT_SECRET_PREVIOUS',
  );
  const byKey = new SignJWT(claims).setProtectedHeader({ alg: 'RS256' });
  expect(await reasonOf(await byKey.sign(rsa.privateKey))).toContain('JWKS_URL is not set');
  expect(await reasonOf('not-a-token')).toBe('the token is not a JWT');
});

test('a subject that a database cannot store unchanged is rejected', async () => {
  const settings = { jwksUrl: undefined, jwtIssuer: undefined, jwtAudience: undefined };
  const verify = createTokenVerifier({ jwtSecret: secret, ...settings });
  const sign = (subject: string) => signToken(secret, { subject, tenantId: 'quay', scopes: ['run'] }, 60);
  expect(await verify(await sign('a'.repeat(256)))).toMatchObject({ tenantId: 'quay' });
  for (const subject of ['a'.repeat(257), 'a\u0000b'])
    await expect(verify(await sign(subject))).rejects.toMatchObject({ status: 401 });
});

test('the body of a stranger is not read: what is wrong with it is not told, however large it is', async () => {
  for (const body of ['{"broken', 'x'.repeat(2 * 1024 * 1024)]) {
    for (const [method, path] of [
      ['POST', '/api/v1/hub/runs/stream'],
      ['POST', '/api/v1/callback/t'],
      ['PUT', '/v1/hub/agents/demo/embedded-chat-config'],
      ['POST', '/api/v1/notifications/'],
    ] as const) {
      const answer = await running.request(method, path, { body, token: 'nobody' });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  }
});
