import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpError } from '../../../src/client/index.ts';
import type { ContentItem, RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { startFakeUpstream, type FakeUpstream } from './upstreams/fake-upstream.ts';

let upstream: FakeUpstream;
let running: RunningService;
let directory: string;

test.beforeAll(async () => {
  upstream = await startFakeUpstream('text/event-stream');
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-agui-'));
  const agent = { id: 'planner', kind: 'agui', url: upstream.address };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents: [agent] }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  upstream.requests.length = 0;
});

const ids = { threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', ...ids };

/** Answers every request with these events, between the start and the end of a run. */
function play(events: readonly object[], end: object = finished, lineEnd = '\n'): void {
  upstream.answer = async (_request, reply) => {
    const all = [{ type: 'RUN_STARTED', ...ids }, ...events, end];
    await reply.raw(all.map((event) => `data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`).join(''));
    reply.close();
  };
}
test('a connection that breaks after the end of the run leaves the answer whole', async () => {
  upstream.answer = async (_request, reply) => {
    const all = [{ type: 'RUN_STARTED', ...ids }, ...words('High water at six.', 'm1'), finished];
    await reply.raw(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    setTimeout(() => reply.cut(), 50);
  };
  const events = await ask('When?');
  expect(spelled(events)).toBe('High water at six.');
  expect(events.at(-2)?.event).toBe('run.completed');
});

const words = (text: string, messageId: string): object[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
  { type: 'TEXT_MESSAGE_END', messageId },
];
const interrupted = (...interrupts: readonly object[]): object => ({
  ...finished,
  outcome: { type: 'interrupt', interrupts },
});
const ask = (text: string, events?: readonly RunEvent[], more: object = {}): Promise<RunEvent[]> =>
  collect(running.client().runStream(say(text, { ...threadOf(events), ...more })));
const answer = (item: ContentItem, events: readonly RunEvent[]): Promise<RunEvent[]> =>
  collect(running.client().runStream({ ...threadOf(events), message: { role: 'user', content: [item] } }));
const threadOf = (events?: readonly RunEvent[]): object =>
  events ? { thread_id: String(events[0]?.data['thread_id']) } : {};
const lastBody = (): Readonly<Record<string, unknown>> => upstream.requests.at(-1)?.body ?? {};
const itemsOf = (events: readonly RunEvent[]): ContentItem[] => {
  const message = events.find(({ event }) => event === 'message.interrupt')?.data['message'];
  return (message as { content: ContentItem[] } | undefined)?.content ?? [];
};

test('state and messages go back with the next run, under the agent’s own ids', async () => {
  play([
    { type: 'STATE_SNAPSHOT', snapshot: { boats: ['Wal'] } },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/boats/-', value: 'Marigold' }] },
    { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/none' }] },
    ...words('Two boats.', 'own-1'),
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'find_boats', parentMessageId: 'own-1' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
    { type: 'TOOL_CALL_RESULT', messageId: 'own-2', toolCallId: 'c1', content: 'Wal' },
  ]);
  const first = await ask('Which?');
  expect(spelled(first)).toBe('Two boats.');
  await ask('Sure?', first);
  expect(lastBody()['state']).toEqual({ boats: ['Wal', 'Marigold'] });
  const call = { id: 'c1', type: 'function', function: { name: 'find_boats', arguments: '{}' } };
  expect(lastBody()['messages']).toMatchObject([
    { role: 'user', content: 'Which?' },
    { id: 'own-1', role: 'assistant', content: 'Two boats.', toolCalls: [call] },
    { id: 'own-2', role: 'tool', toolCallId: 'c1', content: 'Wal' },
    { role: 'user', content: 'Sure?' },
  ]);
});

test('an agent is told of attached documents, also beside a form', async () => {
  const plan = '8a3f0d1e-5c2b-4f7a-9d60-1b2c3d4e5f60';
  play(words('A berth plan.', 'own-1'));
  await ask('', undefined, { message: { role: 'user', content: [], document_ids: [plan] } });
  expect(lastBody()['messages']).toMatchObject([
    { role: 'user', content: `(attached documents, by id: ${plan})` },
  ]);
  const form = { response_type: 'form_operation', form_operation: 'submit', form_data: { nights: 2 } };
  await ask('', undefined, { message: { role: 'user', content: [form], document_ids: [plan] } });
  expect(lastBody()['messages']).toMatchObject([
    {
      role: 'user',
      content: `[{"form_operation":"submit","form_data":{"nights":2}}]\n\n(attached documents, by id: ${plan})`,
    },
  ]);
});

test('an agent may rewrite its history', async () => {
  const kept = [{ id: 's1', role: 'assistant', content: 'In short: boats.' }];
  play([...words('Yes.', 'own-1'), { type: 'MESSAGES_SNAPSHOT', messages: kept }]);
  const first = await ask('Which?');
  await ask('Sure?', first);
  expect(lastBody()['messages']).toMatchObject([...kept, { role: 'user', content: 'Sure?' }]);
});

test('plans are shown, and events without a place reach the page', async () => {
  play([
    {
      type: 'ACTIVITY_SNAPSHOT',
      messageId: 'p',
      activityType: 'PLAN',
      content: { steps: [{ title: 'Look' }] },
    },
    { type: 'CUSTOM', name: 'tide', value: 4.2 },
    { type: 'STEP_STARTED', stepName: 'look' },
    { type: 'STEP_FINISHED', stepName: 'look' },
    ...words('Done.', 'm'),
  ]);
  const events = await ask('Plan');
  const dataOf = (name: string): unknown => events.find(({ event }) => event === name)?.data;
  expect(dataOf('planning')).toMatchObject({ steps: [{ title: 'Look' }] });
  expect(dataOf('agui.custom')).toMatchObject({ name: 'tide', value: 4.2 });
  expect(dataOf('run.step.started')).toMatchObject({ name: 'look' });
});

test('an interrupt is a form, and its answer goes back as resume', async () => {
  const responseSchema = { type: 'object', properties: { nights: { type: 'integer' } } };
  play([], interrupted({ id: 'i1', reason: 'input_required', message: 'How long?', responseSchema }));
  const asked = await ask('Book');
  expect(itemsOf(asked)).toMatchObject([
    { response_type: 'forms', id: 'i1', name: 'How long?', json_schema: responseSchema },
  ]);
  play(words('Booked.', 'm2'));
  const operation = {
    response_type: 'form_operation',
    id: 'i1',
    form_operation: 'submit',
    form_data: { nights: 3 },
  };
  expect(spelled(await answer(operation, asked))).toBe('Booked.');
  expect(lastBody()['resume']).toEqual([{ interruptId: 'i1', status: 'resolved', payload: { nights: 3 } }]);
});

test('an interrupt of a tool call is a decision; several are answered together', async () => {
  const call = [
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'book_berth' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"berth":"A1"}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
  ];
  const properties = {
    approved: { type: 'boolean' },
    editedArgs: { properties: { berth: { type: 'string' } } },
  };
  play(
    call,
    interrupted(
      {
        id: 'i1',
        reason: 'tool_call',
        toolCallId: 'c1',
        message: 'Book A1?',
        responseSchema: { type: 'object', properties },
      },
      { id: 'i2', reason: 'confirmation', message: 'Pay now?' },
    ),
  );
  const asked = await ask('Book');
  expect(itemsOf(asked)).toMatchObject([
    { sub_type: 'tool_approval', id: 'i1', name: 'Book berth', form_data: { berth: 'A1' } },
    { id: 'i2', json_schema: { properties: { answer: { type: 'boolean' } } } },
  ]);
  upstream.requests.length = 0;
  const operation = { response_type: 'form_operation', form_operation: 'submit' };
  const first = await answer(
    { ...operation, id: 'i1', sub_type: 'tool_approval', form_data: { berth: 'B2' } },
    asked,
  );
  expect(first.some(({ event }) => event === 'run.failed')).toBe(false);
  expect(upstream.requests).toHaveLength(0);
  play(words('Booked.', 'm2'));
  expect(spelled(await answer({ ...operation, id: 'i2', form_data: { answer: true } }, asked))).toBe(
    'Booked.',
  );
  expect(lastBody()['resume']).toEqual([
    { interruptId: 'i1', status: 'resolved', payload: { approved: true, editedArgs: { berth: 'B2' } } },
    { interruptId: 'i2', status: 'resolved', payload: true },
  ]);
});

test('the first decision is in force; a second one is 409 with it, unless the run broke off', async () => {
  const call = [
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'book_berth' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"berth":"A1"}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
  ];
  const asks = () => play(call, interrupted({ id: 'i1', reason: 'tool_call', toolCallId: 'c1' }));
  asks();
  const asked = await ask('Book');
  const decision = { response_type: 'form_operation', sub_type: 'tool_approval', id: 'i1' };
  const approval = { ...decision, form_operation: 'submit', form_data: { berth: 'A1' } };
  upstream.answer = (_request, reply) => reply.fail(400);
  expect((await answer(approval, asked)).map(({ event }) => event)).toContain('run.failed');
  play(words('Booked.', 'm2'));
  expect(spelled(await answer(approval, asked))).toBe('Booked.');
  upstream.requests.length = 0;
  for (const late of [approval, { ...decision, form_operation: 'cancel' }]) {
    const error: unknown = await answer(late, asked).catch((thrown: unknown) => thrown);
    if (!(error instanceof HttpError)) throw new Error('not refused');
    expect(error.status).toBe(409);
    const { detail } = JSON.parse(error.body) as { detail: unknown };
    expect(detail).toMatchObject([{ type: 'decided', decision: { id: 'i1', state: 'approved' } }]);
  }
  expect(upstream.requests).toHaveLength(0);
  asks(); // the same id again is another question
  await ask('Once more', asked);
  play(words('Booked again.', 'm3'));
  expect(spelled(await answer(approval, asked))).toBe('Booked again.');
});

test('words before an interrupt are a message of their own, which the agent gets back once', async () => {
  play(words('May I?', 'own-1'), interrupted({ id: 'i1', reason: 'confirmation', message: 'Pay now?' }));
  const asked = await ask('Book');
  expect(asked.filter(({ event }) => /created|interrupt/.test(event)).map(({ event }) => event)).toEqual([
    'message.created',
    'message.interrupt',
  ]);
  play(words('Paid.', 'own-2'));
  const operation = { response_type: 'form_operation', id: 'i1', form_operation: 'submit' };
  await answer({ ...operation, form_data: { answer: true } }, asked);
  expect(lastBody()['messages']).toMatchObject([
    { role: 'user', content: 'Book' },
    { id: 'own-1', role: 'assistant', content: 'May I?' },
  ]);
});

test('two interrupts with one id fail the run: an answer could not tell them apart', async () => {
  const twice = { id: 'i1', reason: 'confirmation', message: 'Pay now?' };
  play([], interrupted(twice, twice));
  const events = await ask('Book');
  expect(events.find(({ event }) => event === 'run.failed')?.data['reason']).toBe('upstream_broke_off');
});

test('an agent that stops its own run ends it as stopped, and a state may become empty again', async () => {
  play([{ type: 'STATE_SNAPSHOT', snapshot: { boats: 2 } }, ...words('Two', 'own-1')], {
    ...finished,
    outcome: { type: 'cancelled' },
  });
  const first = await ask('Which?');
  expect(first.slice(-2).map(({ event }) => event)).toEqual(['run.cancelled', 'done']);
  play([{ type: 'STATE_SNAPSHOT', snapshot: {} }, ...words('None.', 'own-2')]);
  const second = await ask('And now?', first);
  expect(lastBody()['state']).toEqual({ boats: 2 });
  await ask('Sure?', second);
  expect(lastBody()['state']).toEqual({});
});

test('reasoning goes back too, with what only its vendor can read', async () => {
  const messageId = 'thought-1';
  play([
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId, delta: 'Spring tide.' },
    { type: 'REASONING_MESSAGE_END', messageId },
    {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: messageId,
      encryptedValue: 'c2VhbGVk',
    },
    ...words('At six.', 'own-1'),
    { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'own-1', role: 'assistant', content: 'At six.' }] },
  ]);
  await ask('Sure?', await ask('When?'));
  expect(lastBody()['messages']).toMatchObject([
    { id: messageId, role: 'reasoning', content: 'Spring tide.', encryptedValue: 'c2VhbGVk' },
    { id: 'own-1', role: 'assistant', content: 'At six.' },
    { role: 'user', content: 'Sure?' },
  ]);
});

test('a typed message cancels an open interrupt', async () => {
  play([], interrupted({ id: 'i1', reason: 'input_required', message: 'How long?' }));
  const asked = await ask('Book');
  play(words('Fine.', 'm2'));
  await ask('Forget it', asked);
  expect(lastBody()['resume']).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
  expect(JSON.stringify(lastBody()['messages'])).toContain('Forget it');
});

test('lines may end with CR and LF', async () => {
  play(words('High water.', 'm'), finished, '\r\n');
  expect(spelled(await ask('When?'))).toBe('High water.');
});
