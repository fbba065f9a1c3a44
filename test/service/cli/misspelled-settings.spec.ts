import { expect, test } from '@playwright/test';
import { misspelledSettings } from '../../../src/service/cli/misspelled-settings.ts';
import { settingRows } from '../../../src/service/setting-table.ts';

test('a misspelled setting is named, with the one that was meant', () => {
  const meant = { RATE_LIMTI: 'RATE_LIMIT', JWT_AUDIANCE: 'JWT_AUDIENCE', AGENT_FILE: 'AGENTS_FILE' };
  expect(misspelledSettings(Object.fromEntries(Object.keys(meant).map((name) => [name, '1'])))).toEqual(
    Object.entries(meant).map(
      ([name, setting]) => `${name} is not a setting and has no effect; did you mean ${setting}?`,
    ),
  );
});

test('settings, and variables of other programs, are not named', () => {
  const others = ['PATH', 'HOME', 'HOSTNAME', 'POST', 'PGDATA', 'LOGNAME', 'NODE_OPTIONS', 'MODEL_API_KEY'];
  const names = [...settingRows.map(({ variable }) => variable), ...others];
  expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
});
