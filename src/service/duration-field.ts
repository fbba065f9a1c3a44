import * as z from 'zod/mini';

const milliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof milliseconds;

/** Less without a unit is probably meant in seconds. */
const leastWithoutUnit = 1_000;

/**
 * A member of a file of settings that is a duration: text with a unit, such as `30s`, or milliseconds. It is read as
 * milliseconds.
 * @param most milliseconds
 */
export function durationField(most: number) {
  const written = z.unknown().check(({ value, issues }) => {
    const message = errorOf(value, most);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });
  return z.pipe(written, z.transform(inMilliseconds));
}

/** What is wrong with a written duration. */
function errorOf(value: unknown, most: number): string | undefined {
  const duration = inMilliseconds(value);
  if (!Number.isInteger(duration) || duration < 1 || duration > most)
    return `must be a duration like "30s" or "2m", or a number of milliseconds, of at most ${most} milliseconds`;
  if (typeof value === 'number' && value < leastWithoutUnit)
    return `must have a unit, like "30s": a number is in milliseconds, from ${leastWithoutUnit}`;
  return undefined;
}

/** Returns the milliseconds of a written duration, or NaN. */
function inMilliseconds(value: unknown): number {
  if (typeof value === 'number') return value;
  const [, count, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(String(value)) ?? [];
  return Number(count) * milliseconds[unit as Unit];
}
