import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';

/**
 * Deep equality for loops over thousands of values: each `expect` of Playwright costs about a millisecond, because it
 * is reported as a step. Here the runner works out the difference only when there is one.
 */
export function expectSame(actual: unknown, expected: unknown, name?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, name).toEqual(expected);
}
