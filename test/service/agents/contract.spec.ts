import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import {
  secretDetail,
  startFakeUpstream,
  type FakeReply,
  type FakeUpstream,
} from './upstreams/fake-upstream.ts';
import {
  callsIn,
  failure,
  kinds,
  memoryOf,
  resultsIn,
  textOfMessage,
  thoughtsIn,
} from './upstreams/run-events.ts';
import { wires, type Wire } from './upstreams/wires.ts';

/*
 * What every agent kind with an upstream does, whatever its wire: what the visitor reads, what the log says, and how
 * much memory it takes. One service, in a process of its own, has an agent of each kind.
 */

const key = 'key-of-the-test';
const words = 'High water at six.';
const eventLimit = 65_536;
const upstreams = new Map<string, FakeUpstream>();
let service: ServiceChild;
let directory: string;

test.beforeAll(async () => {
  test.setTimeout(240_000); // builds the service
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-contract-'));
  const agents = [];
  for (const { kind, type, entry } of wires) {
    const upstream = await startFakeUpstream(type);
    upstreams.set(kind, upstream);
    const agent = { kind, ...entry(upstream.address) };
    agents.push({ ...agent, id: kind }, { ...agent, id: `${kind}-hasty`, timeout: '700ms' });
  }
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  service = await startChild({
    AGENTS_FILE: join(directory, 'agents.json'),
    DATA_DIR: join(directory, 'data'),
    EVENT_LIMIT: String(eventLimit),
    LOG_LEVEL: 'trace',
    TEST_UPSTREAM_KEY: key,
  });
});
test.afterAll(async () => {
  await service.kill('SIGTERM');
  for (const upstream of upstreams.values()) await upstream.stop();
  rmSync(directory, { recursive: true });
});

for (const wire of wires) test.describe(wire.kind, () => contract(wire));

function contract(wire: Wire): void {
  const upstream = (): FakeUpstream => {
    const found = upstreams.get(wire.kind);
    if (!found) throw new Error('not started');
    return found;
  };
  const ask = (text = 'When?', subject?: string): Promise<RunEvent[]> =>
    collect(service.client(subject).runStream(say(text, { agent_id: wire.kind })));
  const answerWith = (...parts: readonly string[]): void => {
    upstream().answer = async (_request, reply) => {
      for (const part of parts) await reply.raw(part);
      reply.close();
    };
  };
  test.beforeEach(() => {
    upstream().requests.length = 0;
  });

  test('text is streamed and stored', async () => {
    answerWith(wire.start(), wire.text('High '), wire.text('water '), wire.text('at six.'), wire.end());
    const events = await ask();
    expect(spelled(events)).toBe(words);
    expect(kinds(events).slice(-4)).toEqual([
      'message.created',
      'message.completed',
      'run.completed',
      'done',
    ]);
    expect(textOfMessage(events)).toBe(words);
  });

  test('reasoning is apart from the answer', async () => {
    answerWith(wire.start(), wire.thought('The tide '), wire.thought('rises.'), wire.text(words), wire.end());
    const events = await ask();
    expect(thoughtsIn(events)).toBe('The tide rises.');
    expect(spelled(events)).toBe(words);
  });

  for (const count of [1, 2]) {
    test(`${count === 1 ? 'a tool call is a step' : 'two tools at once are two steps'}`, async () => {
      const calls = [
        { id: 'call-1', name: 'tides', args: { port: 'Grey Quay' } },
        { id: 'call-2', name: 'berths', args: {} },
      ].slice(0, count);
      answerWith(wire.start(), wire.text(words), wire.calls(calls), wire.end(true));
      const events = await ask();
      expect(callsIn(events)).toEqual(calls);
      expect(spelled(events)).toBe(words);
      expect(events.at(-1)?.event).toBe('done');
      if (wire.hasResults)
        expect(resultsIn(events)).toEqual(calls.map(({ id }) => ({ id, content: `result of ${id}` })));
    });
  }

  for (const [status, headers] of [
    [429, { 'retry-after': '0' }],
    [503, {}],
  ] as const) {
    test(`after a ${status}, the request is repeated`, async () => {
      upstream().answer = async (_request, reply) => {
        if (upstream().requests.length === 1) return reply.fail(status, headers);
        for (const part of [wire.start(), wire.text(words), wire.end()]) await reply.raw(part);
        reply.close();
      };
      expect(spelled(await ask())).toBe(words);
      expect(upstream().requests).toHaveLength(2);
    });
  }

  for (const [status, code, message] of [
    [429, 'upstream_busy', 'The assistant is very busy right now. Please try again in a moment.'],
    [503, 'upstream_unavailable', 'The assistant cannot be reached right now. Please try again in a moment.'],
  ] as const) {
    test(`with nothing but ${status}, the visitor reads "${message}"`, async () => {
      upstream().answer = (_request, reply) =>
        reply.fail(status, { 'retry-after': upstream().requests.length < 3 ? '0' : '20' });
      const events = await ask();
      expect(failure(events)).toMatchObject({ reason: code });
      // no `audience`: clients have words of their own
      expect(failure(events)?.['error']).toEqual({ code, message, retry_after: 20 });
      expect(upstream().requests).toHaveLength(3);
      expect(JSON.stringify(events)).not.toContain(secretDetail);
    });
  }

  test('a refused request is not repeated', async () => {
    upstream().answer = (_request, reply) => reply.fail(400);
    expect(failure(await ask())).toMatchObject({ reason: 'upstream_refused' });
    expect(upstream().requests).toHaveLength(1);
  });

  const endings: [string, (reply: FakeReply) => Promise<void> | void][] = [
    ['the connection breaks', (reply) => reply.cut()],
    ['the stream ends early', (reply) => reply.close()],
  ];
  if (wire.fault() !== '')
    endings.push([
      'upstream reports an error',
      async (reply) => {
        await reply.raw(wire.fault());
        reply.close();
      },
    ]);
  for (const [how, end] of endings) {
    test(`when ${how} after the first word, the visitor keeps it and reads that the answer broke off`, async () => {
      let hear: () => void = () => undefined;
      const isHeard = new Promise<void>((resolve) => (hear = resolve));
      upstream().answer = async (_request, reply) => {
        await reply.raw(wire.start() + wire.text('High '));
        await isHeard;
        await end(reply);
      };
      const events: RunEvent[] = [];
      for await (const event of service.client().runStream(say('When?', { agent_id: wire.kind }))) {
        events.push(event);
        if (event.event === 'message.delta') hear();
      }
      expect(spelled(events)).toBe('High ');
      expect(failure(events)).toMatchObject({
        reason: 'upstream_broke_off',
        error: { message: 'The answer broke off. Please try again.' },
      });
      expect(upstream().requests).toHaveLength(1);
      expect(JSON.stringify(events)).not.toContain(secretDetail);
    });
  }

  test(`after broken JSON the answer ${wire.afterBrokenJson}`, async () => {
    answerWith(wire.start(), wire.text(words), wire.brokenJson, wire.end());
    const events = await ask();
    expect(spelled(events)).toBe(words);
    if (wire.afterBrokenJson === 'goes on') expect(failure(events)).toBeUndefined();
    else expect(failure(events)).toMatchObject({ reason: 'upstream_broke_off' });
    expect(JSON.stringify(events)).not.toContain(secretDetail);
  });

  test('a page instead of an answer is no answer', async () => {
    answerWith(`<html><body>log in, ${secretDetail}</body></html>`);
    const events = await ask();
    expect(failure(events)).toMatchObject({ reason: 'upstream_no_answer' });
    expect(JSON.stringify(events)).not.toContain(secretDetail);
  });

  test('a line without end is read up to EVENT_LIMIT, in bounded memory', async () => {
    let sent = 0;
    const before = memoryOf(service);
    upstream().answer = async (request, reply) => {
      await reply.raw(wire.start() + wire.endless);
      for (; !request.closed && sent < 256 * 1024 * 1024; sent += 65_536) await reply.raw('x'.repeat(65_536));
      reply.close();
    };
    expect(failure(await ask())).toMatchObject({ reason: 'event_too_large' });
    await until(() => upstream().requests.at(-1)?.closed === true);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(memoryOf(service) - before).toBeLessThan(64 * 1024 * 1024);
  });

  if (wire.kind === 'http')
    test('its own words about a failure are marked as meant for the visitor', async () => {
      const failed = (data: unknown): string => `${JSON.stringify({ event: 'run.failed', data })}\n`;
      answerWith(wire.start(), failed({ error: { code: 'closed', message: 'We are closed.' } }));
      const error = { code: 'closed', message: 'We are closed.', audience: 'visitor' };
      expect(failure(await ask())).toMatchObject({ error });
      answerWith(wire.start(), failed({ error: { message: 'no such table', audience: 'developer' } }));
      expect(failure(await ask())).toMatchObject({ error: { audience: 'developer' } });
      answerWith(wire.start(), failed({ error: 'no such table' }));
      expect(failure(await ask())).toMatchObject({ error: 'no such table' });
    });

  if (wire.kind === 'http')
    test('the log names a line that is not JSON as what it is, without its text', async () => {
      answerWith(wire.start(), wire.text(words), '{High water\n');
      expect(failure(await ask())).toMatchObject({ reason: 'upstream_broke_off' });
      const named = 'a line of the answer is not JSON';
      await until(() => service.log.some((line) => line.includes(named)));
    });

  test('a slow first token is waited for', async () => {
    upstream().answer = async (_request, reply) => {
      await reply.raw(wire.start());
      await new Promise((resolve) => setTimeout(resolve, 700));
      await reply.raw(wire.text(words) + wire.end());
      reply.close();
    };
    expect(spelled(await ask())).toBe(words);
  });

  for (const [when, said, text] of [
    ['before the answer', '', 'The assistant cannot be reached'],
    ['in the answer', wire.start() + wire.text('High '), 'The answer broke off'],
  ] as const)
    test(`silence ${when} ends the run after timeout`, async () => {
      upstream().answer = async (_request, reply) => {
        if (said !== '') await reply.raw(said);
      };
      const events = await collect(
        service.client().runStream(say('When?', { agent_id: `${wire.kind}-hasty` })),
      );
      expect((failure(events)?.['error'] as { message: string }).message).toContain(text);
      expect(upstream().requests).toHaveLength(1);
      await until(() => upstream().requests.at(-1)?.closed === true);
    });

  test('Stop reaches upstream, and keeps what was said', async () => {
    upstream().answer = (_request, reply) => reply.raw(wire.start() + wire.text('High '));
    const client = service.client();
    const events: RunEvent[] = [];
    for await (const event of client.runStream(say('When?', { agent_id: wire.kind }))) {
      events.push(event);
      if (event.event === 'message.delta') await client.extensions.cancelRun(String(event.data['run_id']));
    }
    expect(kinds(events).slice(-2)).toEqual(['run.cancelled', 'done']);
    expect(spelled(events)).toBe('High ');
    await until(() => upstream().requests.at(-1)?.closed === true);
  });

  test('upstream is told which conversation it serves, and not who the visitor is', async () => {
    answerWith(wire.start(), wire.text(words), wire.end());
    const events = await ask('When?', 'ada@harbour.example');
    const [request] = upstream().requests;
    const first = events[0]?.data ?? {};
    expect(request?.headers).toMatchObject({
      'x-thread-id': first['thread_id'],
      'x-run-id': first['run_id'],
    });
    expect(request?.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/);
    const user = wire.kind === 'http' ? request?.headers['x-user'] : wire.userOf(request?.body ?? {});
    expect(user).toMatch(/^[\da-f]{64}$/);
    if (wire.kind === 'http') expect(request?.body['subject']).toBe('ada@harbour.example');
    else expect(JSON.stringify([request?.body, request?.headers])).not.toContain('ada@');
    await ask('When?', 'ada@harbour.example');
    await ask('When?', 'bob@harbour.example');
    const [, again, other] = upstream().requests;
    const userOf = (one: typeof request): unknown =>
      wire.kind === 'http' ? one?.headers['x-user'] : wire.userOf(one?.body ?? {});
    expect(userOf(again)).toBe(user);
    expect(userOf(other)).not.toBe(user);
  });

  if (wire.kind === 'http')
    test('upstream gets the request as it came, with fields that the interface does not name', async () => {
      answerWith(wire.start(), wire.text(words), wire.end());
      const named = { context: { page: '/berths' }, environment_id: 'draft', version: 3 };
      const others = { harbour: { berths: [4, null] }, constructor: 'field', run_id: 'not a run' };
      const request = { ...say('When?', { agent_id: 'http' }), ...named, ...others };
      const events = await collect(service.client().runStream(request));
      const body = upstream().requests[0]?.body ?? {};
      expect(body).toMatchObject({ ...named, harbour: others.harbour, message: { role: 'user' } });
      expect(Object.entries(body)).toContainEqual(['constructor', 'field']);
      expect(body['run_id']).toBe(events[0]?.data['run_id']);
    });

  test('neither keys nor texts get into the log', () => {
    const log = service.log.join('\n');
    expect(log).toContain('upstream');
    for (const text of [key, secretDetail, 'High', 'Grey Quay', 'When?', 'ada@'])
      expect(log).not.toContain(text);
  });
}
