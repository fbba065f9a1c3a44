import { expect, test } from '@playwright/test';
import { RunStarter } from '../../../src/service/runs/run-starter.ts';
import type { NewRun } from '../../../src/service/storage/start-runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';

test('when the database does not respond, starts that wait fail with those under way', async () => {
  let fail: ((error: Error) => void) | undefined;
  let transactions = 0;
  const transaction = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      transactions += 1;
      fail = reject;
    });
  const starter = new RunStarter({ transaction } as unknown as Store); // all that a start uses first
  const opening: NewRun = {
    reach: { tenantId: 'quay', subject: 'ada' },
    author: 'ada',
    threadId: undefined,
    agentId: 'echo',
    message: { role: 'user', content: 'hello' },
    clientMessageId: undefined,
    contentHash: 'hash',
    owner: 'this one',
    leaseMs: 0,
    admit: () => undefined,
    admitNew: () => undefined,
  };
  const first = starter.start(opening);
  await expect.poll(() => transactions).toBe(1);
  const second = starter.start(opening);
  fail?.(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  await expect(first).rejects.toThrow('no answer');
  await expect(second).rejects.toThrow('no answer');
  expect(transactions).toBe(1);
  // the next one is tried again
  const third = starter.start(opening);
  await expect.poll(() => transactions).toBe(2);
  fail?.(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
  await expect(third).rejects.toThrow('no answer');
});
