import { test } from '@playwright/test';

/** Notes a figure of the current test for the table that `npm run test:operator` prints at its end. */
export function figure(what: string, value: string, goal: string): void {
  test.info().annotations.push({ type: 'figure', description: JSON.stringify([what, value, goal]) });
}

/** The value that a share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
