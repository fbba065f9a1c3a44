import { expect, test } from '@playwright/test';
import { ListLimiter } from '../../../src/service/http/list-limiter.ts';
import { maxListBytes } from '../../../src/service/storage/payload-size.ts';

/** Notes in which order turns begin. */
function begun(turns: ListLimiter) {
  const names: string[] = [];
  const enter = async (name: string, bytes = maxListBytes): Promise<() => void> => {
    const leave = await turns.acquire(name, bytes);
    names.push(name);
    return leave;
  };
  return { names, enter };
}

test('each caller gets one large list at a time and blocks nobody else', async () => {
  const { names, enter } = begun(new ListLimiter());
  const leave = await enter('ada');
  const second = enter('ada');
  await enter('ben');
  expect(names).toEqual(['ada', 'ben']);
  leave();
  await second;
  expect(names).toEqual(['ada', 'ben', 'ada']);
});

test('large lists together stay below the limit; one that exceeds it is read alone', async () => {
  const { names, enter } = begun(new ListLimiter());
  const leaving = await Promise.all(['a', 'b', 'c', 'd'].map((name) => enter(name)));
  const fifth = enter('e');
  const huge = enter('huge', 5 * maxListBytes);
  leaving[0]?.();
  const leaveFifth = await fifth;
  for (const leave of [...leaving.slice(1), leaveFifth]) {
    expect(names).not.toContain('huge');
    leave();
  }
  await huge;
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e', 'huge']);
});

test('a caller who waits too long gets 429', async () => {
  const turns = new ListLimiter();
  const leave = await turns.acquire('ada', maxListBytes);
  await expect(turns.acquire('ada', maxListBytes, 0)).rejects.toMatchObject({ status: 429 });
  leave();
  const again = await turns.acquire('ada', maxListBytes, 0);
  again();
});
