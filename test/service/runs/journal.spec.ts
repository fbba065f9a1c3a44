import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { AgentRun } from '../../../src/service/agents/agent.ts';
import { Journal } from '../../../src/service/runs/journal.ts';
import { LiveRun } from '../../../src/service/runs/live-run.ts';
import { RunExecution } from '../../../src/service/runs/run-execution.ts';
import { recoverJournal } from '../../../src/service/storage/event-journal.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { runEventsAfter, start, type StoredEvent } from '../../../src/service/storage/run-events.ts';
import { findRun } from '../../../src/service/storage/runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { deleteThread } from '../../../src/service/storage/threads.ts';
import { until } from '../running-service.ts';
import { startTestRun } from '../storage/start-test-run.ts';
import { refuseEvents } from './refuse-events.ts';

let folder: string;
let store: Store;
let journal: Journal;

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-chat-journal-'));
  store = openSqlite(folder);
  await migrate(store);
  journal = newJournal();
});
test.afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function newJournal(): Journal {
  return new Journal({ store, owner: 'this one', onLost: () => Promise.resolve('lost') });
}

async function begunRun(): Promise<{ runId: string; threadId: string }> {
  const { run, thread } = await startTestRun(store);
  return { runId: run.id, threadId: thread.id };
}

/** The nth event of a run; its text has what could break a line of the journal. */
function delta(place: number): StoredEvent {
  const json = JSON.stringify({ text: `${place}\t\n\u2028` });
  return { ms: 1_770_000_000_000 + place, sequence: 0, event: 'message.delta', json };
}

function journaled(): Promise<number> {
  return store.database
    .selectFrom('event_journal')
    .select('events')
    .execute()
    .then((rows) => rows.flatMap(({ events }) => events.split('\n')).length);
}

/** The process dies: the lock and what was not written yet go with it. */
async function crash(): Promise<void> {
  await store.close();
  store = openSqlite(folder);
  await recoverJournal(store);
  journal = newJournal();
}

test('deltas are in the journal within 250 ms, and are recovered once after a crash', async () => {
  const { runId } = await begunRun();
  for (const place of [1, 2]) journal.gather({ runId, event: delta(place) });
  await until(async () => (await journaled()) === 2);
  journal.gather({ runId, event: delta(3) });
  await until(async () => (await journaled()) === 3);
  expect(await runEventsAfter(store.database, runId, start)).toEqual([]);
  await crash();
  expect(await runEventsAfter(store.database, runId, start)).toEqual([delta(1), delta(2), delta(3)]);
  expect(await journaled()).toBe(0);
});

test('a commit removes a run from the journal, keeps the others, and recovery repeats nothing', async () => {
  const one = await begunRun();
  const other = await begunRun();
  for (const { runId } of [one, other]) journal.gather({ runId, event: delta(1) });
  await until(async () => (await journaled()) === 2);
  await journal.commit({ runId: one.runId, event: delta(2) });
  expect(await runEventsAfter(store.database, one.runId, start)).toEqual([delta(1), delta(2)]);
  expect(await runEventsAfter(store.database, other.runId, start)).toEqual([]);
  await crash();
  expect(await runEventsAfter(store.database, one.runId, start)).toEqual([delta(1), delta(2)]);
  expect(await runEventsAfter(store.database, other.runId, start)).toEqual([delta(1)]);
});

test('a commit leaves the deltas of other runs to the next row of the journal', async () => {
  const one = await begunRun();
  const other = await begunRun();
  journal.gather({ runId: other.runId, event: delta(1) });
  await journal.commit({ runId: one.runId, event: delta(1) });
  expect(await journaled()).toBe(0);
  await until(async () => (await journaled()) === 1);
});

test('the journal is empty after the last run is written, and after a flush', async () => {
  const { runId } = await begunRun();
  journal.gather({ runId, event: delta(1) });
  await until(async () => (await journaled()) === 1);
  await journal.commit({ runId, event: delta(2) });
  expect(await journaled()).toBe(0);
  journal.gather({ runId, event: delta(3) });
  await until(async () => (await journaled()) === 1);
  await journal.flush();
  expect(await journaled()).toBe(0);
  expect(await runEventsAfter(store.database, runId, start)).toEqual([delta(1), delta(2), delta(3)]);
});

test('a run with large deltas is written to its table early', async () => {
  const { runId } = await begunRun();
  for (const place of [1, 2, 3])
    journal.gather({ runId, event: { ...delta(place), json: JSON.stringify({ text: 'x'.repeat(30_000) }) } });
  await until(async () => (await runEventsAfter(store.database, runId, start)).length === 3);
  expect(await store.database.selectFrom('event_journal').selectAll().execute()).toEqual([]);
});

test('a commit of the embedded database is small, however much the runs have to write', async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => begunRun()));
  const json = JSON.stringify({ text: 'x'.repeat(100_000) });
  const sizes: number[] = [];
  const transaction = store.transaction.bind(store);
  let written = 0;
  store.transaction = async (work, options) => {
    const result = await transaction(work, options);
    const { length } = await store.database.selectFrom('run_events').select('run_id').execute();
    sizes.push(length - written);
    written = length;
    return result;
  };
  await Promise.all(runs.map(({ runId }) => journal.commit({ runId, event: { ...delta(1), json } })));
  expect(sizes).toEqual([2, 2, 2]);
  journal.gather({ runId: runs[0]?.runId ?? '', event: { ...delta(2), json } });
  await journal.settle();
  expect(written).toBe(7);
});

test('a repeated message of a run replaces the first', async () => {
  const { runId, threadId } = await begunRun();
  const id = '5f0c1c7e-6a52-4d8e-9d51-0c9a3c5b7a10';
  const common = { id, runId, threadId, tenantId: 'quay', author: 'agent', role: 'assistant' };
  for (const content of ['first', 'second'])
    await journal.commit({ runId, message: { ...common, message: { content } } });
  const rows = await store.database.selectFrom('messages').select('body').where('id', '=', id).execute();
  expect(rows).toEqual([{ body: '{"content":"second"}' }]);
});

test('entries that the store rejected are written with the next commit', async () => {
  const { runId } = await begunRun();
  const transaction = store.transaction.bind(store);
  store.transaction = () => Promise.reject(new Error('disk full'));
  journal.gather({ runId, event: delta(1) });
  await expect(journal.commit({ runId, event: delta(2) })).rejects.toThrow('disk full');
  store.transaction = transaction;
  await journal.commit({ runId, event: delta(3) });
  expect(await runEventsAfter(store.database, runId, start)).toEqual([delta(1), delta(2), delta(3)]);
});

test('unwritable data of one run does not block other runs', async () => {
  const [one, other] = [await begunRun(), await begunRun()];
  const odd = { ...delta(1), json: '"odd"' };
  refuseEvents(store, odd.json);
  const written = journal.commit({ runId: one.runId, event: delta(1) });
  await expect(journal.commit({ runId: other.runId, event: odd })).rejects.toThrow('not a character');
  await written;
  await journal.commit({ runId: other.runId, event: delta(2) });
  expect(await runEventsAfter(store.database, one.runId, start)).toEqual([delta(1)]);
  expect(await runEventsAfter(store.database, other.runId, start)).toEqual([delta(2)]);
});

test('unwritable data of one run does not block a call that waits for all runs', async () => {
  const [one, other] = [await begunRun(), await begunRun()];
  const odd = { ...delta(1), json: '"odd"' };
  journal.gather({ runId: one.runId, event: delta(1) });
  await until(async () => (await journaled()) === 1);
  refuseEvents(store, odd.json);
  const refused = expect(journal.commit({ runId: other.runId, event: odd })).rejects.toThrow(
    'not a character',
  );
  await journal.settle();
  await refused;
  expect(await runEventsAfter(store.database, one.runId, start)).toEqual([delta(1)]);
  expect(await journaled()).toBe(0);
});

test('a message that cannot be serialized fails its own run only', async () => {
  const [one, other] = [await begunRun(), await begunRun()];
  const message = { ...one, tenantId: 'quay', author: 'agent', role: 'assistant' };
  const content = [{ response_type: 'text', text: 'a', size: 1n as unknown as number }];
  expect(() => journal.gather({ runId: one.runId, message: { ...message, message: { content } } })).toThrow();
  await journal.commit({ runId: other.runId, event: delta(1) });
  await journal.commit({ runId: one.runId, event: delta(1) });
  expect(await runEventsAfter(store.database, one.runId, start)).toEqual([delta(1)]);
});

test('a flush completes a call that waits for all runs, also one that came during a commit', async () => {
  const { runId } = await begunRun();
  const transaction = store.transaction.bind(store);
  let isSettled = false;
  store.transaction = async (work, options) => {
    store.transaction = transaction;
    await Promise.resolve();
    void journal.settle().then(() => (isSettled = true));
    return transaction(work, options);
  };
  await journal.commit({ runId, event: delta(1) });
  await journal.flush();
  expect(isSettled).toBe(true);
});

test('a flush completes a call that waits for all runs although data of one is unwritable', async () => {
  const { runId } = await begunRun();
  const odd = { ...delta(1), json: '"odd"' };
  refuseEvents(store, odd.json);
  const refused = expect(journal.commit({ runId, event: odd })).rejects.toThrow('not a character');
  let isSettled = false;
  void journal.settle().then(() => (isSettled = true));
  await journal.flush();
  await refused;
  expect(isSettled).toBe(true);
});

test('an unavailable store delays the stop by a few seconds only, and no call waits on', async () => {
  const { runId } = await begunRun();
  const transaction = store.transaction.bind(store);
  const waiting: Promise<void>[] = [];
  store.transaction = async () => {
    await Promise.resolve();
    waiting.push(expect(journal.settle()).rejects.toThrow('disk full'));
    throw new Error('disk full');
  };
  journal.gather({ runId, event: delta(1) });
  await expect(journal.flush()).rejects.toThrow('disk full');
  expect(waiting.length).toBeLessThan(100);
  await Promise.all(waiting);
  store.transaction = transaction;
});

test('recovery does not restore a deleted thread from the journal', async () => {
  const { runId, threadId } = await begunRun();
  journal.gather({ runId, event: delta(1) });
  await until(async () => (await journaled()) === 1);
  await deleteThread(store, threadId);
  await crash();
  expect(await store.database.selectFrom('run_events').selectAll().execute()).toEqual([]);
});

test('nothing is written of a run that was deleted', async () => {
  const { runId, threadId } = await begunRun();
  journal.gather({ runId, event: delta(1) });
  await until(async () => (await journaled()) === 1);
  await deleteThread(store, threadId);
  const written = journal.commit({ runId, event: delta(2), ended: { status: 'cancelled', at: 1 } });
  await expect(written).rejects.toThrow('aborted: lost');
  expect(await store.database.selectFrom('run_events').selectAll().execute()).toEqual([]);
  expect(await store.database.selectFrom('event_journal').selectAll().execute()).toEqual([]);
});

test('a run whose last events are unwritable still ends', async () => {
  const { runId, threadId } = await begunRun();
  refuseEvents(store, 'odd');
  const faults: unknown[] = [];
  const execution = new RunExecution({
    live: new LiveRun({ id: runId, thread_id: threadId }, () => undefined),
    journal,
    run: {
      runId,
      threadId,
      agentId: 'echo',
      message: { id: 'asked' },
      context: {},
      signal: new AbortController().signal,
    } as unknown as AgentRun, // what the execution reads of it
    events: async function* () {
      yield await Promise.resolve({ event: 'run.completed', data: { last: 'odd' } });
    },
    checkComposed: (content) => Promise.resolve(content),
    eventLimit: 10_000,
    meter: {
      error: (fault) => faults.push(fault),
      event: () => undefined,
      guardrail: () => undefined,
      failed: () => undefined,
      answered: () => undefined,
    },
  });
  expect(await execution.execute()).toBe('completed');
  expect(await findRun(store.database, runId)).toMatchObject({ status: 'completed' });
  const told = (await runEventsAfter(store.database, runId, start)).map(({ event }) => event);
  expect(told).toEqual(['run.started', 'run.completed', 'done']);
  expect(faults).toHaveLength(1);
});
