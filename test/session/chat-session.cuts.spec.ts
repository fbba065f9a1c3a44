import { expect, test } from '@playwright/test';
import { findRun } from '../../src/conversation/index.ts';
import type { Conversation } from '../../src/conversation/index.ts';
import { isQuick } from '../tools/quick.ts';
import { fold, recordedStreams, runKey, submitted } from '../conversation/fold.ts';
import type { FakeStream } from './fake-client.ts';
import { clientError } from './fake-client.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';
import type { RunEvent } from '../../src/protocol/index.ts';

/** The conversation without its times and without the ids that the session created. */
function comparable(conversation: Conversation): unknown {
  const [run] = conversation.runs;
  const text = JSON.stringify(conversation, (key, value: unknown) =>
    ['applied', 'createdAt', 'startedAt', 'endedAt', 'clientMessageId', 'reason'].includes(key)
      ? undefined
      : value,
  );
  return JSON.parse(text.replaceAll(run?.id ?? runKey, 'turn'));
}

function play(stream: FakeStream, events: readonly RunEvent[]): void {
  for (const { id, event, data } of events) stream.emit(event, data, id);
}

/** Whether there is nothing to resume after these events: the run has ended, or waits for the visitor. */
function hasNothingToResume(events: readonly RunEvent[]): boolean {
  const run = findRun(fold(events, submitted()), runKey)!;
  return run.endedAt !== undefined || run.needsReply || run.failure !== undefined || run.runId === undefined;
}

for (const { name, events } of recordedStreams()) {
  test(`the stream "${name}", cut after each of its events and resumed, gives the same conversation`, async () => {
    const whole = new Harness();
    const uncut = await whole.say('What about my berth?');
    play(uncut.stream.open(), events);
    uncut.stream.close();
    await settle();
    for (const pending of whole.client.replays) pending.fail(clientError('HttpError', { status: 404 }));
    await uncut.turn;
    await settle();
    for (let cut = 1; cut < events.length; cut += isQuick ? 3 : 1) {
      if (hasNothingToResume(events.slice(0, cut))) continue;
      const harness = new Harness();
      const { stream, turn } = await harness.say('What about my berth?');
      play(stream.open(), events.slice(0, cut));
      stream.fail(clientError('StreamInterruptedError'));
      await settle();
      const replay = harness.client.replays[0]!;
      expect(replay.options.lastEventId, `cut after event ${cut}`).toBeDefined();
      // The service repeats the last event that was read, and continues.
      play(replay.open(), events.slice(cut - 1));
      replay.close();
      await harness.clock.pass(1_500);
      for (const pending of harness.client.replays.slice(1))
        pending.fail(clientError('HttpError', { status: 404 }));
      await turn;
      await settle();
      expect(comparable(harness.session.conversation), `cut after event ${cut}`).toEqual(
        comparable(whole.session.conversation),
      );
      expect(harness.client.posts).toHaveLength(1);
      harness.session.dispose();
      expect(harness.clock.pending).toBe(0);
    }
  });
}

test('a stream cut before its first event is resumed by the run id of its headers', async () => {
  const harness = new Harness();
  const { stream, turn } = await harness.say('What about my berth?');
  stream.open('R').fail(clientError('StreamInterruptedError'));
  await settle();
  const [replay] = harness.client.replays;
  expect([replay?.runId, replay?.options.lastEventId]).toEqual(['R', undefined]);
  delta(begin(replay!), 'Your berth is free.');
  finish(replay!, 'Your berth is free.');
  await turn;
  expect(harness.transcript).toEqual([
    'user: What about my berth? (sent)',
    'assistant: Your berth is free. (complete)',
  ]);
  expect(harness.client.posts).toHaveLength(1);
});

test('a page that was left before the first event resumes the run when it returns', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('What about my berth?');
  stream.open('R');
  harness.session.suspend();
  void harness.session.resume();
  await settle();
  expect(harness.client.replays.map(({ runId }) => runId)).toEqual(['R']);
  expect(harness.client.posts).toHaveLength(1);
});

test('the run id of an event overrides the one of the headers', async () => {
  const harness = new Harness();
  const { stream } = await harness.say('What about my berth?');
  begin(stream.open('of a proxy'), 'R').fail(clientError('StreamInterruptedError'));
  await settle();
  expect(harness.client.replays.map(({ runId }) => runId)).toEqual(['R']);
});
