import { expect, test } from '@playwright/test';
import type { ContentItem } from '../../src/protocol/index.ts';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle, settleImports } from './manual-clock.ts';

function callbackMessage(id: string, text: string): Record<string, unknown> {
  return {
    thread_id: 'T',
    message_id: id,
    message: { id, role: 'assistant', content: [{ id: '1', response_type: 'text', text }] },
  };
}

test('a callback message appears immediately and once', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await settle();
  expect(harness.client.threads).toHaveLength(0);
  await harness.exchange('hello', 'answer', 'M1');
  const thread = harness.client.threads[0]!.open();
  expect(thread.runId).toBe('T');
  thread.emit('message.created', callbackMessage('C1', 'Your berth is ready.'));
  thread.emit('message.created', callbackMessage('C1', 'Your berth is ready.'));
  await settle();
  expect(harness.transcript).toEqual([
    'user: hello (sent)',
    'assistant: answer (complete)',
    'assistant: Your berth is ready. (complete)',
  ]);
  expect(harness.session.busy).toBe(false);
});

test('the thread subscription waits for the first events of a run, and no longer', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  const { stream } = await harness.say('hello');
  delta(begin(stream), 'first');
  await settle();
  expect(harness.client.threads).toHaveLength(0);
  await harness.clock.pass(500);
  expect(harness.client.threads).toHaveLength(1);
});

test('a service that stores threads counts as resumable unless the host says otherwise', async () => {
  for (const { resumable, posts } of [
    { resumable: {}, posts: 3 },
    { resumable: { resumable: false }, posts: 2 },
  ]) {
    const harness = new Harness();
    harness.settings = { agentId: 'clerk', ...resumable };
    harness.session.startFollowing();
    await harness.exchange('hello', 'answer', 'M1');
    harness.client.threads[0]!.open();
    const { stream } = await harness.say('more');
    expect(stream.request?.agent_id).toBe('clerk');
    stream.fail(clientError('NetworkError'));
    await harness.clock.pass(2_000);
    expect(harness.client.posts).toHaveLength(posts);
    harness.session.dispose();
  }
});

test('a page in place of thread events is asked for once, and does not count as a service that stores threads', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  harness.client.threads[0]!.open().fail(clientError('StreamFormatError'));
  await harness.clock.pass(600_000);
  expect(harness.client.threads).toHaveLength(1);
  expect(harness.session.keepsThreads).toBe(false);
  const { stream } = await harness.say('more');
  stream.fail(clientError('NetworkError'));
  await harness.clock.pass(2_000);
  expect(harness.client.posts).toHaveLength(2);
});

test("a broken thread stream resumes after its own last event, not after a run's", async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  harness.client.threads[0]!.open()
    .emit('message.created', callbackMessage('C1', 'one'), '1780000000000-0')
    .close();
  await harness.clock.pass(2_000);
  expect(harness.client.threads).toHaveLength(2);
  expect(harness.client.threads[1]!.options.lastEventId).toBe('1780000000000-0');
  harness.session.stopFollowing();
  await harness.clock.pass(600_000);
  expect(harness.client.threads).toHaveLength(2);
  expect(harness.clock.pending).toBe(0);
});

test('a paused subscription is closed, and opens no other until it goes on', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  const [stream] = harness.client.threads;
  harness.session.pauseFollowing(true);
  expect(stream!.options.signal?.aborted).toBe(true);
  harness.session.stopFollowing();
  harness.session.startFollowing();
  harness.session.setThread('other');
  await harness.clock.pass(1_000);
  expect(harness.client.threads).toHaveLength(1);
  harness.session.pauseFollowing(false);
  await harness.clock.pass(1_000);
  expect(harness.client.threads.map(({ runId }) => runId)).toEqual(['T', 'other']);
});

for (const how of ['before', 'after'] as const) {
  test(`a service without thread events ends the subscription silently, ${how} the error is made`, async () => {
    const harness = new Harness();
    harness.session.startFollowing();
    await harness.exchange('hello', 'answer', 'M1');
    const [stream] = harness.client.threads;
    if (how === 'before') stream!.refuse(404);
    else stream!.fail(clientError('HttpError', { status: 404 }));
    await harness.clock.pass(3_600_000);
    expect(stream!.options.signal?.aborted).toBe(true);
    await harness.exchange('again', 'answer', 'M2');
    expect(harness.client.threads).toHaveLength(1);
    expect(harness.diagnostics).toEqual([]);
    expect(harness.session.connection).toBe('idle');
  });
}

test('a late rejection does not end the subscription to another thread', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  harness.session.setThread('other');
  await harness.clock.pass(1_000);
  const [former, present] = harness.client.threads;
  former!.refuse(404);
  await harness.clock.pass(1_000);
  expect(present!.options.signal?.aborted).toBe(false);
  expect(harness.client.threads).toHaveLength(2);
});

test('a subscription with a rejected token is retried later, or with a new token', async () => {
  const harness = new Harness();
  const unauthorized = clientError('HttpError', { status: 401 });
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  harness.client.threads[0]!.fail(unauthorized);
  await harness.clock.pass(60_000);
  expect(harness.client.threads).toHaveLength(1);
  expect(harness.session.needsToken).toBe(true);
  await harness.exchange('again', 'answer', 'M2');
  expect(harness.session.needsToken).toBe(false);
  expect(harness.client.threads).toHaveLength(2);
  harness.client.threads[1]!.fail(unauthorized);
  await settle();
  await harness.session.resume();
  await settle();
  expect(harness.client.threads).toHaveLength(3);
  harness.client.threads[2]!.fail(unauthorized);
  await harness.clock.pass(300_000);
  harness.client.threads[3]!.open().emit('message.created', callbackMessage('C1', 'Your berth is ready.'));
  await settle();
  expect(harness.answer).toBe('Your berth is ready.');
  expect(harness.client.threads).toHaveLength(4);
  harness.session.dispose();
});

test('the subscription follows the conversation to another thread', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  await harness.exchange('hello', 'answer', 'M1');
  harness.session.setThread('T2');
  await settle();
  expect(harness.client.threads.map(({ runId, isClosed }) => [runId, isClosed])).toEqual([
    ['T', true],
    ['T2', false],
  ]);
});

test('the history of a thread hides turns that were edited', async () => {
  const harness = new Harness();
  harness.session.setThread('T');
  const text = (words: string): ContentItem[] => [{ id: '1', response_type: 'text', text: words }];
  harness.client.history = [
    { id: 'P1', role: 'user', run_id: 'R1', content: text('first try'), created_on: '2026-01-31T09:41:00Z' },
    { id: 'A1', role: 'assistant', run_id: 'R1', parent_message_id: 'P1', content: text('old answer') },
    { id: 'P2', role: 'user', run_id: 'R2', parent_message_id: 'P1', content: text('second try') },
    { id: 'A2', role: 'assistant', run_id: 'R2', parent_message_id: 'P2', content: text('new answer') },
    { id: 'C1', role: 'assistant', content: text('callback') },
  ];
  expect(await harness.session.loadHistory()).toBe(true);
  expect(harness.transcript).toEqual([
    'user: second try (sent)',
    'assistant: new answer (complete)',
    'assistant: callback (complete)',
  ]);
  const [first] = harness.session.conversation.messages;
  expect(first).toMatchObject({ messageId: 'P1', superseded: true, createdAt: Date.UTC(2026, 0, 31, 9, 41) });
  const before = harness.session.conversation;
  await harness.session.loadHistory();
  expect(harness.session.conversation).toBe(before);
});

test('a run continues while the history of its thread loads', async () => {
  const harness = new Harness();
  harness.session.setThread('T');
  harness.client.history = [{ id: 'P1', role: 'user', run_id: 'R1', content: 'hello' }];
  await harness.session.loadHistory();
  expect(harness.run).toMatchObject({ status: 'interrupted', runId: 'R1' });
  const going = harness.session.resume();
  await settle();
  expect(harness.client.replays[0]!.runId).toBe('R1');
  finish(begin(harness.client.replays[0]!, 'R1'), 'the answer', 'A1');
  await going;
  expect(harness.transcript).toEqual(['user: hello (sent)', 'assistant: the answer (complete)']);
});

test('a turn from the history is regenerated with all fields of its message', async () => {
  const harness = new Harness();
  harness.session.setThread('T');
  const said = { context: { values: [1] }, assistant_id: 'A', additional_properties: { tenant: 'x' } };
  const stored = { thread_id: 'T', run_id: 'R1', created_on: '2026-01-31T09:41:00Z' };
  harness.client.history = [
    { ...said, ...stored, id: 'P1', role: 'user', content: [{ response_type: 'text', text: 'hello' }] },
    { ...stored, id: 'A1', role: 'assistant', parent_message_id: 'P1', content: 'answer' },
  ];
  await harness.session.loadHistory();
  void harness.session.regenerate('A1');
  await settleImports();
  const { message } = harness.client.posts[0]!.request!;
  expect(message).toEqual({
    ...said,
    role: 'user',
    content: [{ response_type: 'text', text: 'hello' }],
    parent_message_id: 'P1',
    additional_properties: { tenant: 'x', client_message_id: expect.any(String) },
  });
});

test('a service without histories causes no failure', async () => {
  const harness = new Harness();
  harness.session.setThread('T');
  harness.client.faults['listMessages'] = [clientError('HttpError', { status: 404 })];
  expect(await harness.session.loadHistory()).toBe(false);
  expect(harness.session.connection).toBe('idle');
  expect(harness.diagnostics).toEqual([]);
});

test('history keeps local messages, and messages being sent stay at the end', async () => {
  const harness = new Harness();
  await harness.exchange('hello', 'answer', 'M1');
  const known = harness.session.conversation.messages[1];
  const { stream } = await harness.say('more');
  begin(stream, 'R2');
  await settle();
  harness.client.history = [
    { id: 'P0', role: 'user', run_id: 'R0', content: 'from another device' },
    { id: 'A0', role: 'assistant', run_id: 'R0', parent_message_id: 'P0', content: 'its answer' },
    { id: 'M1-prompt', role: 'user', run_id: 'R', content: 'hello' },
    { id: 'M1', role: 'assistant', run_id: 'R', parent_message_id: 'M1-prompt', content: 'answer' },
  ];
  await harness.session.loadHistory();
  expect(harness.transcript.map((line) => line.replace(/ \(.*/, ''))).toEqual([
    'user: from another device',
    'assistant: its answer',
    'user: hello',
    'assistant: answer',
    'user: more',
    'assistant: ',
  ]);
  expect(harness.session.conversation.messages[3]).toBe(known);
  expect(harness.session.conversation.runs.map(({ runId }) => runId)).toEqual(['R0', 'R', 'R2']);
});

test('a message that never reached the service keeps its place in the history', async () => {
  const harness = new Harness();
  const refused = await harness.say('one that is refused');
  refused.stream.fail(clientError('HttpError', { status: 403 }));
  await refused.turn;
  await harness.exchange('hello', 'answer', 'M1');
  const before = harness.transcript;
  expect(before[0]).toContain('one that is refused');
  harness.client.history = [
    { id: 'M1-prompt', role: 'user', run_id: 'R', content: 'hello' },
    { id: 'M1', role: 'assistant', run_id: 'R', parent_message_id: 'M1-prompt', content: 'answer' },
  ];
  await harness.session.loadHistory();
  expect(harness.transcript).toEqual(before);
  expect(harness.session.conversation.runs.map(({ runId }) => runId)).toEqual([undefined, 'R']);
});

test('a stopped answer stays as it was shown when the history loads', async () => {
  const harness = new Harness();
  await harness.exchange('first', 'answer', 'A1');
  const { turn } = await harness.say('second');
  await harness.session.stop();
  await turn;
  const { clientMessageId } = harness.session.conversation.messages.at(-1)!;
  const stored = { thread_id: 'T', run_id: 'R2' };
  harness.client.history = [
    {
      ...stored,
      id: 'P2',
      role: 'user',
      content: 'second',
      additional_properties: { client_message_id: clientMessageId },
    },
    { ...stored, id: 'A2', role: 'assistant', parent_message_id: 'P2', content: 'half an ans' },
  ];
  expect(await harness.session.loadHistory()).toBe(true);
  expect(harness.transcript.slice(2)).toEqual(['user: second (sent)']);
});

test('an unseen message is posted as a notification, which reading deletes', async () => {
  let news = 0;
  const harness = new Harness({ onNews: () => (news += 1) });
  harness.session.attended = false;
  await harness.exchange('hello', 'answer', 'M1');
  expect(news).toBe(1);
  await settleImports();
  expect(harness.client.notified).toMatchObject([{ thread_id: 'T', run_id: 'R' }]);
  expect(harness.client.readThreads).toEqual([]);
  harness.session.attended = true;
  await settle();
  expect(harness.client.readThreads).toEqual(['T']);
  await harness.exchange('more', 'answer', 'M2');
  expect(harness.client.notified).toHaveLength(1);
  expect(news).toBe(1);
});

test('a notification that is being posted is deleted afterwards, also on behalf of another tab', async () => {
  const harness = new Harness();
  let post: () => void = () => undefined;
  const createNotification = harness.client.createNotification.bind(harness.client);
  harness.client.createNotification = async (notification) => {
    await new Promise<void>((resolve) => (post = resolve));
    return createNotification(notification);
  };
  harness.session.attended = false;
  await harness.exchange('hello', 'answer', 'M1');
  harness.session.resumeNotification();
  harness.session.attended = true;
  await settleImports();
  expect(harness.client.readThreads).toEqual([]);
  post();
  await settle();
  expect(harness.client.notified).toHaveLength(1);
  expect(harness.client.readThreads).toEqual(['T']);
});

test('the notification of a thread is deleted when the visitor returns to the thread', async () => {
  const harness = new Harness();
  harness.session.attended = false;
  await harness.exchange('hello', 'answer', 'M1');
  await settleImports();
  harness.session.setThread('another');
  harness.session.attended = true;
  await settle();
  expect(harness.client.readThreads).toEqual([]);
  harness.session.setThread('T');
  await settle();
  expect(harness.client.readThreads).toEqual(['T']);
});

test('a service that rejects notifications causes one diagnostic and gets no more', async () => {
  const harness = new Harness();
  harness.client.faults['createNotification'] = [clientError('HttpError', { status: 403 })];
  harness.session.attended = false;
  await harness.exchange('one', 'answer', 'M1');
  await harness.exchange('two', 'answer', 'M2');
  await settleImports();
  expect(harness.client.notified).toHaveLength(1);
  await expect.poll(() => harness.diagnostics.map(({ code }) => code)).toEqual(['notifications-refused']);
  harness.session.attended = true;
  await settle();
  expect(harness.client.readThreads).toEqual([]);
});

test('after a temporary failure, the next notification is posted', async () => {
  const harness = new Harness();
  harness.client.faults['createNotification'] = [clientError('HttpError', { status: 503 })];
  harness.session.attended = false;
  await harness.exchange('one', 'answer', 'M1');
  await harness.exchange('two', 'answer', 'M2');
  await settleImports();
  expect(harness.client.notified).toHaveLength(2);
  expect(harness.diagnostics).toEqual([]);
});

test('notifications can be turned off', async () => {
  const harness = new Harness();
  harness.settings = { notifications: false };
  harness.session.attended = false;
  await harness.exchange('hello', 'answer');
  await settleImports();
  expect(harness.client.notified).toEqual([]);
});

test('messages have the time of the service, once it is known', async () => {
  const harness = new Harness();
  harness.session.startFollowing();
  const times = (): number[] => harness.session.conversation.messages.map(({ createdAt }) => createdAt);
  await harness.exchange('hello', 'answer', 'A1');
  const { message, ...ids } = callbackMessage('C1', 'Your berth is ready.');
  const created_on = '2026-01-31T09:43:00Z';
  const thread = harness.client.threads[0]!.open();
  thread.emit('message.created', { ...ids, message: { ...Object(message), created_on } });
  await settle();
  expect(times().at(-1)).toBe(Date.parse(created_on));
  const [prompt] = harness.session.conversation.messages;
  harness.client.history = [
    { id: prompt!.messageId!, role: 'user', created_on: '2026-01-31T09:41:00Z' },
    { id: 'A1', role: 'assistant', created_on: '2026-01-31T09:42:00Z' },
  ];
  await harness.session.loadHistory();
  expect(times()).toEqual([41, 42, 43].map((minute) => Date.UTC(2026, 0, 31, 9, minute)));
});
