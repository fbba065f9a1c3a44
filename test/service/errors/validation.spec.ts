import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import fastCheck from 'fast-check';
import * as z from 'zod/mini';
import {
  embeddedChatConfigSchema,
  messageSchema,
  notificationSchema,
  runRequestSchema,
  validationErrorSchema,
} from '../../../src/protocol/index.ts';
import { parseJson } from '../../../src/service/errors/validation.ts';
import { atOnce, collect, say, startService, until, type RunningService } from '../running-service.ts';

let running: RunningService;
let token: string;
let threadId: string;

test.beforeAll(async () => {
  running = await startService({ bodyLimit: 64 * 1024, messageLimit: 5_000 });
  token = await running.token();
  const events = await collect(running.client().runStream(say('hi', { agent_id: 'echo', ...atOnce })));
  threadId = String(events[0]?.data['thread_id']);
});
test.afterAll(() => running.close());

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly pattern?: string;
}
type Path = readonly (string | number)[];

const typeOf = (schema: JsonSchema): string | undefined =>
  [schema.type ?? []].flat().find((type) => type !== 'null');

/** Every field of a table: where it stands and what type it has. */
function fields(schema: JsonSchema, path: Path = []): { path: Path; type: string }[] {
  const branches = schema.anyOf?.filter((branch) => typeOf(branch) !== undefined) ?? [schema];
  return branches.flatMap((branch) => {
    const own =
      typeOf(branch) === undefined || path.length === 0
        ? []
        : [{ path, type: branch.pattern ? 'pattern' : String(typeOf(branch)) }];
    if (typeOf(branch) === 'array' && branch.items) return [...own, ...fields(branch.items, [...path, 0])];
    const inner = Object.entries(branch.properties ?? {}).flatMap(([name, member]) =>
      fields(member, [...path, name]),
    );
    return [...own, ...inner];
  });
}

const wrong: Readonly<Record<string, unknown>> = {
  string: 7,
  pattern: 'neither an id nor a date',
  boolean: 'yes',
  integer: 1.5,
  number: 'one',
  array: 'no array',
  object: 'no object',
};

function build(path: Path, value: unknown, base: Readonly<Record<string, unknown>>): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === 'number') return [build(rest, value, {})];
  const inner = base[first];
  return {
    ...base,
    [first]: build(
      rest,
      value,
      (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {}) as Record<
        string,
        unknown
      >,
    ),
  }; // an object
}

const tables = [
  {
    name: 'run',
    method: 'POST',
    path: () => '/api/v1/hub/runs/stream',
    schema: runRequestSchema,
    base: { message: { content: 'hi' }, agent_id: 'echo' },
  },
  {
    name: 'callback',
    method: 'POST',
    path: () => `/api/v1/callback/${threadId}`,
    schema: messageSchema,
    base: { content: 'hi' },
  },
  {
    name: 'notification',
    method: 'POST',
    path: () => '/api/v1/notifications/',
    schema: notificationSchema,
    base: { thread_id: '3f2b8c52-9f5d-4f0e-8b8e-1d2c3b4a5f60' },
  },
  {
    name: 'config',
    method: 'PUT',
    path: () => '/v1/hub/agents/echo/embedded-chat-config',
    schema: embeddedChatConfigSchema,
    base: { layout: {} },
  },
] as const;

for (const { name, method, path, schema, base } of tables) {
  const all = fields(z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema).filter(
    // A string is allowed in the place of the array here, and here only.
    (field) => !(field.type === 'array' && field.path.at(-1) === 'content'),
  );
  test(`every field in the table of ${name} is checked`, () => expect(all.length).toBeGreaterThan(4));

  for (const field of all) {
    test(`${name}: a wrong type of ${field.path.join('.')} (not ${field.type}) is reported`, async () => {
      const body = build(field.path, wrong[field.type], base);
      const response = await running.request(method, path(), { body, token });
      const text = await response.text();
      expect(response.status, text).toBe(422);
      const { detail } = validationErrorSchema.parse(JSON.parse(text));
      expect(detail.map((one) => one.loc)).toContainEqual(['body', ...field.path.map(String)]);
      expect(detail.every((one) => one.loc.every((part) => typeof part === 'string'))).toBe(true);
    });
  }
}

test('a number that is too large is not said to have too many characters', async () => {
  const body = { message: { content: 'hi' }, agent_id: 'echo', version: 1e300 };
  const response = await running.request('POST', '/api/v1/hub/runs/stream', { body, token });
  const [problem] = validationErrorSchema.parse(await response.json()).detail;
  expect(problem).toMatchObject({ loc: ['body', 'version'], msg: 'is too large a number' });
});

for (const [what, name, body, loc] of [
  ['content of a run that is a number', 'run', { message: { content: 5 } }, ['body', 'message', 'content']],
  ['no message', 'run', {}, ['body', 'message']],
  ['no content', 'run', { message: {} }, ['body', 'message', 'content']],
  ['null content', 'run', { message: { content: null } }, ['body', 'message', 'content']],
  ['a callback without content', 'callback', {}, ['body', 'content']],
  ['a notification without a thread', 'notification', {}, ['body', 'thread_id']],
  [
    'a date that does not exist',
    'notification',
    { thread_id: '3f2b8c52-9f5d-4f0e-8b8e-1d2c3b4a5f60', created_on: '2026-13-45T00:00:00Z' },
    ['body', 'created_on'],
  ],
  ['a config without a layout', 'config', { is_live: true }, ['body', 'layout']],
  [
    'a colour of 201 characters',
    'config',
    { layout: { primary_color: 'x'.repeat(201) } },
    ['body', 'layout', 'primary_color'],
  ],
  ['an array for a body', 'run', [], ['body']],
  ['a word for a body', 'run', '"word"', ['body']],
  ['no JSON', 'run', '{"message":', ['body']],
  ['nothing at all', 'run', '', ['body']],
  [
    'a body nested 5,000 deep',
    'run',
    `{"message":{"content":"hi","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
    ['body'],
  ],
] as const) {
  test(`${what}: 422 with the reason`, async () => {
    const table = tables.find((one) => one.name === name);
    const response = await running.request(table?.method ?? 'POST', table?.path() ?? '', { body, token });
    expect(response.status).toBe(422);
    const { detail } = validationErrorSchema.parse(await response.json());
    expect(detail[0]?.loc).toEqual(loc);
    expect(detail[0]?.msg).not.toBe('');
  });
}

test('only the first errors of a long invalid list are reported', async () => {
  const body = { message: { content: Array.from({ length: 20_000 }, () => 1) } };
  const response = await running.request('POST', '/api/v1/hub/runs/stream', { token, body });
  expect(response.status).toBe(422);
  const { detail } = validationErrorSchema.parse(await response.json());
  expect(detail).toHaveLength(100);
  expect(detail.at(-1)?.loc).toEqual(['body', 'message', 'content', '99']);
});

test('a body with too many values is rejected before it is parsed', () => {
  const list = (length: number) => `[${Array.from({ length }, () => '{}').join()}]`;
  expect(parseJson(list(49_000))).toHaveLength(49_000);
  expect(parseJson(`["${',['.repeat(100_000)}"]`)).toHaveLength(1);
  for (const text of [list(51_000), `[${'1,'.repeat(100_000)}1]`])
    expect(() => parseJson(text)).toThrow('must not have more than 100000 values');
});

test('null in an optional field equals its absence', async () => {
  const nulls = (schema: z.core.$ZodType) =>
    Object.fromEntries(
      Object.keys((z.toJSONSchema(schema) as JsonSchema).properties ?? {}).map((name) => [name, null]),
    );
  const message = { ...nulls(messageSchema), content: 'hi' };
  const run = await running.request('POST', '/api/v1/hub/runs/stream', {
    token,
    body: { ...nulls(runRequestSchema), message },
  });
  expect(await run.text()).toContain('"event":"done"');
  expect(
    (await running.request('POST', `/api/v1/callback/${threadId}`, { token, body: message })).status,
  ).toBe(201);
  const notification = { ...nulls(notificationSchema), thread_id: threadId };
  expect(
    (await running.request('POST', '/api/v1/notifications/', { token, body: notification })).status,
  ).toBe(201);
});

test('404, 405, 413 and invalid JSON have the same error shape', async () => {
  const cases = [
    [
      413,
      { body: JSON.stringify({ message: { content: 'x'.repeat(70_000) } }) },
      'POST',
      '/api/v1/hub/runs/stream',
    ],
    [413, { body: { message: { content: 'x'.repeat(5_001) } } }, 'POST', '/api/v1/hub/runs/stream'],
    [413, { body: { content: [{ text: 'x'.repeat(5_001) }] } }, 'POST', `/api/v1/callback/${threadId}`],
    [415, { body: 'hi', headers: { 'content-type': 'text/plain' } }, 'POST', '/api/v1/hub/runs/stream'],
    [404, { body: say('hi', { agent_id: 'nobody' }) }, 'POST', '/api/v1/hub/runs/stream'],
    [404, {}, 'GET', '/nowhere'],
    [405, {}, 'PATCH', '/api/v1/notifications/'],
    [404, {}, 'GET', '/%ff'],
    [422, {}, 'GET', '/api/v1/hub/threads/no-uuid/messages'],
    [422, {}, 'GET', '/api/v1/notifications/'],
    [422, { body: { content: 'hi' } }, 'POST', '/api/v1/callback/no-uuid'],
    [422, { headers: { 'last-event-id': 'no-id' } }, 'GET', `/api/v1/hub/threads/${threadId}/events`],
  ] as const;
  for (const [status, options, method, path] of cases) {
    const response = await running.request(method, path, { token, ...options });
    const text = await response.text();
    expect(response.status, `${method} ${path} ${text}`).toBe(status);
    expect(validationErrorSchema.safeParse(JSON.parse(text)).success, text).toBe(true);
    expect(response.headers.get('content-type')).toContain('application/json');
  }
});

test('unknown keys, unusual characters and the key __proto__ are kept unchanged', async () => {
  const text =
    '{"content":[{"response_type":"text","text":"nul \\u0000 lone \\ud800 end","__proto__":{"a":1}}],"constructor":1,"role":"odd\\u0000role"}';
  const response = await running.request('POST', `/api/v1/callback/${threadId}`, {
    token: running.serverKey, // a visitor's token may only send the role `user`
    body: text,
  });
  expect(response.status).toBe(201);
  const listed = await (
    await running.request('GET', `/api/v1/hub/threads/${threadId}/messages`, { token })
  ).text();
  expect(listed).toContain('"text":"nul \\u0000 lone \\ud800 end","__proto__":{"a":1}');
});

test('a body must be UTF-8, with or without a byte order mark; others are rejected with the reason', async () => {
  const post = async (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${running.address}/api/v1/hub/runs/stream`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await running.token()}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const json = JSON.stringify(say('größer', { agent_id: 'echo', ...atOnce }));
  const marked = await post(Buffer.from(`\ufeff${json}`));
  expect(marked.status).toBe(200);
  expect(marked.text).toContain('größer');
  const latin = await post(Buffer.from(json, 'latin1'));
  expect(latin.status).toBe(422);
  expect(JSON.parse(latin.text)).toEqual({
    detail: [{ loc: ['body'], msg: 'must be UTF-8', type: 'encoding' }],
  });
  const packed = await post(gzipSync(json), { 'content-encoding': 'gzip' });
  expect(packed.status).toBe(415);
  expect(packed.text).toContain('content-encoding');
});

test('random bodies never cause a server error', async () => {
  test.setTimeout(180_000);
  const count = Number(process.env['FUZZ_BODIES'] ?? 1_000);
  const member = fastCheck.oneof(
    fastCheck.constantFrom(
      'message',
      'content',
      'thread_id',
      'layout',
      'role',
      'mentions',
      'additional_properties',
      'client_message_id',
      'guardrails',
      'llm_params',
      'context',
      'id',
      'created_on',
      'form',
      'agent_id',
      '__proto__',
      'toString',
    ),
    fastCheck.string({ maxLength: 8 }),
  );
  const { body } = fastCheck.letrec((tie) => ({
    body: fastCheck.oneof(
      { maxDepth: 5 },
      fastCheck.jsonValue({ maxDepth: 2 }),
      fastCheck.array(tie('body'), { maxLength: 4 }),
      fastCheck.dictionary(member, tie('body'), { maxKeys: 6 }),
    ),
  }));
  const requests = fastCheck.sample(fastCheck.tuple(fastCheck.integer({ min: 0, max: 3 }), body), count);
  const statuses = new Map<number, number>();
  let place = 0;
  const worker = async (): Promise<void> => {
    for (let request = requests[place++]; request; request = requests[place++]) {
      const table = tables[request[0]];
      if (!table) continue;
      const response = await running.request(table.method, table.path(), {
        token,
        body: JSON.stringify(request[1]) ?? 'null',
        signal: AbortSignal.timeout(10_000),
      });
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  for (const status of statuses.keys()) expect([200, 201, 403, 404, 422]).toContain(status);
  expect([...statuses.values()].reduce((sum, one) => sum + one, 0)).toBe(count);
  await until(async () => (await running.request('GET', '/readyz', { token: null })).status === 200);
});
