import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ContentItem, Message, RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { answerWith, startFakeUpstream, type FakeUpstream } from './upstreams/fake-upstream.ts';
import { callsIn, failure, thoughtsIn } from './upstreams/run-events.ts';

/* How servers with a chat-completions endpoint differ from OpenAI's. */

type Fields = Readonly<Record<string, unknown>>;

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));
let upstream: FakeUpstream;
let running: RunningService;
let directory: string;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-servers-'));
  upstream = await startFakeUpstream('text/event-stream');
  const entry = { kind: 'openai', base_url: `${upstream.address}/v1`, model: 'a-model' };
  const berths = { name: 'berths', command: process.execPath, args: [harbour, '5'] };
  const tools = { mcp_servers: [berths], show_tool_details: true };
  const agents = [
    { id: 'plain', ...entry },
    { id: 'newer', ...entry, extra_body: { max_tokens: null } },
    { id: 'thinker', ...entry, starts_with_reasoning: true },
    { id: 'tools', ...entry, tools },
    { id: 'other', ...entry, model: 'other-model', tools },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: object, more: object = {}): string =>
  data({ choices: [{ index: 0, delta: fields, ...more }] });
const stop = `${delta({}, { finish_reason: 'stop' })}data: [DONE]\n\n`;

const ask = (agent: string): Promise<RunEvent[]> =>
  collect(running.client().runStream(say('When is high water?', { agent_id: agent })));

const messageIn = (events: readonly RunEvent[]): Message & { readonly message_id: string } =>
  events.findLast(({ event }) => event === 'message.created')?.data['message'] as Message & {
    readonly message_id: string;
  };

const calling = (request: { readonly body: Fields } | undefined): unknown =>
  (request?.body['messages'] as Fields[]).find((message) => 'tool_calls' in message);

test.describe('fields that a server wants back with its calls', () => {
  const extra_content = { google: { thought_signature: 'sealed' } };
  const call = (name: string, args: object, more: object = {}): object => ({
    id: 'c1',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    ...more,
  });

  test('a signature of a call and the reasoning before it', async () => {
    const requests = answerWith(
      upstream,
      delta({ reasoning_content: 'Which are ' }) +
        delta({ reasoning_content: 'long enough?' }) +
        delta({ tool_calls: [call('find_berth', { length: 9 }, { extra_content })] }) +
        stop,
      delta({ content: 'A4.' }) + stop,
    );
    const events = await ask('tools');
    expect([thoughtsIn(events), spelled(events)]).toEqual(['Which are long enough?', 'A4.']);
    expect(calling(requests[1])).toMatchObject({
      reasoning_content: 'Which are long enough?',
      tool_calls: [{ function: { name: 'find_berth' }, extra_content }],
    });
    expect(JSON.stringify(events)).not.toContain('sealed');
  });

  test('details of reasoning, their pieces joined', async () => {
    const detail = { type: 'reasoning.text', index: 0 };
    const requests = answerWith(
      upstream,
      delta({ reasoning: 'Which ', reasoning_details: [{ ...detail, text: 'Which ' }] }) +
        delta({ reasoning: 'one?', reasoning_details: [{ ...detail, text: 'one?' }] }) +
        delta({ reasoning_details: [{ ...detail, signature: 'sealed' }] }) +
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'also sealed' }] }) +
        delta({ tool_calls: [call('find_berth', { length: 9 })] }) +
        stop,
      delta({ content: 'A4.' }) + stop,
    );
    expect(thoughtsIn(await ask('tools'))).toBe('Which one?');
    expect(calling(requests[1])).toMatchObject({
      reasoning_details: [
        { ...detail, text: 'Which one?', signature: 'sealed' },
        { type: 'reasoning.encrypted', index: 1, data: 'also sealed' },
      ],
    });
  });

  test('they survive a decision, and go to no other model', async () => {
    const requests = answerWith(
      upstream,
      delta({ reasoning_content: 'Hm.' }) +
        delta({
          tool_calls: [call('book_berth', { berth: 'A4', boat: 'Wal', nights: 2 }, { extra_content })],
        }) +
        stop,
      ...Array.from({ length: 2 }, () => delta({ content: 'Booked.' }) + stop),
    );
    const first = await ask('tools');
    const asked = messageIn(first);
    const form = (asked.content as ContentItem[]).find(({ response_type: type }) => type === 'forms');
    const content = [{ ...form, response_type: 'form_operation', form_operation: 'submit' }];
    const decision = { role: 'user' as const, parent_message_id: asked.message_id, content };
    const place = { thread_id: String(first[0]?.data['thread_id']) };
    const decided = await collect(
      running.client().runStream({ ...say(''), ...place, agent_id: 'tools', message: decision }),
    );
    expect(spelled(decided)).toBe('Booked.');
    const kept = { reasoning_content: 'Hm.', tool_calls: [{ extra_content }] };
    expect(calling(requests[1])).toMatchObject(kept);
    const next = {
      role: 'user' as const,
      content: 'Thanks',
      parent_message_id: messageIn(decided).message_id,
    };
    await collect(running.client().runStream({ ...say(''), ...place, agent_id: 'other', message: next }));
    expect(calling(requests[2])).toBeDefined();
    expect(JSON.stringify(requests[2])).not.toMatch(/sealed|Hm\./);
  });
});

test('a server that refuses max_tokens gets the limit as max_completion_tokens', async () => {
  const requests = answerWith(upstream, delta({ content: 'A' }) + stop, delta({ content: 'A' }) + stop);
  for (const agent_id of ['plain', 'newer'])
    await collect(running.client().runStream(say('Ahoy', { agent_id, llm_params: { max_new_tokens: 9 } })));
  expect(requests.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
    [9, undefined],
    [undefined, 9],
  ]);
});

test('reasoning that a template has opened is no part of the answer', async () => {
  answerWith(
    upstream,
    delta({ content: 'The tide rises.</thi' }) + delta({ content: 'nk>\n\nAt six.' }) + stop,
  );
  const events = await ask('thinker');
  expect([thoughtsIn(events), spelled(events)]).toEqual(['The tide rises.', 'At six.']);
});

const itemIn = (events: readonly RunEvent[]): unknown => (messageIn(events).content as ContentItem[])[0];
const source = 'https://tides.example/grey-quay';

for (const [what, fields, citation] of [
  [
    'search_results',
    { search_results: [{ title: 'Tide table', url: source, snippet: 'HW 18:00' }], citations: [source] },
    { title: 'Tide table', url: source, text: 'HW 18:00' },
  ],
  ['citations', { citations: [source] }, { title: source, url: source }],
] as const)
  test(`${what} beside an answer are its sources`, async () => {
    const part = (content: string): string => data({ choices: [{ delta: { content } }], ...fields });
    answerWith(upstream, part('At six ') + part('[1].') + stop);
    const events = await ask('plain');
    expect(messageIn(events).content).toHaveLength(1);
    const item = { response_type: 'conversational_search', text: 'At six [1].', citations: [citation] };
    expect(itemIn(events)).toMatchObject(item);
  });

test('an annotation of an answer is a source of a passage', async () => {
  const url_citation = { url: source, title: 'Tide table', content: 'HW', start_index: 0, end_index: 6 };
  answerWith(
    upstream,
    delta({ content: 'At six.' }) + delta({ annotations: [{ type: 'url_citation', url_citation }] }) + stop,
  );
  expect(itemIn(await ask('plain'))).toMatchObject({
    text: 'At six.',
    citations: [{ title: 'Tide table', url: source, text: 'HW', ranges: [{ start: 0, end: 6 }] }],
  });
});

const whole = (content: string, more: object = {}): string =>
  data({ choices: [{ index: 0, message: { content }, finish_reason: 'stop', ...more }] });
for (const [what, stream] of [
  ['with empty events', `: waiting\n\ndata:\n\n${delta({ content: 'Ahoy.' })}${stop}`],
  ['whose pieces are followed by the whole', delta({ content: 'Ahoy.' }) + whole('Ahoy.')],
  ['in one event', whole('Ahoy.')],
  ['with a message beside each piece', whole('Aho', { delta: { content: 'Ahoy.' } })],
  ['with parts that have no type', delta({ content: [{ text: 'Ahoy.' }] }) + stop],
  ['with tool calls that are none', delta({ content: 'Ahoy.', tool_calls: [null] }) + stop],
  [
    'with tokens that are no numbers',
    delta({ content: 'Ahoy.' }) +
      data({ choices: [], usage: { prompt_tokens: '1', completion_tokens: '1' } }) +
      stop,
  ],
] as const)
  test(`an answer ${what} is read`, async () => {
    answerWith(upstream, stream);
    const events = await ask('plain');
    expect([spelled(events), failure(events)]).toEqual(['Ahoy.', undefined]);
    expect(upstream.requests).toHaveLength(1);
  });

test('a connection that breaks after the end leaves the answer whole', async () => {
  upstream.answer = async (_request, reply) => {
    await reply.raw(delta({ content: 'Ahoy.' }, { finish_reason: 'stop' }));
    setTimeout(() => reply.cut(), 50);
  };
  expect(failure(await ask('plain'))).toBeUndefined();
});

for (const [what, stream, reason] of [
  ['ends early after an empty finish reason', delta({ content: 'A' }, { finish_reason: '' }), 'broke_off'],
  ['ends with an error', delta({ content: 'A' }, { finish_reason: 'error' }) + stop, 'broke_off'],
  ['is the status of another server', data({ error: { code: 429, message: 'x' } }), 'busy'],
] as const)
  test(`an answer that ${what} fails`, async () => {
    answerWith(upstream, stream, stream, stream); // a busy server is asked three times
    expect(failure(await ask('plain'))).toMatchObject({ reason: `upstream_${reason}` });
  });

test('reasoning is shown once, whichever fields have it', async () => {
  const reasoning_details = [{ type: 'reasoning.summary', summary: 'Hm.' }];
  answerWith(
    upstream,
    delta({ reasoning_details }) +
      delta({ reasoning: 'Oh.', reasoning_content: 'Oh.', reasoning_details }) +
      delta({ content: 'Ahoy.' }) +
      stop,
  );
  expect(thoughtsIn(await ask('plain'))).toBe('Hm.Oh.');
});

test('Retry-After in milliseconds counts before that in seconds', async () => {
  upstream.requests.length = 0;
  upstream.answer = async (_request, reply) => {
    if (upstream.requests.length < 3) return reply.fail(429, { 'retry-after': '5', 'retry-after-ms': '20' });
    await reply.raw(delta({ content: 'There.' }) + stop);
    reply.close();
  };
  const start = performance.now();
  expect(spelled(await ask('plain'))).toBe('There.');
  expect(performance.now() - start).toBeLessThan(3_000);
});

for (const [how, calls] of [
  [
    'the same index and no ids',
    [
      { index: 0, function: { name: 'tides', arguments: '{"a":1}' } },
      { index: 0, function: { name: 'berths', arguments: '{}' } },
    ],
  ],
  [
    'neither index nor id, and an object as arguments',
    [{ function: { name: 'tides', arguments: { a: 1 } } }, { function: { name: 'berths', arguments: {} } }],
  ],
] as const)
  test(`whole tool calls with ${how} are separated`, async () => {
    answerWith(upstream, delta({ content: null, tool_calls: calls }) + stop);
    expect(callsIn(await ask('plain'))).toMatchObject([
      { name: 'tides', args: { a: 1 } },
      { name: 'berths', args: {} },
    ]);
  });
