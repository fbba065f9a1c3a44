import { expect, test } from '@playwright/test';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';

const refusals = [
  { status: 401, kind: 'auth', connection: 'auth-needed', retryable: true },
  { status: 403, kind: 'forbidden', connection: 'failed', retryable: false },
  { status: 404, kind: 'not-found', connection: 'failed', retryable: false },
  { status: 413, kind: 'too-large', connection: 'failed', retryable: false },
  { status: 422, kind: 'invalid', connection: 'failed', retryable: false },
  { status: 429, kind: 'rate-limit', connection: 'failed', retryable: true },
  { status: 500, kind: 'server', connection: 'failed', retryable: true },
];

for (const { status, kind, connection, retryable } of refusals) {
  test(`a turn that the service answers with ${status} fails as "${kind}"`, async () => {
    const harness = new Harness();
    const { stream, turn } = await harness.say('hello');
    stream.fail(
      clientError('HttpError', { status, reason: 'so it is', retryAfter: status === 429 ? 7 : undefined }),
    );
    await turn;
    expect(harness.run.failure).toEqual({
      kind,
      reason: 'so it is',
      retryable,
      retryAfter: status === 429 ? 7 : undefined,
      status,
    });
    expect(harness.run.status).toBe('failed');
    expect(harness.session.connection).toBe(connection);
    expect(harness.transcript).toEqual(['user: hello (rejected)']);
    expect(harness.client.posts).toHaveLength(1);
  });
}

const thrown = [
  { name: 'NetworkError', kind: 'network' },
  { name: 'TimeoutError', fields: { phase: 'connect' }, kind: 'timeout' },
  { name: 'StreamFormatError', fields: { reason: 'html' }, kind: 'format' },
  { name: 'HttpError', fields: { status: 404, body: '\n<!doctype html><h1>Not Found' }, kind: 'format' },
];

for (const { name, fields, kind } of thrown) {
  test(`a turn on which the client throws ${name} fails as "${kind}" and can be retried as the same turn`, async () => {
    const harness = new Harness();
    const { stream, turn } = await harness.say('hello');
    stream.fail(clientError(name, fields));
    await turn;
    expect(harness.run.failure).toMatchObject({ kind, retryable: true });
    expect(harness.session.connection).toBe('failed');
    const again = harness.session.retry();
    await settle();
    expect(harness.client.posts).toHaveLength(2);
    expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
    finish(begin(harness.client.posts[1]!), 'here you are');
    await again;
    expect(harness.transcript).toEqual(['user: hello (sent)', 'assistant: here you are (complete)']);
    expect(harness.run.failure).toBeUndefined();
  });
}

test('a run that the service ended is retried under a new id and replaces the old turn', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  stream
    .open()
    .emit('run.started', { run_id: 'R', thread_id: 'T', parent_message_id: 'P' })
    .emit('run.failed', { error: 'model overloaded' })
    .emit('done')
    .close();
  await turn;
  expect(harness.run.failure).toMatchObject({ kind: 'run', reason: 'model overloaded' });
  expect(harness.session.connection).toBe('idle');
  void harness.session.retry();
  await settle();
  const again = harness.client.posts[1]!;
  expect(again.clientMessageId).not.toBe(stream.clientMessageId);
  expect(again.request?.message.parent_message_id).toBe('P');
  expect(harness.session.conversation.messages).toHaveLength(1);
});

test('Retry does not resend a message that was answered or waits for the visitor', async () => {
  const harness = new Harness();
  await harness.exchange('book it', 'booked');
  await harness.session.retry();
  expect(harness.client.posts).toHaveLength(1);
  const { stream, turn } = await harness.say('another');
  begin(stream).emit('message.interrupt', { run_id: 'R', thread_id: 'T' }).emit('done').close();
  await turn;
  expect(harness.run.status).toBe('waiting');
  await harness.session.retry();
  expect(harness.client.posts).toHaveLength(2);
});

test('a silent stream counts as stalled although the clock is set back', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  await harness.clock.pass(1_000);
  harness.clock.setBack(3_600_000);
  await harness.clock.pass(30_000);
  expect(harness.session.connection).toBe('stalled');
  finish(stream, 'late');
  await turn;
});

test('reading many events at once yields to the page in between', async () => {
  let read = 0;
  const harness = new Harness({
    onRunEvent: () => {
      read += 1;
      harness.clock.setBack(-30); // each takes so long
    },
  });
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  for (let count = 0; count < 20; count += 1) stream.emit('run.step.intermediate', { message: `${count}` });
  finish(stream, 'all');
  await settle();
  expect(read).toBeLessThan(8);
  await harness.clock.pass(1);
  await turn;
  expect(read).toBeGreaterThan(20);
  expect(harness.answer).toBe('all');
});

test('a request without a response counts as stalled after fifteen seconds, until its stream begins', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  await harness.clock.pass(14_999);
  expect(harness.session.connection).toBe('connecting');
  await harness.clock.pass(1);
  expect(harness.session.connection).toBe('stalled');
  expect(harness.session.canStop).toBe(true);
  begin(stream);
  await settle();
  expect(harness.session.connection).toBe('streaming');
  finish(stream, 'late');
  await turn;
  expect(harness.session.connection).toBe('idle');
});

test('after fifteen seconds without an event the stream counts as stalled, until the next one', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  await harness.clock.pass(14_999);
  expect(harness.session.connection).toBe('streaming');
  await harness.clock.pass(1);
  expect(harness.session.connection).toBe('stalled');
  expect(harness.session.canStop).toBe(true);
  delta(stream, 'still here');
  await settle();
  expect(harness.session.connection).toBe('streaming');
  await harness.clock.pass(15_000);
  expect(harness.session.connection).toBe('stalled');
  finish(stream, 'still here');
  await turn;
  expect(harness.connections).toEqual([
    'idle',
    'connecting',
    'streaming',
    'stalled',
    'streaming',
    'stalled',
    'streaming',
    'idle',
  ]);
  await harness.clock.pass(2_000);
  expect(harness.clock.pending).toBe(0);
});

const breaks = [
  { how: 'closes without an end', error: undefined },
  { how: 'breaks', error: clientError('StreamInterruptedError', { lastEventId: '1-0' }) },
  { how: 'falls silent for 35 s', error: clientError('TimeoutError', { phase: 'idle' }) },
];

for (const { how, error } of breaks) {
  test(`a stream that ${how} is resumed after its last event, without loss or repetition`, async () => {
    const harness = new Harness();
    const { stream, turn } = await harness.say('hello');
    delta(begin(stream, 'R-1'), 'first ');
    if (error) stream.fail(error);
    else stream.close();
    await settle();
    expect(harness.session.connection).toBe('resuming');
    expect(harness.session.canStop).toBe(true);
    expect(harness.client.replays).toHaveLength(1);
    const replay = harness.client.replays[0]!;
    expect(replay.runId).toBe('R-1');
    expect(replay.options.lastEventId).toBe(harness.run.lastEventId);
    replay.open();
    // A service that plays more than it was asked for: the same event, and the next.
    replay.emit(
      'message.delta',
      { delta: { content: [{ id: '1', response_type: 'text', text: 'first ' }] } },
      harness.run.lastEventId,
    );
    replay.emit(
      'message.delta',
      { delta: { content: [{ id: '1', response_type: 'text', text: 'second' }] } },
      '1770000000100-0',
    );
    await settle();
    expect(harness.session.connection).toBe('streaming');
    expect(harness.answer).toBe('first second');
    replay.emit('run.completed', {}, '1770000000101-0').emit('done', {}, '1770000000102-0').close();
    await turn;
    expect(harness.run.status).toBe('completed');
    expect(harness.run.failure).toBeUndefined();
    expect(harness.client.posts).toHaveLength(1);
  });
}

for (const status of [404, 405, 501]) {
  test(`if a run cannot be replayed (${status}), its text stays and Retry sends the same turn`, async () => {
    const harness = new Harness();
    const { stream, turn } = await harness.say('hello');
    delta(begin(stream), 'half an ans').close();
    await settle();
    harness.client.replays[0]!.fail(clientError('HttpError', { status }));
    await turn;
    expect(harness.run.status).toBe('interrupted');
    expect(harness.run.failure).toMatchObject({ kind: 'interrupted', retryable: true });
    expect(harness.answer).toBe('half an ans');
    expect(harness.session.connection).toBe('failed');
    await harness.clock.pass(3_600_000);
    expect(harness.client.posts).toHaveLength(1);
    const again = harness.session.retry();
    await settle();
    harness.client.replays[1]!.fail(clientError('HttpError', { status }));
    await settle();
    expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
    finish(begin(harness.client.posts[1]!), 'half an answer and the rest');
    await again;
    expect(harness.transcript).toEqual([
      'user: hello (sent)',
      'assistant: half an answer and the rest (complete)',
    ]);
  });
}

test('with resumable off, the service is not asked for a replay', async () => {
  const harness = new Harness();
  harness.settings = { resumable: false };
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'half').close();
  await turn;
  expect(harness.client.replays).toHaveLength(0);
  expect(harness.run.status).toBe('interrupted');
});

test('resuming is attempted a limited number of times with growing delays, and Stop ends it', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'half').close();
  const times: number[] = [];
  const startedAt = harness.clock.now();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await settle();
    while (harness.client.replays.length <= attempt) await harness.clock.pass(500);
    times.push(harness.clock.now() - startedAt);
    harness.client.replays[attempt]!.fail(clientError('NetworkError'));
  }
  await turn;
  expect(times).toEqual([0, 1000, 3000, 7000, 15000, 30000, 45000, 60000]);
  expect(harness.run.status).toBe('interrupted');
  expect(harness.clock.pending).toBe(0);

  const second = new Harness();
  const other = await second.say('hello');
  begin(other.stream).close();
  await settle();
  second.client.replays[0]!.fail(clientError('NetworkError'));
  await settle();
  await second.session.stop();
  await other.turn;
  await second.clock.pass(60_000);
  expect(second.client.replays).toHaveLength(1);
  expect(second.run.status).toBe('cancelled');
  expect(second.clock.pending).toBe(0);
});

test('a stream that breaks repeatedly is resumed as long as each attempt brings an event', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  begin(stream).close();
  const waits: number[] = [];
  for (let place = 0; place < 20; place += 1) {
    const since = harness.clock.now();
    await settle();
    while (harness.client.replays.length <= place) await harness.clock.pass(100);
    waits.push(harness.clock.now() - since);
    const text = { delta: { content: [{ id: '1', text: `${place} ` }] } };
    harness.client.replays[place]!.open()
      .emit('message.delta', text, `${1_770_000_000_100 + place}-0`)
      .close();
  }
  expect(waits).toEqual([0, ...Array<number>(19).fill(1_000)]);
  await settle();
  await harness.clock.pass(1_000);
  harness.client.replays[20]!.open().emit('done', {}, '1770000000200-0').close();
  await turn;
  expect(harness.run.status).toBe('completed');
  expect(harness.answer.trim().split(' ')).toHaveLength(20);
});

test('a turn without any event is posted at most eight times', async () => {
  const harness = new Harness();
  harness.settings = { resumable: true };
  const { turn } = await harness.say('hello');
  for (let place = 0; place < 8; place += 1) {
    while (harness.client.posts.length <= place) await harness.clock.pass(500);
    harness.client.posts[place]!.fail(clientError('NetworkError'));
    await settle();
  }
  await turn;
  await harness.clock.pass(600_000);
  expect(harness.client.posts).toHaveLength(8);
  expect(harness.transcript).toEqual(['user: hello (rejected)']);
});

test('a repeated post waits until the network is back', async () => {
  const harness = new Harness();
  harness.settings = { resumable: true };
  const { stream, turn } = await harness.say('hello');
  stream.fail(clientError('NetworkError'));
  await settle();
  harness.isOnline = false;
  await harness.clock.pass(60_000);
  expect(harness.client.posts).toHaveLength(1);
  expect(harness.session.connection).toBe('offline');
  harness.isOnline = true;
  await harness.clock.pass(2_000);
  finish(begin(harness.client.posts[1]!), 'answer');
  await turn;
  expect(harness.answer).toBe('answer');
});

test('a turn posted offline is sent when the network is back', async () => {
  const harness = new Harness();
  harness.isOnline = false;
  const { stream, turn } = await harness.say('hello');
  stream.fail(clientError('NetworkError'));
  await settle();
  expect(harness.session.connection).toBe('offline');
  await harness.clock.pass(600_000);
  expect(harness.client.posts).toHaveLength(1);
  harness.isOnline = true;
  await harness.session.resume();
  await settle();
  expect(harness.client.posts).toHaveLength(2);
  expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
  finish(begin(harness.client.posts[1]!), 'answer');
  await turn;
  expect(harness.transcript).toEqual(['user: hello (sent)', 'assistant: answer (complete)']);
});

test('a turn whose response began is not sent again after the network was lost', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  stream.open();
  expect(harness.session.connection).toBe('streaming');
  harness.isOnline = false;
  stream.fail(clientError('NetworkError'));
  await turn;
  harness.isOnline = true;
  await harness.session.resume();
  await harness.clock.pass(600_000);
  expect(harness.client.posts).toHaveLength(1);
  expect(harness.transcript).toEqual(['user: hello (rejected)']);
});

test('an answer interrupted by sleep continues when the network is back', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'first ');
  await settle();
  harness.isOnline = false;
  stream.fail(clientError('StreamInterruptedError'));
  await settle();
  expect(harness.session.connection).toBe('offline');
  await harness.clock.pass(600_000);
  expect(harness.client.replays).toHaveLength(0);
  harness.isOnline = true;
  await harness.clock.pass(2_000);
  const replay = harness.client.replays[0]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: 'second' }] } }, '1770000000100-0');
  replay.emit('run.completed', {}, '1770000000101-0').emit('done', {}, '1770000000102-0').close();
  await turn;
  expect(harness.answer).toBe('first second');
  expect(harness.client.posts).toHaveLength(1);
});

test('a run whose token is rejected continues after signing in again', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  delta(begin(stream), 'first ').close();
  await settle();
  harness.client.replays[0]!.fail(clientError('HttpError', { status: 401 }));
  await turn;
  expect(harness.session.connection).toBe('auth-needed');
  const going = harness.session.resume();
  await settle();
  const replay = harness.client.replays[1]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: 'second' }] } }, '1770000000100-0');
  replay.emit('done', {}, '1770000000102-0').close();
  await going;
  expect(harness.answer).toBe('first second');
  expect(harness.run.status).toBe('completed');
  expect(harness.client.posts).toHaveLength(1);
});

test('a failure keeps its status, URL and request id after a reload', async () => {
  const kept = new Map<string, unknown>();
  const storage = {
    load: () => kept.get('it'),
    save: (snapshot: unknown) => void kept.set('it', JSON.parse(JSON.stringify(snapshot))),
    clear: () => kept.clear(),
  };
  const harness = new Harness({ storage });
  const { stream, turn } = await harness.say('hello');
  const facts = { status: 503, url: 'https://chat.example/runs', requestId: 'abc-1' };
  stream.fail(clientError('HttpError', facts));
  await turn;
  expect(harness.run.failure).toMatchObject({ kind: 'server', ...facts });
  harness.session.save();
  expect(new Harness({ storage }).run.failure).toMatchObject({ kind: 'server', ...facts });
});

test('a broken token endpoint does not ask the visitor to sign in; the turn continues when it works', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  stream.fail(clientError('TokenEndpointError', { status: 404, url: 'https://shop.example/token' }));
  await turn;
  expect(harness.run.failure).toMatchObject({
    kind: 'token',
    status: 404,
    url: 'https://shop.example/token',
  });
  expect(harness.session.connection).toBe('failed');
  expect(harness.session.needsToken).toBe(true);
  void harness.session.resume();
  await settle();
  expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
});

test('a turn whose token is rejected is sent after signing in again', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('hello');
  stream.fail(clientError('HttpError', { status: 401 }));
  await turn;
  void harness.session.resume();
  await settle();
  expect(harness.client.posts).toHaveLength(2);
  expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
});

test('a queued message waits for a turn that failed to arrive, and is sent after it', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('one');
  const second = harness.session.send('two');
  await settle();
  stream.fail(clientError('NetworkError'));
  await turn;
  await settle();
  expect(harness.client.posts).toHaveLength(1);
  void harness.session.retry();
  await settle();
  finish(begin(harness.client.posts[1]!), 'first');
  await settle();
  finish(begin(harness.client.posts[2]!, 'R2'), 'second', 'M2');
  await second;
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: first (complete)',
    'user: two (sent)',
    'assistant: second (complete)',
  ]);
});

test('a message sent after a failed turn goes out behind the queued ones', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('one');
  const second = harness.session.send('two');
  stream.fail(clientError('NetworkError'));
  await turn;
  const third = harness.session.send('three');
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'second', 'M2');
  await second;
  await settle();
  finish(begin(harness.client.posts[2]!, 'R3'), 'third', 'M3');
  await third;
  expect(harness.transcript).toEqual([
    'user: one (rejected)',
    'user: two (sent)',
    'assistant: second (complete)',
    'user: three (sent)',
    'assistant: third (complete)',
  ]);
});

const unheard = [
  { fault: clientError('NetworkError'), posts: 2 },
  { fault: clientError('StreamInterruptedError'), posts: 2 },
  { fault: clientError('TimeoutError', { phase: 'connect' }), posts: 2 },
  { fault: clientError('TimeoutError', { phase: 'idle' }), posts: 2 },
  { fault: clientError('HttpError', { status: 503 }), posts: 2 },
  { fault: clientError('HttpError', { status: 403 }), posts: 1 },
  { fault: clientError('HttpError', { status: 429 }), posts: 1 },
  { fault: clientError('StreamFormatError'), posts: 1 },
];

test('a service that runs no turn twice is posted to again after temporary failures only', async () => {
  for (const { fault, posts } of unheard) {
    const harness = new Harness();
    harness.settings = { resumable: true };
    const { stream } = await harness.say('hello');
    stream.fail(fault);
    await harness.clock.pass(2_000);
    expect(harness.client.posts, JSON.stringify(fault)).toHaveLength(posts);
    harness.session.dispose();
  }
});

test('a service that runs no turn twice is posted to again automatically', async () => {
  const harness = new Harness();
  harness.settings = { resumable: true };
  const { stream, turn } = await harness.say('hello');
  stream.fail(clientError('NetworkError'));
  await settle();
  expect(harness.session.connection).toBe('resuming');
  await harness.clock.pass(1_500);
  expect(harness.client.posts[1]!.clientMessageId).toBe(stream.clientMessageId);
  finish(begin(harness.client.posts[1]!), 'answer');
  await turn;
  expect(harness.answer).toBe('answer');
});

test('an error in a callback of the host does not end the turn', async () => {
  const harness = new Harness({
    onRunEvent: () => {
      throw new Error('host fault');
    },
  });
  const { stream, turn } = await harness.say('hello');
  finish(begin(stream), 'answer');
  await turn;
  expect(harness.answer).toBe('answer');
  expect(harness.run.status).toBe('completed');
  expect(harness.diagnostics[0]).toEqual({
    code: 'host-callback-failed',
    message: 'onRunEvent threw: host fault',
  });
});

test('what is said while a token is refused waits behind the message that was refused', async () => {
  const harness = new Harness();
  const { session, client } = harness;
  const unauthorized = clientError('HttpError', { status: 401 });
  const { stream, turn } = await harness.say('one');
  stream.fail(unauthorized);
  await turn;
  void session.send('two');
  await settle();
  client.posts[1]!.fail(unauthorized);
  await settle();
  expect(harness.transcript).toEqual(['user: one (rejected)', 'user: two (queued)']);
  void session.resume(); // with another token
  await settle();
  finish(begin(client.posts[2]!, 'R-1'), 'first', 'M1');
  await settle();
  finish(begin(client.posts[3]!, 'R-2'), 'second', 'M2');
  await settle();
  expect(client.posts.slice(0, 3).map(({ clientMessageId }) => clientMessageId)).toEqual(
    Array.from({ length: 3 }, () => stream.clientMessageId),
  );
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: first (complete)',
    'user: two (sent)',
    'assistant: second (complete)',
  ]);
});

test('an answer whose token was refused in the middle is read to its end before the next message', async () => {
  const harness = new Harness();
  const { session, client } = harness;
  const { stream, turn } = await harness.say('one');
  delta(begin(stream), 'first ').close();
  await settle();
  client.replays[0]!.fail(clientError('HttpError', { status: 401 }));
  await turn;
  void session.send('two');
  await settle();
  const replay = client.replays[1]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: 'whole' }] } }, '1770000000100-0');
  replay.emit('run.completed', {}, '1770000000101-0').emit('done', {}, '1770000000102-0').close();
  await settle();
  finish(begin(client.posts[1]!, 'R-2'), 'second', 'M2');
  await settle();
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: first whole (complete)',
    'user: two (sent)',
    'assistant: second (complete)',
  ]);
});

test('an answer that cannot be replayed after a refused token does not say "sign in again", nor hold up the next message', async () => {
  const harness = new Harness();
  const { session, client } = harness;
  const { stream, turn } = await harness.say('one');
  delta(begin(stream), 'first ').close();
  await settle();
  client.replays[0]!.fail(clientError('HttpError', { status: 401 }));
  await turn;
  void session.send('two');
  await settle();
  client.replays[1]!.fail(clientError('HttpError', { status: 404 }));
  await settle();
  expect(session.conversation.runs[0]).toMatchObject({
    status: 'interrupted',
    failure: { kind: 'interrupted' },
  });
  expect(client.replays).toHaveLength(2);
  expect(client.posts).toHaveLength(2);
});
