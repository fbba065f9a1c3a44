import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import type { RunEvent } from '../../src/protocol/index.ts';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { indexOldThreads } from '../../src/service/storage/index-old-threads.ts';
import { insertMessage, listMessages } from '../../src/service/storage/messages.ts';
import { openPostgres } from '../../src/service/storage/open-postgres.ts';
import { deleteThread, deleteThreads } from '../../src/service/storage/threads.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { collect, everyScope, say, secret, spelled, until } from './running-service.ts';
import { startChild, type ServiceChild } from './service-child.ts';
import { insertThread } from './storage/insert-thread.ts';
import { startTestRun } from './storage/start-test-run.ts';

let postgres: Postgres | undefined;
let one: ServiceChild;
let other: ServiceChild;
let databaseUrl: string;
let agentsFile: string;
let directory: string;

/** Says each callback back until it is told to end. */
const waiter = `export default async function* (run) {
  yield 'waiting';
  for (;;) {
    const { content } = await run.nextCallback();
    if (content === 'end') return;
    yield ' ' + content;
  }
}`;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  postgres = await startPostgres();
  if (!postgres) return;
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-instances-'));
  writeFileSync(join(directory, 'waiter.mjs'), waiter);
  agentsFile = join(directory, 'agents.json');
  const agents = [
    { id: 'echo', kind: 'echo' },
    { id: 'waiter', kind: 'module', module: './waiter.mjs' },
  ];
  writeFileSync(agentsFile, JSON.stringify({ agents }));
  databaseUrl = await postgres.createDatabase();
  [one, other] = await Promise.all([start(), start()]);
});
test.afterAll(async () => {
  if (!postgres) return;
  rmSync(directory, { recursive: true });
  await Promise.all([one.kill(), other.kill()]);
  await postgres.stop();
});
test.beforeEach(() => test.skip(postgres === undefined, 'there is no PostgreSQL here'));

const start = () =>
  startChild({ DATABASE_URL: databaseUrl, RUN_LEASE: '2', AGENTS_FILE: agentsFile, FACADES: 'agui' });
const story = 'It was a calm night at Grey Quay when the bell rang twice.';
const slowly = { agent_id: 'echo', additional_parameters: { delay_ms: 100, chunk_length: 4 } };

/** Reads until so many deltas came; gives what was seen and leaves the stream. */
async function readSome(events: AsyncIterable<RunEvent>, deltas: number): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.filter((known) => known.event === 'message.delta').length === deltas) break;
  }
  return seen;
}

test('two instances start on one empty database at the same time', async () => {
  for (const instance of [one, other]) {
    expect(spelled(await collect(instance.client().runStream(say('hi', { agent_id: 'echo' }))))).toBe('hi');
  }
});

test('a run started on one instance can be resumed on the other, without lost or repeated events', async () => {
  const before = await readSome(one.client().runStream(say(story, slowly)), 4);
  const after = await collect(
    other
      .client()
      .extensions.runEvents(String(before[0]?.data['run_id']), { lastEventId: before.at(-1)?.id ?? '' }),
  );
  expect(spelled([...before, ...after])).toBe(story);
  expect(after.at(-1)?.event).toBe('done');
  const ids = [...before, ...after].map((event) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a callback that is sent twice at once is one message', async () => {
  const [started] = await collect(one.client().runStream(say('hi', { agent_id: 'echo' })));
  const path = `/api/v1/callback/${String(started?.data['thread_id'])}`;
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let round = 0; round < 5; round += 1) {
    const body = JSON.stringify({
      content: `Round ${round}`,
      additional_properties: { client_message_id: randomUUID() },
    });
    const responses = await Promise.all(
      [one, other, one, other].map(({ address }) => fetch(address + path, { method: 'POST', headers, body })),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const ids = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { id: string }).id),
    );
    expect(new Set(ids).size).toBe(1);
  }
});

test('AG-UI runs that begin a thread on both instances at once are in one thread', async () => {
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let round = 0; round < 5; round += 1) {
    const threadId = randomUUID();
    const messages = [{ id: 'm', role: 'user', content: 'Ahoy' }];
    const responses = await Promise.all(
      [one, other].map(({ address }) =>
        fetch(`${address}/api/v1/agui/echo`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ threadId, runId: randomUUID(), messages, forwardedProps: { delay_ms: 0 } }),
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(responses.map((response) => response.headers.get('x-thread-id'))).size).toBe(1);
    for (const response of responses) expect(await response.text()).toContain('RUN_FINISHED');
  }
});

test('a run can be cancelled from the other instance at once', async () => {
  const client = one.client();
  const events: RunEvent[] = [];
  let asked = 0;
  for await (const event of client.runStream(
    say(story, { ...slowly, additional_parameters: { delay_ms: 700, chunk_length: 4 } }),
  )) {
    events.push(event);
    if (event.event !== 'message.delta' || asked > 0) continue;
    asked = performance.now();
    await other.client().extensions.cancelRun(String(event.data['run_id']));
  }
  expect(events.slice(-2).map((event) => event.event)).toEqual(['run.cancelled', 'done']);
  expect(performance.now() - asked).toBeLessThan(1_500);
});

test('a run that begins while its cancellation is kept is cancelled', async () => {
  const store = await openPostgres(databaseUrl, () => undefined);
  const client_message_id = randomUUID();
  const undone = new Error('undone');
  try {
    const events: RunEvent[] = [];
    const read = async (): Promise<void> => {
      const request = say(story, slowly);
      request.message.additional_properties = { client_message_id };
      for await (const event of one.client().runStream(request)) events.push(event);
    };
    let both: Promise<unknown> | undefined;
    const held = store.transaction(async (database) => {
      // the cancellation waits for this row
      const row = { tenant_id: 'quay', author: 'ada', client_message_id, until: 0 };
      await database.insertInto('cancel_intents').values(row).execute();
      const cancelled = other.client().extensions.cancelRun(client_message_id);
      await until(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(store.database);
        return rows.length > 0;
      });
      both = Promise.all([cancelled, read()]);
      await until(() => events.length > 0);
      throw undone;
    });
    await expect(held).rejects.toBe(undone);
    await both;
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['run.cancelled', 'done']);
  } finally {
    await store.close();
  }
});

test('NUL in an id is the caller’s fault', async () => {
  const [first] = await collect(one.client().runStream(say('hi', { agent_id: 'echo' })));
  const token = await signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600);
  const ask = async (path: string, body?: object): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const more = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(one.address + path, more)).status;
  };
  const answer = { form_operation: 'submit', id: 'a\0', sub_type: 'tool_approval' };
  const message = { role: 'user', content: [answer] };
  const run = { agent_id: 'echo', thread_id: first?.data['thread_id'], message };
  expect(await ask('/api/v1/hub/runs/stream', run)).toBe(404);
  expect(await ask('/api/v1/hub/threads?agent_id=%00')).toBe(422);
  const agui = { threadId: 'a\0', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Ahoy' }] };
  expect(await ask('/api/v1/agui/echo', agui)).toBe(422);
});

test('a run that is read on an instance with a slow clock continues', async () => {
  const settings = { DATABASE_URL: databaseUrl, RUN_GRACE: '1' };
  const behind = 'const now = Date.now; Date.now = () => now() - 60_000';
  const [owner, late] = await Promise.all([
    startChild(settings),
    startChild({ ...settings, NODE_OPTIONS: `--import "data:text/javascript,${encodeURI(behind)}"` }),
  ]);
  try {
    const began = owner
      .client()
      .runStream(say(story, { agent_id: 'echo', additional_parameters: { delay_ms: 250, chunk_length: 4 } }));
    let runId = '';
    for await (const event of began) {
      runId = String(event.data['run_id']);
      break;
    }
    const events = await collect(late.client().extensions.runEvents(runId));
    expect(events.slice(-2).map((event) => event.event)).toEqual(['run.completed', 'done']);
    expect(spelled(events)).toBe(story);
  } finally {
    await Promise.all([owner.kill(), late.kill()]);
  }
});

test('a run whose AG-UI client has left continues while it is read on another instance', async () => {
  const leave = new AbortController();
  const claims = { subject: 'ada', tenantId: 'quay', scopes: everyScope };
  const token = await signToken(secret, claims, 60);
  const response = await fetch(`${one.address}/api/v1/agui/echo`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      threadId: randomUUID(),
      runId: randomUUID(),
      messages: [{ id: 'm1', role: 'user', content: story }],
      forwardedProps: { delay_ms: 600, chunk_length: 4 },
      tools: [],
      context: [],
      state: {},
    }),
    signal: leave.signal,
  });
  const seen: string[] = [];
  const runId = response.headers.get('x-run-id') ?? '';
  for await (const { event } of other.client('ada').extensions.runEvents(runId)) {
    leave.abort();
    seen.push(event);
  }
  expect(seen.slice(-2)).toEqual(['run.completed', 'done']);
});

test('a callback to one instance reaches the reader on the other', async () => {
  const [first] = await collect(one.client().runStream(say('hi', { agent_id: 'echo' })));
  const threadId = String(first?.data['thread_id']);
  const gone = new AbortController();
  const arrived: RunEvent[] = [];
  const reading = (async () => {
    for await (const event of other.client().extensions.threadEvents(threadId, { signal: gone.signal }))
      arrived.push(event);
  })().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const posted = performance.now();
  await one.client().postCallback(threadId, { content: 'across' });
  await until(() => arrived.length === 1);
  expect(performance.now() - posted).toBeLessThan(2_000);
  gone.abort();
  await reading;
});

test('a waiting agent gets each callback once and in order, whichever instance receives it', async () => {
  const events: RunEvent[] = [];
  let posting: Promise<void> | undefined;
  const post = async (threadId: string): Promise<void> => {
    for (const [place, instance] of [other, one, other, other, one].entries())
      await instance.client().postCallback(threadId, { content: `c${place}` });
    await other.client().postCallback(threadId, { content: 'end' });
  };
  for await (const event of one.client().runStream(say('go', { agent_id: 'waiter' }))) {
    events.push(event);
    if (event.event === 'message.delta') posting ??= post(String(event.data['thread_id']));
  }
  await posting;
  expect(spelled(events)).toBe('waiting c0 c1 c2 c3 c4');
  expect(events.at(-2)?.event).toBe('run.completed');
});

test('deleting a thread while a message arrives leaves nothing of that message', async () => {
  const store = await openPostgres(databaseUrl, () => undefined);
  const waiting = sql<{ count: number }>`select count(*)::int from pg_locks where not granted`;
  try {
    const keys = { tenantId: 'quay', subject: 'ada', agentId: 'echo' };
    const thread = await insertThread(store, store.database, keys);
    let deleted: Promise<void> | undefined;
    await store.transaction(async (database) => {
      const message = { role: 'user', content: 'just in time' };
      const kept = { threadId: thread.id, tenantId: 'quay', author: 'ada', role: 'user', message };
      await insertMessage(store, database, kept);
      deleted = deleteThread(store, thread.id);
      await until(async () => (await waiting.execute(store.database)).rows[0]?.count === 1);
    });
    await deleted;
    expect(await listMessages(store.database, thread.id, { limit: 10, bytes: 1024 })).toEqual([]);
  } finally {
    await store.close();
  }
});

test('a callback to a thread that is deleted meanwhile gets 404', async () => {
  const store = await openPostgres(databaseUrl, () => undefined);
  const waiting = sql<{ count: number }>`select count(*)::int from pg_locks where not granted`;
  try {
    const [first] = await collect(one.client().runStream(say('hi', { agent_id: 'echo' })));
    const threadId = String(first?.data['thread_id']);
    let refused: Promise<void> | undefined;
    await store.transaction(async (database) => {
      await deleteThreads(store, database, [threadId]);
      const posted = one.client().postCallback(threadId, { content: 'too late' });
      refused = expect(posted).rejects.toMatchObject({ status: 404 });
      await until(async () => (await waiting.execute(store.database)).rows[0]?.count === 1);
    });
    await refused;
  } finally {
    await store.close();
  }
});

test('deleting a thread while it is added to the search index leaves nothing of it there', async () => {
  const store = await openPostgres(databaseUrl, () => undefined);
  const waiting = sql<{ count: number }>`select count(*)::int from pg_locks where not granted`;
  const texts = (threadId: string) =>
    store.database.selectFrom('search_texts').selectAll().where('thread_id', '=', threadId).execute();
  try {
    const { thread } = await startTestRun(store);
    expect(await texts(thread.id)).toHaveLength(1);
    // as an older release left it
    await store.database.deleteFrom('search_texts').where('thread_id', '=', thread.id).execute();
    await sql`update threads set first_words = null where id = ${thread.id}`.execute(store.database);
    let indexed: Promise<number> | undefined;
    await store.transaction(async (database) => {
      await deleteThreads(store, database, [thread.id]);
      indexed = indexOldThreads(store);
      await until(async () => (await waiting.execute(store.database)).rows[0]?.count === 1);
    });
    await indexed;
    expect(await texts(thread.id)).toEqual([]);
  } finally {
    await store.close();
  }
});

test('deleting a thread ends its run for readers on both instances', async () => {
  const [first] = await readSome(one.client().runStream(say(story, slowly)), 1);
  const told: RunEvent[][] = [[], []];
  const reading = [one, other].map(async (instance, place) => {
    const events = instance.client().extensions.runEvents(String(first?.data['run_id']));
    for await (const event of events) told[place]?.push(event);
  });
  await until(() => told.every((events) => events.length > 0));
  await other.client().extensions.deleteThread(String(first?.data['thread_id']));
  await Promise.all(reading);
  for (const events of told)
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['run.cancelled', 'done']);
});

test('the run of a deleted thread is cancelled also when its owner finds out by its next write', async () => {
  const store = await openPostgres(databaseUrl, () => undefined);
  try {
    const events: RunEvent[] = [];
    for await (const event of one.client().runStream(say(story, slowly))) {
      // without a notice to the owner
      if (events.length === 0) await deleteThreads(store, store.database, [String(event.data['thread_id'])]);
      events.push(event);
    }
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['run.cancelled', 'done']);
  } finally {
    await store.close();
  }
});

test('an instance that stood still sends the end that its run has in the store, not another one', async () => {
  const delta = (text: string) =>
    `${JSON.stringify({ event: 'message.delta', data: { delta: { text } } })}\n`;
  let finish: (() => void) | undefined;
  const backend = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(delta('High water '));
    finish = () => response.end(`${delta('is at six.')}{"event":"done"}\n`);
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const { port } = backend.address() as AddressInfo; // it listens on a port
  const ownAgents = join(directory, 'backend.json');
  writeFileSync(
    ownAgents,
    JSON.stringify({ agents: [{ id: 'backend', kind: 'http', url: `http://127.0.0.1:${port}/` }] }),
  );
  const owner = await startChild({ DATABASE_URL: databaseUrl, RUN_LEASE: '2', AGENTS_FILE: ownAgents });
  try {
    const events: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of owner.client().runStream(say('When?', { agent_id: 'backend' })))
        events.push(event);
    })();
    await until(() => events.some(({ event }) => event === 'message.delta'));
    owner.process.kill('SIGSTOP');
    finish?.();
    const runId = String(events[0]?.data['run_id']);
    const seen = await collect(other.client().extensions.runEvents(runId));
    expect(seen.at(-2)?.event).toBe('run.expired');
    owner.process.kill('SIGCONT');
    await reading;
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['run.expired', 'done']);
    expect(events.map(({ event }) => event)).not.toContain('message.created');
    const metrics = await (await fetch(`${owner.address}/metrics`)).text();
    expect(metrics.match(/^agent_chat_leases_lost_total.*$/gm)).toEqual([
      'agent_chat_leases_lost_total{agent="backend"} 1',
    ]);
  } finally {
    backend.close();
    await owner.kill();
  }
});

test('the same client_message_id on both instances at once runs once', async () => {
  const request = say(story, { agent_id: 'echo', additional_parameters: { delay_ms: 5 } });
  request.message.additional_properties = { client_message_id: randomUUID() };
  const streams = await Promise.all(
    [one, other, one, other].map((instance) => collect(instance.client().runStream(request))),
  );
  for (const events of streams) {
    expect(events[0]?.data['run_id']).toBe(streams[0]?.[0]?.data['run_id']);
    expect(spelled(events)).toBe(story);
    expect(events.at(-1)?.event).toBe('done');
  }
});

test('after kill -9 of the owner readers see the end, acknowledged messages are kept, and a new instance works', async () => {
  test.setTimeout(120_000);
  const victim = await start();
  const reader = other.client('reader');
  const owner = victim.client('reader');
  const answered = await collect(owner.runStream(say('kept', { agent_id: 'echo' })));
  const threadId = String(answered[0]?.data['thread_id']);
  const seen = await readSome(owner.runStream(say(story, { ...slowly, thread_id: threadId })), 5);
  const runId = String(seen[0]?.data['run_id']);
  const following = [undefined, seen.at(-1)?.id].map((lastEventId) =>
    collect(
      other.client('reader').extensions.runEvents(runId, lastEventId === undefined ? {} : { lastEventId }),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  await victim.kill();
  for (const events of await Promise.all(following)) {
    expect(events.slice(-2).map((event) => event.event)).toEqual(['run.expired', 'done']);
  }
  const messages = await reader.extensions.listMessages(threadId);
  expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  const partial = messages.at(-1);
  expect(partial).toMatchObject({ run_id: runId, message_state: { partial: true, run_status: 'expired' } });
  expect(story.startsWith((partial?.content as { text: string }[])[0]?.text ?? 'nothing')).toBe(true);
  const third = await start();
  try {
    expect(
      spelled(
        await collect(
          third.client('reader').runStream(say('on we go', { agent_id: 'echo', thread_id: threadId })),
        ),
      ),
    ).toBe('on we go');
  } finally {
    await third.kill();
  }
});
