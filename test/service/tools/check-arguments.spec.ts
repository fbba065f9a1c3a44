import { expect, test } from '@playwright/test';
import { argumentErrors } from '../../../src/service/tools/check-arguments.ts';

const withPattern = (pattern: string) => ({
  type: 'object',
  properties: { boat: { type: 'string', pattern }, nights: { type: 'integer' } },
});

test('a pattern that takes too long blocks once, and is left to the server from then on', () => {
  const slow = withPattern('^(a+)+$');
  expect(argumentErrors(slow, { boat: 'Wal' })).toEqual(['boat: String does not match pattern.']);
  expect(argumentErrors(slow, { boat: `${'a'.repeat(31)}!` })).toEqual([]);
  expect(argumentErrors(slow, { boat: `${'a'.repeat(31)}!`, nights: 'two' })).toEqual([]);
  expect(argumentErrors(withPattern('^[a-z]+$'), { boat: '7' })).toHaveLength(1);
});
