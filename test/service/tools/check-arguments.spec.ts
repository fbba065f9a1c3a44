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

test('a schema that cannot be used is named as the reason why nothing was checked', () => {
  const faults: string[] = [];
  const check = (schema: Readonly<Record<string, unknown>>, boat: string) =>
    argumentErrors(schema, { boat }, (fault) => faults.push(fault));
  expect(check(withPattern('^['), 'Wal')).toEqual([]);
  expect(check({ type: 'object', $ref: '#/nowhere' }, 'Wal')).toEqual([]);
  for (let times = 0; times < 2; times += 1)
    // the second time, nothing is checked: it blocks only once
    expect(check(withPattern('^(b+)+$'), `${'b'.repeat(31)}!`)).toEqual([]);
  expect(check(withPattern('^W'), 'Wal')).toEqual([]);
  expect(faults).toEqual([
    'is not a valid JSON Schema',
    'is not a valid JSON Schema',
    'took longer than 1000 ms',
  ]);
});

test('a time without a zone and an address without a domain are valid, as in the widget’s forms', () => {
  const check = (format: string, value: string) =>
    argumentErrors({ type: 'object', properties: { value: { type: 'string', format } } }, { value });
  expect(check('time', '10:30:00')).toEqual([]);
  expect(check('time', '10:30:00+02:00')).toEqual([]);
  expect(check('url', 'http://localhost:8080/')).toEqual([]);
  expect(check('time', '25:30:00')).toHaveLength(1);
  expect(check('url', 'no address')).toHaveLength(1);
});
