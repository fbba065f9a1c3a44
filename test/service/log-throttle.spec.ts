import { expect, test } from '@playwright/test';
import { LogThrottle } from '../../src/service/log-throttle.ts';

test('the same text is logged once a minute, also when the clock of the machine is set', () => {
  const throttle = new LogThrottle();
  expect(throttle.admits('away')).toBe(true);
  const { now } = Date;
  try {
    for (const hours of [1, -1]) {
      Date.now = () => now() + hours * 3_600_000;
      expect(throttle.admits('away')).toBe(false);
      expect(throttle.admits(`something else, ${hours} h later`)).toBe(true);
    }
  } finally {
    Date.now = now;
  }
  const at = performance.now();
  expect(throttle.admits('away', at + 59_000)).toBe(false);
  expect(throttle.admits('away', at + 61_000)).toBe(true);
});
