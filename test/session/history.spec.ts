import { expect, test } from '@playwright/test';
import type { ListedMessage } from '../../src/client/agent-client.ts';
import { emptyConversation } from '../../src/conversation/conversation.ts';
import {
  readSnapshot,
  snapshotOf,
  type ConversationStorage,
  type Snapshot,
} from '../../src/session/index.ts';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';

const stored: readonly ListedMessage[] = [
  { id: 'P1', role: 'user', run_id: 'R1', content: 'hello' },
  { id: 'A1', role: 'assistant', run_id: 'R1', parent_message_id: 'P1', content: 'answer' },
];
const whole = ['user: hello (sent)', 'assistant: answer (complete)'];
const server = (fields: Record<string, unknown> = {}): Error =>
  clientError('HttpError', { status: 500, ...fields });

/** A session in a thread of which nothing is known here. */
function inThread(...faults: readonly unknown[]): Harness & { asked: () => number } {
  const harness = new Harness();
  harness.session.setThread('T');
  harness.client.history = stored;
  harness.client.faults['listMessages'] = [...faults];
  const { listMessages } = harness.client.extensions;
  let count = 0;
  harness.client.extensions.listMessages = (threadId, options) => {
    count += 1;
    return listMessages(threadId, options);
  };
  return Object.assign(harness, { asked: () => count });
}

/** What merges a history is fetched on demand. */
async function arrival({ session }: Harness): Promise<void> {
  await expect.poll(() => session.history).toBe('none');
}

test('an unknown thread counts as loading from the moment it is set', async () => {
  const harness = inThread();
  expect(harness.session.history).toBe('loading');
  const loading = harness.session.loadHistory();
  expect(harness.session.history).toBe('loading');
  expect(await loading).toBe(true);
  expect(harness.session.history).toBe('none');
  expect(harness.transcript).toEqual(whole);
});

test('an empty thread also counts as loaded', async () => {
  const harness = inThread();
  harness.client.history = [];
  await harness.session.loadHistory();
  expect(harness.session.history).toBe('none');
});

for (const [name, fault, wait] of [
  ['a server error', server(), 1_000],
  ['too many requests, as long as the service asks', server({ status: 429, retryAfter: 7 }), 7_000],
  ['a lost connection', clientError('NetworkError'), 1_000],
] as const) {
  test(`a failed history is reported and loaded again automatically: ${name}`, async () => {
    let late = 0;
    const harness = inThread(fault);
    const session = harness.session;
    session.subscribe(() => (late += session.history === 'none' ? 1 : 0));
    expect(await session.loadHistory()).toBe(false);
    expect(session.history).toBe('failed');
    expect(harness.diagnostics).toMatchObject([{ code: 'history-failed' }]);
    await harness.clock.pass(wait - 1);
    expect([harness.asked(), session.history, late]).toEqual([1, 'failed', 0]);
    await harness.clock.pass(1);
    await arrival(harness);
    expect(harness.asked()).toBe(2);
    expect(late).toBeGreaterThan(0);
    expect(harness.transcript).toEqual(whole);
    await harness.clock.pass(600_000);
    expect(harness.asked()).toBe(2);
  });
}

test('a history that failed offline is loaded once the page is online', async () => {
  const harness = inThread(clientError('NetworkError'));
  harness.isOnline = false;
  await harness.session.loadHistory();
  await harness.clock.pass(60_000);
  expect([harness.asked(), harness.session.history]).toEqual([1, 'failed']);
  harness.isOnline = true;
  await harness.session.resume();
  await arrival(harness);
  expect(harness.transcript).toEqual(whole);
});

test('a service that is down for an hour gets fewer and fewer requests', async () => {
  const harness = inThread(...Array.from({ length: 200 }, () => server()));
  await harness.session.loadHistory();
  await harness.clock.pass(3_600_000);
  expect(harness.asked()).toBeLessThan(75);
  expect(harness.session.history).toBe('failed');
  expect(harness.diagnostics).toHaveLength(1);
  harness.client.faults['listMessages'] = [];
  expect(await harness.session.loadHistory()).toBe(true); // Retry
  expect(harness.transcript).toEqual(whole);
});

test('a history that needs another token waits for it', async () => {
  const harness = inThread(server({ status: 401 }));
  await harness.session.loadHistory();
  expect([harness.session.history, harness.session.needsToken]).toEqual(['auth-needed', true]);
  await harness.clock.pass(30_000);
  expect(harness.asked()).toBe(1);
  await harness.session.resume();
  await arrival(harness);
  expect(harness.session.needsToken).toBe(false);
  expect(harness.transcript).toEqual(whole);
});

for (const status of [403, 404, 405, 410, 501]) {
  test(`a service without histories gets one request and causes no failure: ${status}`, async () => {
    const harness = inThread(server({ status }));
    expect(await harness.session.loadHistory()).toBe(false);
    await harness.clock.pass(600_000);
    await harness.session.resume();
    await settle();
    expect([harness.asked(), harness.session.history]).toEqual([1, 'none']);
    expect(harness.diagnostics).toEqual([]);
  });
}

test('an HTML page instead of a history is reported to the developer only', async () => {
  const harness = inThread(clientError('ResponseShapeError'));
  await harness.session.loadHistory();
  await harness.clock.pass(600_000);
  expect([harness.asked(), harness.session.history]).toEqual([1, 'none']);
  expect(harness.diagnostics).toMatchObject([{ code: 'history-failed' }]);
});

test('a visible conversation shows no failure when its history gets no response', async () => {
  const harness = new Harness();
  await harness.exchange('hello', 'answer', 'M1');
  harness.client.faults['listMessages'] = Array.from({ length: 9 }, () => clientError('NetworkError'));
  void harness.session.loadHistory();
  await harness.clock.pass(600_000);
  expect(harness.session.history).toBe('none');
  expect(harness.client.faults['listMessages']).toHaveLength(6);
  harness.client.faults['listMessages'] = [server()];
  await harness.session.resume(); // asked again once something changed
  await settle();
  expect(harness.session.history).toBe('failed');
});

test('switching to another thread cancels loading the history', async () => {
  const harness = inThread(server());
  await harness.session.loadHistory();
  harness.session.newThread();
  expect(harness.session.history).toBe('none');
  await harness.clock.pass(600_000);
  expect(harness.asked()).toBe(1);
  expect(harness.transcript).toEqual([]);
});

test('a history that comes when another tab has turned to another thread is not shown in that one', async () => {
  const harness = inThread();
  const { session, client } = harness;
  let arrive = (): void => undefined;
  client.extensions.listMessages = () =>
    new Promise((resolve) => {
      arrive = () => resolve(stored);
    });
  const loading = session.loadHistory();
  session.adopt(() => emptyConversation);
  arrive();
  await loading;
  expect([session.conversation, session.history]).toEqual([emptyConversation, 'none']);
});

test('a message sent while the history loads is neither lost nor repeated', async () => {
  for (const moment of ['posted', 'begun', 'speaking', 'over'] as const) {
    const harness = inThread();
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const { listMessages } = harness.client.extensions;
    harness.client.extensions.listMessages = async (...given) => {
      await asked;
      return listMessages(...given);
    };
    void harness.session.loadHistory();
    const { stream, turn } = await harness.say('and now');
    if (moment !== 'posted') begin(stream, 'R2');
    if (moment === 'speaking') delta(stream, 'The ti');
    if (moment === 'over') finish(stream, 'The tide', 'A2');
    await settle();
    const properties = { client_message_id: stream.clientMessageId };
    harness.client.history = [
      ...stored,
      { id: 'A2-prompt', role: 'user', run_id: 'R2', content: 'and now', additional_properties: properties },
      { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'A2-prompt', content: 'The tide' },
    ];
    answer();
    await expect.poll(() => harness.transcript).toEqual(expect.arrayContaining(whole));
    if (moment === 'posted') begin(stream, 'R2');
    if (moment !== 'over') finish(stream, 'The tide', 'A2');
    await turn;
    await settle();
    expect(harness.transcript, moment).toEqual([
      ...whole,
      'user: and now (sent)',
      'assistant: The tide (complete)',
    ]);
  }
});

test('a stored edit replaces the turn that it names in upper case', async () => {
  const harness = inThread();
  harness.client.history = [
    { id: 'p1', role: 'user', run_id: 'r1', content: 'helo' },
    { id: 'a1', role: 'assistant', run_id: 'r1', parent_message_id: 'P1', content: 'What?' },
    { id: 'p2', role: 'user', run_id: 'r2', parent_message_id: 'P1', content: 'hello' },
    { id: 'a2', role: 'assistant', run_id: 'r2', parent_message_id: 'P2', content: 'Hi' },
  ];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(['user: hello (sent)', 'assistant: Hi (complete)']);
});

test('entries without an id are shown once, however often they are loaded', async () => {
  const harness = inThread();
  harness.client.history = [
    { role: 'user', run_id: 'R1', content: 'hello' },
    { role: 'assistant', run_id: 'R1', content: 'answer' },
    { role: 'assistant', content: 'answer' },
    { id: 'E', role: 'assistant' },
    { id: 'A1', role: 'assistant', content: 'the first of two' },
    { id: 'A1', role: 'assistant', content: 'the second of two' },
  ];
  const shown = [...whole, 'assistant: answer (complete)', 'assistant: the first of two (complete)'];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(shown);
  const ids = harness.session.conversation.messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const { conversation } = harness.session;
  await harness.session.loadHistory();
  expect(harness.session.conversation).toBe(conversation);
});

test('an answer without an id is matched with its history entry', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream, 'R1');
  delta(stream, 'answer').emit('run.completed').emit('done').close();
  await turn;
  harness.client.history = stored.map(({ id: _, ...entry }) => entry);
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(whole);
  harness.client.history = stored;
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(whole);
});

test('a callback message that came while nothing was read here is news, once, unless it is seen', async () => {
  let news = 0;
  const harness = new Harness({ onNews: () => (news += 1) });
  const { session, client } = harness;
  await harness.exchange('hello', 'answer', 'A1');
  const callback = (id: string): ListedMessage => ({ id, role: 'assistant', content: `callback ${id}` });
  const known: readonly ListedMessage[] = [
    { id: 'A1-prompt', role: 'user', run_id: 'R', content: 'hello' },
    { id: 'A1', role: 'assistant', run_id: 'R', parent_message_id: 'A1-prompt', content: 'answer' },
  ];
  session.attended = false;
  client.history = [...known, callback('C1')];
  for (let time = 0; time < 2; time += 1) await session.loadHistory();
  expect(news).toBe(1);
  session.attended = true;
  client.history = [...known, callback('C1'), callback('C2')];
  await session.loadHistory();
  expect(harness.transcript.slice(2)).toEqual(
    ['C1', 'C2'].map((id) => `assistant: callback ${id} (complete)`),
  );
  expect(news).toBe(1);
});

test('in a thread of which nothing was known, no message is news', async () => {
  let news = 0;
  const harness = new Harness({ onNews: () => (news += 1) });
  harness.session.setThread('T');
  harness.session.attended = false;
  harness.client.history = [...stored, { id: 'C1', role: 'assistant', content: 'a callback' }];
  await harness.session.loadHistory();
  expect(harness.transcript).toHaveLength(3);
  expect(news).toBe(0);
});

const concurrent = (...order: readonly ('pA' | 'aA' | 'pB' | 'aB')[]): readonly ListedMessage[] => {
  const entries = {
    pA: { id: 'pA', role: 'user', run_id: 'RA', content: 'from one tab' },
    aA: { id: 'aA', role: 'assistant', run_id: 'RA', parent_message_id: 'pA', content: 'its answer' },
    pB: { id: 'pB', role: 'user', run_id: 'RB', content: 'from another tab' },
    aB: { id: 'aB', role: 'assistant', run_id: 'RB', parent_message_id: 'pB', content: 'the other answer' },
  };
  return [...stored, ...order.map((name) => entries[name])];
};

for (const order of [
  ['pA', 'pB', 'aA', 'aB'],
  ['pA', 'pB', 'aB', 'aA'],
] as const) {
  test(`a history shows every turn of two that ran at the same time: ${order.join(' ')}`, async () => {
    const harness = inThread();
    harness.client.history = concurrent(...order);
    await harness.session.loadHistory();
    expect([...harness.transcript].sort()).toEqual(
      [
        ...whole,
        'user: from one tab (sent)',
        'assistant: its answer (complete)',
        'user: from another tab (sent)',
        'assistant: the other answer (complete)',
      ].sort(),
    );
  });
}

test('a history shows every message of a run with several', async () => {
  const harness = inThread();
  const more = { id: 'A2', role: 'assistant', run_id: 'R1', parent_message_id: 'P1', content: 'and more' };
  harness.client.history = [...stored, more];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual([...whole, 'assistant: and more (complete)']);
});

test('a history tells a retried turn from the one it replaces', async () => {
  const harness = inThread();
  const { session, client } = harness;
  const failed = await harness.say('hello');
  begin(failed.stream, 'R1').emit('run.failed', { error: 'down' }).emit('done').close();
  await failed.turn;
  void session.retry();
  await settle();
  finish(begin(client.posts[1]!, 'R2'), 'answer', 'A2');
  await settle();
  const sentAs = (post: number) => ({ client_message_id: client.posts[post]!.clientMessageId });
  client.history = [
    { id: 'P1', role: 'user', run_id: 'R1', content: 'hello', additional_properties: sentAs(0) },
    { id: 'A1', role: 'assistant', run_id: 'R1', parent_message_id: 'P1', content: 'half' },
    {
      ...{ id: 'A2-prompt', role: 'user', run_id: 'R2', parent_message_id: 'P1', content: 'hello' },
      additional_properties: sentAs(1),
    },
    { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'A2-prompt', content: 'answer' },
  ];
  await session.loadHistory();
  expect(harness.transcript).toEqual(whole);
  const ids = session.conversation.messages.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const runs = session.conversation.runs.map(({ id }) => id);
  expect(runs).toEqual([...new Set(runs)]);
});

test('a history hides the turns that a retry replaces, also when the retry was not delivered', async () => {
  const harness = inThread();
  const { session, client } = harness;
  const first = await harness.say('hello');
  const posts = [begin(first.stream, 'R1')];
  await settle();
  for (const runId of ['R2', undefined]) {
    void session.stop();
    await settle();
    void session.retry();
    await settle();
    const post = client.posts.at(-1)!;
    if (runId === undefined) post.fail(clientError('NetworkError'));
    else posts.push(begin(post, runId));
    await settle();
  }
  expect(harness.transcript).toEqual(['user: hello (rejected)']);
  client.history = posts.flatMap(({ clientMessageId }, index): ListedMessage[] => [
    {
      ...{ id: `P${index}`, role: 'user', run_id: `R${index + 1}`, content: 'hello' },
      additional_properties: { client_message_id: clientMessageId },
    },
    {
      id: `A${index}`,
      role: 'assistant',
      run_id: `R${index + 1}`,
      parent_message_id: `P${index}`,
      content: 'half',
    },
  ]);
  await session.loadHistory();
  expect(harness.transcript).toEqual(['user: hello (rejected)']);
  const reloaded = new Harness({ initial: readSnapshot(snapshotOf(session.conversation))! });
  reloaded.client.history = client.history;
  await reloaded.session.loadHistory();
  expect(reloaded.transcript).toEqual(['user: hello (rejected)']);
});

test('a history hides a turn that was edited away, also when its answer was stored last', async () => {
  const harness = inThread();
  harness.client.history = [
    ...stored,
    { id: 'P2', role: 'user', run_id: 'R2', content: 'first try' },
    { id: 'P3', role: 'user', run_id: 'R3', parent_message_id: 'A1', content: 'second try' },
    { id: 'A3', role: 'assistant', run_id: 'R3', parent_message_id: 'P3', content: 'new answer' },
    { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'P2', content: 'part of the old' },
  ];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual([
    ...whole,
    'user: second try (sent)',
    'assistant: new answer (complete)',
  ]);
});

test('a history hides a turn known here that was edited on another device', async () => {
  const harness = new Harness();
  harness.session.setThread('T');
  await harness.exchange('first try', 'old answer', 'A1');
  harness.client.history = [
    { id: 'A1-prompt', role: 'user', run_id: 'R', content: 'first try' },
    { id: 'A1', role: 'assistant', run_id: 'R', parent_message_id: 'A1-prompt', content: 'old answer' },
    { id: 'P2', role: 'user', run_id: 'R2', parent_message_id: 'A1-prompt', content: 'second try' },
    { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'P2', content: 'new answer' },
  ];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(['user: second try (sent)', 'assistant: new answer (complete)']);
  const { conversation } = harness.session;
  await harness.session.loadHistory();
  expect(harness.session.conversation).toBe(conversation);
});

test('a history shows what was said before a form was answered, and the last answer to each form', async () => {
  const answer = (id: string, form: string): ListedMessage => ({
    ...{ id, role: 'user', run_id: `run of ${id}`, parent_message_id: 'A1' },
    content: [{ response_type: 'form_operation', form_operation: 'submit', id: form, form_data: {} }],
  });
  const shownOf = async (...thread: readonly ListedMessage[]): Promise<readonly (string | undefined)[]> => {
    const { client, session } = inThread();
    client.history = [...stored, ...thread];
    await session.loadHistory();
    const shown = session.conversation.messages.filter(({ superseded }) => !superseded);
    return shown.map(({ messageId }) => messageId);
  };
  const meanwhile = { id: 'P2', role: 'user', run_id: 'R2', content: 'said meanwhile' };
  const answers = [meanwhile, answer('P3', 'F'), answer('P4', 'G')];
  expect(await shownOf(...answers)).toEqual(['P1', 'A1', 'P2', 'P3', 'P4']);
  expect(await shownOf(...answers, answer('P5', 'F'))).toEqual(['P1', 'A1', 'P2', 'P5']);
});

/** The 404 of our service for a thread that it does not have, as the client throws it. */
const noThread = (): Error =>
  server({
    status: 404,
    problem: [{ loc: ['path', 'thread_id'], msg: 'no such thread', type: 'not_found' }],
  });

function memory(): ConversationStorage & { saved: Snapshot | undefined } {
  return {
    saved: undefined,
    load() {
      return this.saved;
    },
    save(snapshot) {
      this.saved = snapshot;
    },
    clear() {
      this.saved = undefined;
    },
  };
}

test('a thread that the service does not have any more is not kept here either', async () => {
  const storage = memory();
  const harness = new Harness({ storage });
  await harness.exchange('hello', 'answer', 'M1');
  expect(storage.saved).toBeDefined();
  harness.client.faults['listMessages'] = [noThread()];
  expect(await harness.session.loadHistory()).toBe(false);
  expect([harness.session.conversation, storage.saved]).toEqual([emptyConversation, undefined]);
  expect(harness.session.history).toBe('gone');
  const { stream } = await harness.say('again');
  expect(stream.request?.thread_id).toBeUndefined();
  finish(begin(stream, 'R2'), 'new', 'M2');
  await settle();
  await harness.session.loadHistory();
  expect(harness.session.history).toBe('none');
});

test('the host can keep what was not sent yet before a lost thread is left', async () => {
  let texts: readonly string[] = [];
  const harness: Harness = new Harness({
    onThreadGone: () => {
      texts = harness.transcript;
      harness.session.newThread();
    },
  });
  await harness.exchange('hello', 'answer', 'M1');
  harness.client.faults['listMessages'] = [noThread()];
  await harness.session.loadHistory();
  expect(texts).toEqual(['user: hello (sent)', 'assistant: answer (complete)']);
  expect(harness.session.history).toBe('gone');
});

const unclear: [string, Record<string, unknown>][] = [
  ['no reason', { status: 404 }],
  ['a missing route', { status: 404, problem: [{ loc: ['path'], msg: 'no such route', type: 'not_found' }] }],
  ['a missing agent', { status: 404, problem: [{ loc: ['body', 'agent_id'], msg: 'x', type: 'not_found' }] }],
  [
    'an invalid id',
    { status: 422, problem: [{ loc: ['path', 'thread_id'], msg: 'x', type: 'value_error' }] },
  ],
  ['a method', { status: 405 }],
  ['a ban', { status: 403, problem: [{ loc: ['path', 'thread_id'], msg: 'x', type: 'forbidden' }] }],
];
for (const [name, fields] of unclear)
  test(`a refusal that does not say that the thread is gone deletes nothing: ${name}`, async () => {
    const storage = memory();
    const harness = new Harness({ storage });
    await harness.exchange('hello', 'answer', 'M1');
    harness.client.faults['listMessages'] = [server(fields)];
    await harness.session.loadHistory();
    expect(harness.transcript).toEqual(whole);
    expect([storage.saved !== undefined, harness.session.history]).toEqual([true, 'none']);
  });

test('a thread of which nothing is kept, or that a run uses, is not left; only the first is said to be gone', async () => {
  const named = inThread(noThread());
  await named.session.loadHistory();
  expect([named.session.conversation.threadId, named.session.history]).toEqual(['T', 'gone']);
  named.session.newThread();
  expect(named.session.history).toBe('none');
  const busy = new Harness();
  begin((await busy.say('hello')).stream);
  await settle();
  busy.client.faults['listMessages'] = [noThread()];
  await busy.session.loadHistory();
  expect(busy.transcript[0]).toBe('user: hello (sent)');
  expect(busy.session.history).toBe('none');
});
