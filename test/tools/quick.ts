/**
 * Whether `npm run test:quick` runs the tests: tests with many cases then take a sample. `npm test` runs every case.
 */
export const isQuick = process.env['QUICK'] === '1';

/** How often something random is tried: a fifth as often in a quick run. */
export function tries(count: number): number {
  return isQuick ? Math.ceil(count / 5) : count;
}

/** All cases, or in a quick run every fifth. */
export function sample<Case>(cases: readonly Case[]): readonly Case[] {
  return isQuick ? cases.filter((_, at) => at % 5 === 0) : cases;
}
