import { expect, test } from '@playwright/test';
import { DrawUrgency } from '../../../src/widget/runtime/draw-urgency.ts';
import { begin, delta, finish, Harness } from '../../session/harness.ts';
import { settle } from '../../session/manual-clock.ts';

/** Records how urgent each change of a session is: `immediate`, `urgent` or `-`. */
function watch({ session }: Harness): string[] {
  const drawUrgency = new DrawUrgency();
  const urgencies: string[] = [];
  session.subscribe(() => {
    const { urgent, immediate } = drawUrgency.next(session.conversation, session.busy);
    urgencies.push(immediate ? 'immediate' : urgent ? 'urgent' : '-');
  });
  return urgencies;
}

test('the first text of an answer is drawn at once, the second in the next frame, later text when there is time', async () => {
  const harness = new Harness();
  const urgencies = watch(harness);
  const { stream, turn } = await harness.say('hello');
  begin(stream);
  await settle();
  expect(urgencies).not.toContain('immediate');
  for (const expected of ['immediate', 'urgent', '-', '-']) {
    urgencies.length = 0;
    delta(stream, 'word ');
    await settle();
    expect(urgencies).toEqual([expected]);
  }
  finish(stream, 'word word word word ');
  await turn;
});

test('the end of an answer is drawn at once', async () => {
  const harness = new Harness();
  const urgencies = watch(harness);
  await harness.exchange('hello', 'good day');
  expect(urgencies.filter((urgency) => urgency === 'immediate')).toHaveLength(2);
  expect(harness.session.busy).toBe(false);
});

test('each run has a first text of its own', async () => {
  const harness = new Harness();
  await harness.exchange('hello', 'good day');
  const urgencies = watch(harness);
  const { stream, turn } = await harness.say('and now?');
  begin(stream, 'R2');
  delta(stream, 'goodbye');
  await settle();
  expect(urgencies).toContain('immediate');
  finish(stream, 'goodbye', 'M2');
  await turn;
});
