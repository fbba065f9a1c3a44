import { expect, test } from '@playwright/test';
import type { Caller } from '../../../src/service/auth/caller.ts';
import { cacheCallers } from '../../../src/service/auth/token-cache.ts';

const caller = (expiresAtMs: number): Caller => ({
  tenantId: 'quay',
  subject: 'ada',
  author: 'ada',
  scopes: new Set(['run']),
  expiresAtMs,
});

test('a token is verified once in 30 seconds, and again after', async () => {
  let clock = 1_000;
  let checks = 0;
  const verify = cacheCallers(
    () => {
      checks += 1;
      return Promise.resolve(caller(1_000_000));
    },
    () => clock,
  );
  await verify('one');
  clock += 29_999;
  expect(await verify('one')).toMatchObject({ author: 'ada' });
  expect(checks).toBe(1);
  clock += 1;
  await verify('one');
  expect(checks).toBe(2);
});

test('requests with one token that arrive together share its check', async () => {
  let checks = 0;
  const verify = cacheCallers(() => {
    checks += 1;
    return Promise.resolve(caller(Infinity));
  });
  const [first, second] = await Promise.all([verify('one'), verify('one')]);
  expect(second).toBe(first);
  expect(checks).toBe(1);
});

test('an expired token is verified again, so it is refused', async () => {
  let clock = 1_000;
  const verify = cacheCallers(
    () => (clock < 2_000 ? Promise.resolve(caller(2_000)) : Promise.reject(new Error('expired'))),
    () => clock,
  );
  await verify('one');
  clock = 2_000;
  await expect(verify('one')).rejects.toThrow('expired');
});

test('another token of the same caller is verified on its own, and a refusal is not remembered', async () => {
  const seen: string[] = [];
  const verify = cacheCallers((token) => {
    seen.push(token);
    return token === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(caller(Infinity));
  });
  await verify('one');
  await verify('two');
  for (let turn = 0; turn < 2; turn += 1) await expect(verify('bad')).rejects.toThrow('no');
  expect(seen).toEqual(['one', 'two', 'bad', 'bad']);
});

test('a token is verified again after the clock was set back', async () => {
  let clock = 7_200_000;
  let checks = 0;
  const verify = cacheCallers(
    () => {
      checks += 1;
      return Promise.resolve(caller(Infinity));
    },
    () => clock,
  );
  await verify('one');
  clock -= 3_600_000;
  await verify('one');
  await verify('one');
  expect(checks).toBe(2);
});
