import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { AgentEvent, AgentRun, RegisteredAgent } from '../../../src/service/agents/agent.ts';
import type { EndedRun, EngineReports } from '../../../src/service/runs/engine-reports.ts';
import { Journal } from '../../../src/service/runs/journal.ts';
import { LiveRun } from '../../../src/service/runs/live-run.ts';
import { RunAborted } from '../../../src/service/runs/run-end.ts';
import { RunExecution } from '../../../src/service/runs/run-execution.ts';
import { RunMeter } from '../../../src/service/runs/run-meter.ts';
import { startedEvent } from '../../../src/service/runs/started-event.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { messagesOfRun } from '../../../src/service/storage/messages.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { runEventsAfter, start } from '../../../src/service/storage/run-events.ts';
import { findRun, type Run } from '../../../src/service/storage/runs.ts';
import type { StartedRun } from '../../../src/service/storage/start-runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { noSpan } from '../../../src/service/telemetry/span.ts';
import { until } from '../running-service.ts';
import { startTestRun } from '../storage/start-test-run.ts';
import { refuseEvents } from './refuse-events.ts';

let folder: string;
let store: Store;
/** The commits that waited for the disk. */
let commits: number;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-chat-execution-'));
  store = openSqlite(folder);
  await migrate(store);
  commits = 0;
  const transaction = store.transaction.bind(store);
  store.transaction = (work, options) => {
    if (options?.durable !== false) commits += 1;
    return transaction(work, options);
  };
});
test.afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const newJournal = (): Journal =>
  new Journal({ store, owner: 'this one', onLost: () => Promise.resolve('lost') });

const begin = (): Promise<StartedRun> => startTestRun(store, { firstEvent: startedEvent });

interface Executed {
  readonly status: string;
  /** Events that readers got at once. */
  readonly reads: readonly (readonly string[])[];
  /** Data of the last event. */
  readonly last: unknown;
  /** Why the run failed or expired, as the log has it. */
  readonly reason: string | undefined;
}

async function execute(
  { run, message, firstEvent }: StartedRun,
  events: () => AsyncIterable<AgentEvent>,
  { signal } = new AbortController(),
): Promise<Executed> {
  const live = new LiveRun(run, () => undefined);
  const reads: string[][] = [];
  let reason: string | undefined;
  let last = '{}';
  let cursor = start;
  live.listen(() => {
    const found = live.after(cursor) ?? [];
    cursor = found.at(-1) ?? cursor;
    if (found.length > 0) reads.push(found.map(({ event }) => event));
    last = found.at(-1)?.json ?? last;
  });
  const reports = {
    runStarted: () => undefined,
    event: () => undefined,
    firstToken: () => undefined,
    error: () => undefined,
    runEnded: (ended: EndedRun) => {
      ({ reason } = ended);
    },
  } as unknown as EngineReports; // what the meter calls of it
  const agent = { id: run.agent_id } as RegisteredAgent;
  const meter = new RunMeter({ run, agent, reports, span: noSpan });
  const execution = new RunExecution({
    live,
    journal: newJournal(),
    run: {
      runId: run.id,
      threadId: run.thread_id,
      tenantId: run.tenant_id,
      subject: run.author,
      agentId: run.agent_id,
      message,
      context: {},
      signal,
    } as unknown as AgentRun, // what the execution reads of it
    started: firstEvent,
    events,
    checkComposed: (content) => Promise.resolve(content),
    eventLimit: 10_000,
    meter,
  });
  const status = await execution.execute();
  meter.ended(status);
  return { status, reads, last: JSON.parse(last), reason };
}

async function* sayHello(): AsyncGenerator<AgentEvent> {
  yield await Promise.resolve('Hello, ');
  yield 'sailor.';
}

async function stored(run: Run): Promise<{ status: string; events: string[]; messages: string[] }> {
  const events = await runEventsAfter(store.database, run.id, start);
  const messages = await messagesOfRun(store.database, run);
  return {
    status: (await findRun(store.database, run.id))?.status ?? '',
    events: events.map(({ event }) => event),
    messages: messages.map(({ stored: { content } }) => JSON.stringify(content)),
  };
}

const end = ['message.created', 'message.completed', 'run.completed', 'done'];
const delta = 'message.delta';

test('a run waits for the disk twice: for its start, and for its answer and end', async () => {
  const started = await begin();
  expect((await stored(started.run)).events).toEqual(['run.started']);
  const { status, reads } = await execute(started, sayHello);
  expect(status).toBe('completed');
  expect(commits).toBe(2);
  expect(reads).toEqual([['run.started'], ['message.started', delta], [delta], end]);
  const events = ['run.started', 'message.started', delta, delta, ...end];
  expect(await stored(started.run)).toMatchObject({ status: 'completed', events });
});

test('an answer that cannot be stored is not acknowledged, and is stored later', async () => {
  const started = await begin();
  const { transaction } = store;
  store.transaction = () => Promise.reject(new Error('disk full'));
  const { status, reads, last, reason } = await execute(started, sayHello);
  expect(status).toBe('failed');
  expect(reason).toBe('not_stored');
  const error = { code: 'not_stored', message: 'The answer could not be saved.' };
  expect(last).toMatchObject({ reason: 'not_stored', error });
  expect(reads.at(-1)).toEqual(['run.failed', 'done']);
  expect(reads.flat()).not.toContain('message.created');
  store.transaction = transaction;
  await until(async () => (await stored(started.run)).status === 'completed');
  const { events, messages } = await stored(started.run);
  expect(events.slice(-4)).toEqual(end);
  expect(messages).toEqual([expect.stringContaining('Hello, sailor.')]);
});

test('a store that fails in the middle of a run is the reason of its end, not the agent', async () => {
  const started = await begin();
  async function* events(): AsyncGenerator<AgentEvent> {
    yield await Promise.resolve('Hello, ');
    store.transaction = () => Promise.reject(new Error('disk full'));
    yield { event: 'message.created', data: {} };
  }
  const { status, last, reason } = await execute(started, events);
  expect(status).toBe('failed');
  expect(reason).toBe('not_stored');
  expect(last).toMatchObject({ reason: 'not_stored', error: { code: 'not_stored' } });
});

for (const [why, reason] of [
  ['cancelled', 'cancel_requested'],
  ['unread', 'unread'],
  ['deleted', 'deleted'],
] as const)
  test(`the log says why a run was cancelled: ${reason}`, async () => {
    const controller = new AbortController();
    async function* events(): AsyncGenerator<AgentEvent> {
      yield await Promise.resolve('Hello, ');
      controller.abort(new RunAborted(why));
      await new Promise(() => undefined);
    }
    const ended = await execute(await begin(), events, controller);
    expect(ended).toMatchObject({ status: 'cancelled', reason });
    expect(ended.reads.at(-1)).toEqual(['run.cancelled', 'done']);
  });

test('text before a question is a message of its own; the question can change while the next text grows', async () => {
  const started = await begin();
  const question = (event: string, text: string): AgentEvent => ({
    event,
    data: { message: { id: 'q', role: 'assistant', content: [{ response_type: 'text', text }] } },
  });
  async function* events(): AsyncGenerator<AgentEvent> {
    yield 'Before.';
    yield question('flow.slot.listen', 'open');
    yield 'After';
    yield question('message.created', 'closed');
    yield ' that.';
  }
  expect((await execute(started, events)).status).toBe('completed');
  const messages = await messagesOfRun(store.database, started.run);
  const texts = messages.map(({ stored: { content } }) =>
    Array.isArray(content) ? content[0]?.['text'] : '',
  );
  expect(texts).toEqual(['Before.', 'closed', 'After that.']);
});

test('an answer is kept when the end of its run is unwritable', async () => {
  const started = await begin();
  refuseEvents(store, 'refused');
  const { status, reads } = await execute(started, async function* () {
    yield* sayHello();
    yield { event: 'run.completed', data: { text: 'refused' } };
  });
  expect(status).toBe('completed');
  expect(reads.slice(-2)).toEqual([end.slice(0, 2), end.slice(2)]);
  expect((await stored(started.run)).messages).toEqual([expect.stringContaining('Hello, sailor.')]);
  expect((await stored(started.run)).events.slice(-4)).toEqual(end);
});

test('an answer is kept when the end of its run is too large', async () => {
  const started = await begin();
  const { status, reads } = await execute(started, async function* () {
    yield* sayHello();
    yield { event: 'run.completed', data: { note: 'x'.repeat(20_000) } };
  });
  expect(status).toBe('failed');
  expect(reads.at(-1)).toEqual(['run.failed', 'done']);
  expect((await stored(started.run)).messages).toEqual([expect.stringContaining('Hello, sailor.')]);
});
