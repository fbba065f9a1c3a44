import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGUIMock, LLMock, type AGUIEvent, type Fixture, type FixtureOpts } from '@copilotkit/aimock';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { snippets } from '../../docs/snippets.ts';
import { collect, say, spelled, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { callsIn, failure, kinds, textOfMessage, thoughtsIn } from './upstreams/run-events.ts';

/*
 * The contract of the agent kinds on wires that others wrote: `@copilotkit/aimock` plays every service of the page
 * "Plug in your agent". Each entry of the page is used as it stands, but for its host.
 */

type Entry = Readonly<Record<string, unknown>> & { readonly id: string; readonly kind: string };
type Response = Fixture['response'];

const key = 'key-of-the-test';
const secretDetail = 'secret-detail';
const words = 'High water at six.';
const entries = snippets('json')
  .filter(({ document }) => document === 'demo/docs/agents.md')
  .flatMap(({ text }) => (JSON.parse(text) as { agents: Entry[] }).agents)
  .filter(({ kind }) => kind !== 'http');
const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
const agui = new AGUIMock();
let service: ServiceChild;
let directory: string;

test.beforeAll(async () => {
  test.setTimeout(240_000); // builds the service
  mock.mount('/agent', agui);
  await mock.start();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-aimock-'));
  const agents = entries.map((entry) => ({ ...entry, ...addressesOf(entry) }));
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  const variables = entries.flatMap(({ api_key_env: name, headers_env: headers = {} }) => [
    ...(typeof name === 'string' ? [name] : []),
    ...Object.values(headers as Record<string, string>),
  ]);
  service = await startChild({
    AGENTS_FILE: join(directory, 'agents.json'),
    DATA_DIR: join(directory, 'data'),
    LOG_LEVEL: 'trace',
    ...Object.fromEntries(variables.map((name) => [name, key])),
  });
});
test.afterAll(async () => {
  await service.kill('SIGTERM');
  await mock.stop();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  mock.reset();
  agui.reset();
});

/** The addresses of an entry at the mock. Those of vendors, which an entry may leave out, are as the page names them. */
function addressesOf({ kind, base_url: base, url }: Entry): object {
  if (typeof url === 'string') return { url: mock.url + new URL(url).pathname };
  if (typeof base === 'string') return { base_url: mock.url + new URL(base).pathname.replace(/\/$/, '') };
  return { base_url: kind === 'anthropic' ? mock.url : `${mock.url}/v1` };
}

const ask = (id: string, text = 'When?'): Promise<RunEvent[]> =>
  collect(service.client().runStream(say(text, { agent_id: id })));

test('the page has an entry for each service', () => {
  expect(entries.map(({ id }) => id)).toEqual([
    'planner',
    ...['openai', 'gemini', 'ollama', 'vllm', 'litellm', 'lm-studio', 'azure'],
    'researcher',
    'advisor',
  ]);
});

for (const { id, kind, model } of entries) {
  if (kind === 'agui') continue;
  test.describe(id, () => {
    const answerWith = (response: Response, options: FixtureOpts = {}): void => {
      mock.on({ predicate: () => true }, response as Parameters<typeof mock.on>[1], options);
    };
    const requests = () => mock.getRequests().filter(({ method }) => method === 'POST');

    test('text is streamed and stored', async () => {
      answerWith({ content: words }, { chunkSize: 4 });
      const events = await ask(id);
      expect(events.filter(({ event }) => event === 'message.delta').length).toBeGreaterThan(2);
      expect([spelled(events), textOfMessage(events)]).toEqual([words, words]);
      expect(kinds(events).slice(-2)).toEqual(['run.completed', 'done']);
      const [request] = requests();
      expect(request?.body).toMatchObject({ model });
      expect(request?.headers).toMatchObject({
        'x-thread-id': events[0]?.data['thread_id'],
        'x-run-id': events[0]?.data['run_id'],
      });
      expect(request?.headers['traceparent']).toMatch(/^00-/);
    });

    test('reasoning is apart from the answer', async () => {
      answerWith({ content: words, reasoning: 'The tide rises.' });
      const events = await ask(id);
      expect([thoughtsIn(events), spelled(events)]).toEqual(['The tide rises.', words]);
    });

    for (const count of [1, 2]) {
      test(`${count === 1 ? 'a tool call is a step' : 'two tools at once are two steps'}`, async () => {
        const toolCalls = [
          { id: 'call_1', name: 'tides', arguments: '{"port":"Grey Quay"}' },
          { id: 'call_2', name: 'berths', arguments: '{}' },
        ].slice(0, count);
        answerWith({ content: words, toolCalls });
        const events = await ask(id);
        expect(callsIn(events).map(({ name, args }) => ({ name, args }))).toEqual(
          toolCalls.map(({ name, arguments: json }) => ({ name, args: JSON.parse(json) as unknown })),
        );
        expect(spelled(events)).toBe(words);
        expect(events.at(-1)?.event).toBe('done');
      });
    }

    for (const status of [429, 503]) {
      test(`after a ${status}, the request is repeated`, async () => {
        answerWith(() =>
          requests().length === 0
            ? { error: { message: secretDetail }, status, retryAfter: 0 }
            : { content: words },
        );
        expect(spelled(await ask(id))).toBe(words);
        expect(requests()).toHaveLength(2);
      });
    }

    for (const [status, reason, attempts] of [
      [429, 'upstream_busy', 3],
      [503, 'upstream_unavailable', 3],
      [400, 'upstream_refused', 1],
      [401, 'upstream_refused', 1],
    ] as const) {
      test(`nothing but ${status} is ${reason}`, async () => {
        answerWith({ error: { message: secretDetail }, status, retryAfter: 0 });
        const events = await ask(id);
        expect(failure(events)).toMatchObject({ reason });
        expect(requests()).toHaveLength(attempts);
        expect(JSON.stringify(events)).not.toContain(secretDetail);
      });
    }

    test('when the stream is cut after the first words, the visitor keeps them', async () => {
      answerWith({ content: words.repeat(20) }, { chunkSize: 4, truncateAfterChunks: 8, latency: 30 });
      const events = await ask(id);
      const said = spelled(events);
      expect(said.length).toBeGreaterThan(0);
      expect(words.repeat(20).startsWith(said)).toBe(true);
      expect(failure(events)).toMatchObject({
        reason: 'upstream_broke_off',
        error: { message: 'The answer broke off. Please try again.' },
      });
      expect(requests()).toHaveLength(1);
    });

    test('broken JSON in place of an answer is no answer', async () => {
      answerWith({ content: words }, { chaos: { malformedRate: 1 } });
      expect(failure(await ask(id))).toMatchObject({ reason: 'upstream_no_answer' });
    });

    test('a slow first token is waited for', async () => {
      answerWith({ content: words }, { streamingProfile: { ttft: 700, tps: 200 } });
      expect(spelled(await ask(id))).toBe(words);
    });

    test('Stop keeps what was said', async () => {
      answerWith({ content: words.repeat(200) }, { chunkSize: 4, latency: 30 });
      const client = service.client();
      const events: RunEvent[] = [];
      for await (const event of client.runStream(say('When?', { agent_id: id }))) {
        events.push(event);
        if (event.event === 'message.delta') await client.extensions.cancelRun(String(event.data['run_id']));
      }
      expect(kinds(events).slice(-2)).toEqual(['run.cancelled', 'done']);
      expect(spelled(events)).toMatch(/^High/);
    });
  });
}

test.describe('planner', () => {
  const ids = { threadId: 't', runId: 'r' };
  const planner = 'planner';

  test('text, reasoning and a tool call', async () => {
    agui.onMessage('When?', words);
    agui.onReasoning('Why?', 'The tide rises.');
    agui.onToolCall('Which?', 'tides', '{"port":"Grey Quay"}', { result: 'at six' });
    expect(textOfMessage(await ask(planner))).toBe(words);
    expect(thoughtsIn(await ask(planner, 'Why?'))).toBe('The tide rises.');
    const events = await ask(planner, 'Which?');
    expect(callsIn(events)).toMatchObject([{ name: 'tides', args: { port: 'Grey Quay' } }]);
    expect(JSON.stringify(events)).toContain('at six');
  });

  test('a run that reports an error has failed, and so has one that is cut', async () => {
    const begun = [
      { type: 'RUN_STARTED', ...ids },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'High ' },
    ] as AGUIEvent[];
    agui.onRun('When?', [...begun, { type: 'RUN_ERROR', message: secretDetail }]);
    agui.onRun('Why?', begun);
    for (const text of ['When?', 'Why?']) {
      const events = await ask(planner, text);
      expect(spelled(events)).toBe('High ');
      expect(failure(events)).toMatchObject({ reason: 'upstream_broke_off' });
      expect(JSON.stringify(events)).not.toContain(secretDetail);
    }
  });

  test('an endpoint that knows no such run refuses it', async () => {
    expect(failure(await ask(planner))).toMatchObject({ reason: 'upstream_refused' });
  });

  test('state goes back with the next run', async () => {
    agui.onRun('When?', [
      { type: 'RUN_STARTED', ...ids },
      { type: 'STATE_SNAPSHOT', snapshot: { boats: 2 } },
      { type: 'RUN_FINISHED', ...ids },
    ]);
    agui.onPredicate(
      ({ state }) => JSON.stringify(state) === '{"boats":2}',
      [
        { type: 'RUN_STARTED', ...ids },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Two boats.' },
        { type: 'RUN_FINISHED', ...ids },
      ],
    );
    const first = await ask(planner);
    const thread = { agent_id: planner, thread_id: String(first[0]?.data['thread_id']) };
    const second = await collect(service.client().runStream(say('And?', thread)));
    expect(spelled(second)).toBe('Two boats.');
  });
});

test('neither keys nor texts get into the log', async () => {
  await until(() => service.log.some((line) => line.includes('upstream')));
  const log = service.log.join('\n');
  for (const text of [key, secretDetail, 'High', 'Grey Quay', 'When?', 'tide rises'])
    expect(log).not.toContain(text);
});
