import { expect, test } from '@playwright/test';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle, settleImports } from './manual-clock.ts';

test('queued messages are sent after an edit of the current turn', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('first');
  delta(begin(stream), 'half');
  await settle();
  void harness.session.send('second');
  await settle();
  void harness.session.edit(harness.session.conversation.messages[0]!.id, 'other');
  await settleImports();
  expect(harness.transcript).toEqual(['user: other (sending)', 'user: second (queued)']);
  finish(begin(harness.client.posts[1]!, 'R2'), 'to the other', 'M2');
  await settle();
  finish(begin(harness.client.posts[2]!, 'R3'), 'to the second', 'M3');
  await settle();
  expect(harness.transcript).toEqual([
    'user: other (sent)',
    'assistant: to the other (complete)',
    'user: second (sent)',
    'assistant: to the second (complete)',
  ]);
  await expect.poll(() => harness.client.cancelled).toEqual(['R']);
  expect(harness.client.posts[2]!.request?.message.parent_message_id).toBeUndefined();
});

test('queued messages are sent after an edit of an interrupted turn', async () => {
  const harness = new Harness();
  harness.settings = { resumable: false };
  const { stream } = await harness.say('first');
  delta(begin(stream), 'half');
  await settle();
  void harness.session.send('second');
  await settle();
  stream.fail(clientError('StreamInterruptedError'));
  await settle();
  expect(harness.transcript.at(-1)).toBe('user: second (queued)');
  void harness.session.edit(harness.session.conversation.messages[0]!.id, 'other');
  await settleImports();
  expect(harness.transcript).toEqual(['user: other (sending)', 'user: second (queued)']);
});

test('an older turn is sent again after the run in progress, and once', async () => {
  const harness = new Harness();
  const first = await harness.say('first');
  first.stream.fail(clientError('HttpError', { status: 400 }));
  await first.turn;
  const { stream } = await harness.say('second');
  begin(stream);
  await settle();
  const { id } = harness.session.conversation.runs[0]!;
  void harness.session.retry(id);
  void harness.session.retry(id);
  await expect
    .poll(() => harness.transcript)
    .toEqual(['user: second (sent)', 'assistant:  (streaming)', 'user: first (queued)']);
  finish(stream, 'answer');
  await settle();
  expect(harness.client.posts).toHaveLength(3);
});

test('a message sent after returning to the page waits for the interrupted answer', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('first');
  delta(begin(stream), 'half');
  await settle();
  harness.session.suspend();
  void harness.session.send('second');
  await harness.clock.pass(100);
  expect(harness.client.posts).toHaveLength(1);
  finish(harness.client.replays[0]!.open(), 'half and whole');
  await harness.clock.pass(100);
  expect(harness.transcript).toEqual([
    'user: first (sent)',
    'assistant: half and whole (complete)',
    'user: second (sending)',
  ]);
});
