import { expect, test } from '@playwright/test';
import { platformClock } from '../../src/session/clock.ts';
import { Harness } from './harness.ts';
import { clientError } from './fake-client.ts';

test('a timer longer than the platform can hold does not run at once', async () => {
  let ran = false;
  const takeBack = platformClock.after(9_999_999_000, () => (ran = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  takeBack();
  expect(ran).toBe(false);
});

test('a Retry-After of a minute is honoured; after one of months the visitor decides', async () => {
  for (const [retryAfter, posts] of [
    [60, 2],
    [9_999_999, 1],
  ] as const) {
    const harness = new Harness();
    harness.settings = { resumable: true };
    const { stream } = await harness.say('hello');
    stream.fail(clientError('HttpError', { status: 503, retryAfter }));
    await harness.clock.pass(59_000);
    expect(harness.client.posts).toHaveLength(1);
    await harness.clock.pass(1_000);
    expect(harness.client.posts).toHaveLength(posts);
    expect(harness.run.failure?.kind).toBe(posts === 1 ? 'server' : undefined);
    harness.session.dispose();
  }
});
