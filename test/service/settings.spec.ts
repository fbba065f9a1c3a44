import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { readSettings, settingRows, SettingsError } from '../../src/service/index.ts';
import { secret } from './running-service.ts';

test('the table of settings contains exactly the variables that are read', async () => {
  const read = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    { JWT_SECRET: secret },
    { get: (values, name) => (read.add(String(name)), Reflect.get(values, name) as unknown) },
  );
  readSettings(environment);
  expect([...read].sort()).toEqual(settingRows.map((row) => row.variable).sort());
  const page = await readFile(new URL('../../demo/docs/operate.md', import.meta.url), 'utf8');
  for (const { variable } of settingRows) expect(page, variable).toContain(`\`${variable}\``);
});

test('the defaults match the contract', () => {
  const settings = readSettings({ JWT_SECRET: secret });
  expect(settings).toMatchObject({
    port: 8787,
    runGrace: 900,
    runEventsTtl: 86_400,
    bodyLimit: 1_048_576,
    messageLimit: 100_000,
    rateLimit: 120,
    runLimit: 32,
    threadTtl: 0,
  });
  expect(() => readSettings({})).toThrow(SettingsError);
});
