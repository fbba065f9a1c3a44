import { expect, test } from '@playwright/test';
import { RunStarter } from '../../../src/service/runs/run-starter.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { newRun } from '../storage/start-test-run.ts';

test('when the database does not respond, starts that wait fail with those under way', async () => {
  let fail: ((error: Error) => void) | undefined;
  let transactions = 0;
  const transaction = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      transactions += 1;
      fail = reject;
    });
  const starter = new RunStarter({ transaction } as unknown as Store); // all that a start uses first
  const first = starter.start(newRun);
  await expect.poll(() => transactions).toBe(1);
  const second = starter.start(newRun);
  fail?.(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  await expect(first).rejects.toThrow('no answer');
  await expect(second).rejects.toThrow('no answer');
  expect(transactions).toBe(1);
  // the next one is tried again
  const third = starter.start(newRun);
  await expect.poll(() => transactions).toBe(2);
  fail?.(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  await expect(third).rejects.toThrow('no answer');
});
