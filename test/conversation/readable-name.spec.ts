import { expect, test } from '@playwright/test';
import { readableName, stepTitle } from '../../src/conversation/readable-name.ts';

test('names of functions are spelled out, and text stays as it is', () => {
  expect(stepTitle('get_tide')).toBe('Get tide');
  expect(stepTitle('lookUpBerth')).toBe('Look up berth');
  expect(stepTitle('suche_liegeplätze')).toBe('Suche liegeplätze');
  for (const name of ['Looking up your boat', 'look-9', 'MCP', 'C14', '', '預訂'])
    expect(stepTitle(name)).toBe(name);
});

test('keys of data become labels, and acronyms stay', () => {
  for (const key of ['firstName', 'first_name', 'first-name', 'FirstName'])
    expect(readableName(key)).toBe('First name');
  expect(readableName('homeURL')).toBe('Home URL');
});
