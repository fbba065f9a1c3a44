import { expect, test } from '@playwright/test';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';

const unreachable = clientError('NetworkError');

/** A cut answer with a message queued behind it, while the service is down for so many attempts to resume. */
async function outage(attempts: number): Promise<Harness> {
  const harness = new Harness();
  const { stream } = await harness.say('one');
  delta(begin(stream), 'half');
  await settle();
  void harness.session.send('two');
  stream.fail(clientError('StreamInterruptedError'));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await settle();
    while (harness.client.replays.length <= attempt) await harness.clock.pass(500);
    harness.client.replays[attempt]!.fail(unreachable);
  }
  await settle();
  return harness;
}

test('as long as a message waits, a cut answer is resumed, then the message is sent', async () => {
  const harness = await outage(30);
  expect(harness.session.connection).toBe('resuming');
  expect(harness.transcript.at(-1)).toBe('user: two (queued)');
  await harness.clock.pass(25_000);
  const replay = harness.client.replays[30]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: ' whole' }] } }, '1770000000100-0');
  replay.emit('run.completed', {}, '1770000000101-0').emit('done', {}, '1770000000102-0').close();
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'second', 'M2');
  await settle();
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: half whole (complete)',
    'user: two (sent)',
    'assistant: second (complete)',
  ]);
});

test('a wake ends the delay of a long outage at once', async () => {
  const harness = await outage(12);
  await harness.session.resume();
  await settle();
  expect(harness.client.replays).toHaveLength(13);
});

test('a cut answer that nothing waits for any more is given up', async () => {
  const harness = await outage(10);
  harness.session.removeQueued(harness.session.conversation.messages.at(-1)!.id);
  await harness.clock.pass(25_000);
  harness.client.replays[10]!.fail(unreachable);
  await settle();
  expect(harness.run.status).toBe('interrupted');
  expect(harness.session.connection).toBe('failed');
  expect(harness.clock.pending).toBe(0);
});

test('a message that waits is sent when the service cannot replay the cut answer', async () => {
  const harness = await outage(1);
  await harness.clock.pass(1_500);
  harness.client.replays[1]!.fail(clientError('HttpError', { status: 404 }));
  await settle();
  expect(harness.session.conversation.runs[0]!.status).toBe('interrupted');
  expect(harness.client.posts.map(({ request }) => request!.message.content)).toEqual(
    ['one', 'two'].map((text) => [{ response_type: 'text', text }]),
  );
});

test('a message that failed to arrive is posted until it does, as long as another one waits', async () => {
  const harness = new Harness();
  harness.settings = { resumable: true };
  await harness.say('one');
  void harness.session.send('two');
  for (let attempt = 0; attempt < 20; attempt += 1) {
    while (harness.client.posts.length <= attempt) await harness.clock.pass(500);
    harness.client.posts[attempt]!.fail(unreachable);
    await settle();
  }
  expect(harness.session.connection).toBe('resuming');
  expect(harness.transcript).toEqual(['user: one (sending)', 'user: two (queued)']);
});

for (const { end, brings, text, posts } of [
  { end: 'failed', brings: 'nothing', text: '', posts: 2 },
  { end: 'expired', brings: 'nothing', text: '', posts: 2 },
  { end: 'failed', brings: 'more of the answer', text: ' more', posts: 1 },
]) {
  test(`Retry that brings ${brings} before "run.${end}" asks ${posts - 1} more times`, async () => {
    const harness = new Harness();
    const { stream, turn } = await harness.say('one');
    delta(begin(stream), 'half').close();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await settle();
      while (harness.client.replays.length <= attempt) await harness.clock.pass(500);
      harness.client.replays[attempt]!.fail(unreachable);
    }
    await turn;
    expect(harness.session.connection).toBe('failed');
    void harness.session.retry();
    await settle();
    const replay = harness.client.replays[8]!.open();
    if (text) replay.emit('message.delta', { delta: { content: [{ id: '1', text }] } }, '1770000000100-0');
    replay.emit(`run.${end}`, { error: 'restarted' }, '1770000000101-0');
    replay.emit('done', {}, '1770000000102-0').close();
    await expect.poll(() => harness.run.status).toBe(text ? end : 'submitted');
    await harness.clock.pass(1_000);
    expect(harness.client.posts).toHaveLength(posts);
    const ids = harness.client.posts.map(({ clientMessageId }) => clientMessageId);
    expect(new Set(ids).size).toBe(posts);
  });
}

test('a cut answer that has later turns is asked again behind them', async () => {
  const harness = await outage(1);
  await harness.clock.pass(1_500);
  const replay = harness.client.replays[1]!.open();
  replay
    .emit('run.failed', { error: 'restarted' }, '1770000000101-0')
    .emit('done', {}, '1770000000102-0')
    .close();
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'second', 'M2');
  await settle();
  const [cut] = harness.session.conversation.runs;
  expect(cut).toMatchObject({ status: 'failed', failure: { retryable: true } });
  void harness.session.retry(cut!.id);
  await expect.poll(() => harness.client.posts.length).toBe(3);
  finish(begin(harness.client.posts[2]!, 'R3'), 'whole', 'M3');
  await settle();
  expect(harness.transcript).toEqual([
    'user: two (sent)',
    'assistant: second (complete)',
    'user: one (sent)',
    'assistant: whole (complete)',
  ]);
});

test('a service that is resumed too often is asked again after its Retry-After', async () => {
  const harness = await outage(0);
  harness.client.replays[0]!.fail(clientError('HttpError', { status: 429, retryAfter: 40 }));
  await harness.clock.pass(39_000);
  expect(harness.client.replays).toHaveLength(1);
  await harness.clock.pass(2_000);
  expect(harness.client.replays).toHaveLength(2);
  harness.client.replays[1]!.fail(clientError('HttpError', { status: 503 }));
  await harness.clock.pass(15_000);
  expect(harness.client.replays).toHaveLength(3);
});

test('Retry resumes an answer that was cut off before a later turn, in its place', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('one');
  delta(begin(stream, 'R1'), 'half').close();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    while (harness.client.replays.length <= attempt) await harness.clock.pass(500);
    harness.client.replays[attempt]!.fail(unreachable);
    await settle();
  }
  await turn;
  await harness.exchange('two', 'second', 'M2');
  void harness.session.retry(harness.session.conversation.runs[0]!.id);
  await settle();
  const replay = harness.client.replays[8]!.open();
  replay.emit('message.delta', { delta: { content: [{ id: '1', text: ' whole' }] } }, '1770000000100-0');
  replay.emit('run.completed', {}, '1770000000101-0').emit('done', {}, '1770000000102-0').close();
  await settle();
  expect(harness.client.posts).toHaveLength(2);
  expect(harness.transcript).toEqual([
    'user: one (sent)',
    'assistant: half whole (complete)',
    'user: two (sent)',
    'assistant: second (complete)',
  ]);
});
