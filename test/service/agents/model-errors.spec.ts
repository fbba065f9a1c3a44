import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { collect, say, spelled, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { failure } from './upstreams/run-events.ts';

/* What the log tells the operator about the errors of model servers, and how their headers and queries are set. */

const secretText = 'Marigold lies at berth C 14';
const json = 'application/json';

/** Errors by the id of an agent: status, type, body, and what the log says. */
const errors: Readonly<Record<string, readonly [number, string, unknown, string]>> = {
  'openai-limit': [
    400,
    json,
    {
      error: {
        message: `Unsupported parameter: 'max_tokens'. ${secretText}`,
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: 'unsupported_parameter',
      },
    },
    'upstream answered 400 (unsupported_parameter): its error names a parameter; to leave it out, set "extra_body": {"max_tokens": null}',
  ],
  mistral: [
    422,
    json,
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'user'], msg: secretText }] },
    'upstream answered 422: its error names a parameter; to leave it out, set "extra_body": {"user": null}',
  ],
  vllm: [
    400,
    json,
    {
      error: {
        message: `This model's maximum context length is 4096 tokens. ${secretText}`,
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    'upstream answered 400 (BadRequestError): the conversation is longer than the context of the model',
  ],
  anthropic: [
    400,
    json,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: `Your credit balance is too low. ${secretText}` },
    },
    'upstream answered 400 (invalid_request_error): the account has no credit left',
  ],
  'long-prompt': [
    400,
    json,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long: 9 tokens. ${secretText}` },
    },
    'upstream answered 400 (invalid_request_error): the conversation is longer than the context of the model',
  ],
  'openai-quota': [
    429,
    json,
    { error: { message: secretText, type: 'insufficient_quota', param: null, code: 'insufficient_quota' } },
    'upstream answered 429 (insufficient_quota): the account has no credit left',
  ],
  gemini: [
    400,
    json,
    [{ error: { code: 400, message: secretText, status: 'INVALID_ARGUMENT' } }],
    'upstream answered 400 (INVALID_ARGUMENT)',
  ],
  ollama: [
    404,
    json,
    { error: { message: secretText, type: 'not_found_error', param: null, code: null } },
    'upstream answered 404 (not_found_error): check "base_url" and "model"',
  ],
  deepseek: [402, 'text/html', secretText, 'upstream answered 402: the account has no credit left'],
  'lm-studio': [
    200,
    json,
    { error: secretText },
    'upstream reported an error instead of an answer: check "base_url" and "model"',
  ],
  'open-router': [
    200,
    'text/event-stream',
    `: OPENROUTER PROCESSING\n\ndata: {"choices":[{"index":0,"delta":{"content":"So. "}}]}\n\ndata: {"error":{"code":502,"message":"${secretText}"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n`,
    'upstream reported an error (502) instead of an answer',
  ],
};

const answer = 'data: {"choices":[{"index":0,"delta":{"content":"Ahoy."}}]}\n\ndata: [DONE]\n\n';

const anthropicAnswer = (stopReason: string, text = ''): string =>
  [
    { type: 'message_start', message: { model: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
    { type: 'message_delta', delta: { stop_reason: stopReason } },
    { type: 'message_stop' },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');

let models: Server;
let service: ServiceChild;
let directory: string;
const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];

test.beforeAll(async () => {
  test.setTimeout(240_000); // builds the service
  models = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const [status, type, body] = errors[path.split('/')[1] ?? ''] ?? [];
    request.resume();
    if (path.startsWith('/template'))
      return response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Hm.</think>Ahoy."},"finish_reason":"stop"}]}\n\n',
      );
    if (path.startsWith('/cut'))
      return response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Once upon"},"finish_reason":"length"}]}\n\n',
      );
    if (path.startsWith('/busy'))
      return response.end(
        `data: {"type":"error","error":{"type":"overloaded_error","message":"${secretText}"}}\n\n`,
      );
    if (path.startsWith('/recovers'))
      return response.end(
        requests.length < 3
          ? 'data: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'
          : anthropicAnswer('end_turn', 'Ahoy.'),
      );
    if (path.startsWith('/refused')) return response.end(anthropicAnswer('refusal'));
    if (path.startsWith('/deprecated')) return response.end(anthropicAnswer('end_turn', 'Ahoy.'));
    if (path.startsWith('/filtered'))
      return response.end(
        'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"content_filter"}]}\n\n',
      );
    if (path.startsWith('/failed'))
      return response.end(
        `data: {"type":"response.failed","response":{"error":{"code":"server_error","message":"${secretText}"}}}\n\n`,
      );
    if (path.startsWith('/gzip'))
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(answer));
    if (path.startsWith('/moved')) return response.writeHead(307, { location: '/elsewhere' }).end();
    if (status === undefined) return response.end(answer);
    return response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve));
  const { port } = models.address() as AddressInfo; // listening on a port
  const address = `http://127.0.0.1:${port}`;
  const headers_env = { 'api-key': 'TEST_AZURE_KEY' };
  const query = '?api-version=2024-10-21';
  const agents = [
    ...[...Object.keys(errors), 'moved', 'template', 'cut', 'gzip', 'filtered'].map((id) => ({
      id,
      base_url: `${address}/${id}/v1`,
      headers_env,
    })),
    { id: 'azure', base_url: `${address}/openai/deployments/d/${query}`, headers_env },
    { id: 'azure-responses', kind: 'responses', base_url: `${address}/openai${query}`, headers_env },
    { id: 'azure-anthropic', kind: 'anthropic', base_url: `${address}/anthropic${query}`, headers_env },
    ...['busy', 'recovers', 'refused'].map((id) => ({
      id,
      kind: 'anthropic',
      base_url: `${address}/${id}`,
    })),
    {
      id: 'deprecated',
      kind: 'anthropic',
      base_url: `${address}/deprecated`,
      model: 'claude-sonnet-4-5-20250929', // of those that the library warns of
    },
    { id: 'failed', kind: 'responses', base_url: `${address}/failed` },
  ].map((entry) => ({ kind: 'openai', model: 'm', ...entry }));
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-models-'));
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  service = await startChild({
    AGENTS_FILE: join(directory, 'agents.json'),
    DATA_DIR: join(directory, 'data'),
    TEST_AZURE_KEY: 'key-of-the-test',
  });
});
test.afterAll(async () => {
  await service.kill('SIGTERM');
  models.close();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  requests.length = 0;
});

/** Asks, and returns the events of the run with the reasons that it left in the log. */
async function ask(agentId: string) {
  const from = service.log.length;
  const request = say('Ahoy', { agent_id: agentId, llm_params: { max_new_tokens: 9 } });
  const events = await collect(service.client().runStream(request));
  const runId = String(events[0]?.data['run_id']);
  const lines = (): string[] => service.log.slice(from);
  await until(() => lines().some((line) => line.includes(runId) && line.includes('run ended')));
  return { events, log: lines().join('\n').replaceAll('\\"', '"') };
}

for (const [agent, [, , , told]] of Object.entries(errors))
  test(`the log says what to do about an error, and quotes no text: ${agent}`, async () => {
    const { events, log } = await ask(agent);
    expect(log).toContain(told);
    expect(JSON.stringify(events) + log).not.toMatch(/Marigold|key-of-the-test/);
    expect(failure(events)).toBeDefined();
    expect(requests).toHaveLength(1);
  });

for (const [agent, word] of [
  ['busy', 'overloaded_error'],
  ['failed', 'server_error'],
] as const)
  test(`the log has the word for an error in the stream: ${agent}`, async () => {
    const { log } = await ask(agent);
    expect(log).toContain(`upstream reported an error (${word}) instead of an answer`);
    expect(log).not.toContain('Marigold');
  });

test('an overload as the first event is tried again, like the status 529', async () => {
  expect(spelled((await ask('recovers')).events)).toBe('Ahoy.');
  expect(requests).toHaveLength(3);
  const { events } = await ask('busy');
  expect(failure(events)).toMatchObject({ error: { code: 'upstream_unavailable' } });
  expect(requests).toHaveLength(6);
});

for (const [agent, reason] of [
  ['refused', 'refusal'],
  ['filtered', 'content_filter'],
] as const)
  test(`an answer that the vendor declines before its first word is no fault: ${agent}`, async () => {
    const { events, log } = await ask(agent);
    expect(failure(events)).toMatchObject({ reason: 'guardrail', error: { code: 'upstream_declined' } });
    expect(log).toContain(`upstream ended (${reason}) without an answer`);
    expect(requests).toHaveLength(1);
  });

test('the warnings of a library are lines of the log', async () => {
  const from = service.log.length;
  await ask('deprecated');
  const lines = service.log.slice(from).filter((line) => line.includes('is deprecated'));
  expect(lines).toHaveLength(1);
  expect((JSON.parse(lines[0]!) as { msg: string }).msg).toContain('claude-sonnet-4-5-20250929');
});

test('a redirect is not followed: headers with keys stay', async () => {
  expect((await ask('moved')).log).toContain('redirects are not followed: configure the final address');
  expect(requests).toHaveLength(1);
});

test('a compressed answer is read', async () => {
  expect(spelled((await ask('gzip')).events)).toBe('Ahoy.');
});

test('the log says how to separate reasoning without a start', async () => {
  expect((await ask('template')).log).toContain('set "starts_with_reasoning": true');
});

test('the log says that an answer was cut: it looks like a whole one', async () => {
  expect((await ask('cut')).log).toContain(
    'the answer was cut (length): the visitor sees its beginning only',
  );
});

for (const [agent, path] of [
  ['azure', '/openai/deployments/d/chat/completions?api-version=2024-10-21'],
  ['azure-responses', '/openai/responses?api-version=2024-10-21'],
  ['azure-anthropic', '/anthropic/v1/messages?api-version=2024-10-21'],
] as const)
  test(`headers of the operator and the query of the address are sent, and no other key: ${agent}`, async () => {
    await ask(agent);
    expect(requests.map((request) => request.path)).toEqual([path]);
    expect(requests[0]?.headers).toMatchObject({ 'api-key': 'key-of-the-test' });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    expect(requests[0]?.headers).not.toHaveProperty('x-api-key');
  });
