import { expect, test } from '@playwright/test';
import { FollowLock } from '../../../src/widget/tabs/follow-lock.ts';
import type { TabLocks } from '../../../src/widget/tabs/tab-locks.ts';
import { settle } from '../../session/manual-clock.ts';

type Work = () => Promise<void>;

/** One lock that can be stolen, and what waits for it. */
class StealableLock {
  readonly waiting: Work[] = [];
  #steal: (reason: unknown) => void = () => undefined;

  request(_name: string, { steal }: LockOptions, work: Work): Promise<void> {
    if (!steal) return new Promise(() => void this.waiting.push(work));
    this.#steal(new DOMException('stolen', 'AbortError'));
    return new Promise((resolve, reject) => {
      this.#steal = reject;
      work().then(resolve, reject);
    });
  }
}

test('two tabs that are looked at in turn wait for the lock once each', async () => {
  const lock = new StealableLock();
  const follows = [false, false];
  const tabs = follows.map((_, index) => {
    const locks = { name: 'a', manager: lock as unknown, end: new AbortController().signal } as TabLocks;
    return new FollowLock(locks, (isHeld) => (follows[index] = isHeld));
  });
  for (let look = 0; look < 20; look += 1) {
    tabs[look % 2]?.request(true);
    await settle();
    expect(follows).toEqual([look % 2 === 0, look % 2 === 1]);
  }
  expect(lock.waiting).toHaveLength(2);
});
