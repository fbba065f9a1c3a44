import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readSecret } from '../../src/service/setting-reader.ts';
import { readSettings } from '../../src/service/index.ts';
import { SettingsError } from '../../src/service/settings.ts';
import { secret } from './running-service.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-secrets-'));
});
test.afterEach(() => rmSync(directory, { recursive: true }));

function fileWith(name: string, content: string): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

/** The lines for the operator. */
function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.errors;
    throw error;
  }
  return [];
}

test('secrets are read from files, as container platforms mount them', () => {
  const settings = readSettings({
    JWT_SECRET_FILE: fileWith('jwt', `${secret}\n`),
    DATABASE_URL_FILE: fileWith('database', 'postgres://chat:hidden@db:5432/chat\n'),
    EVENTS_URL_FILE: fileWith('events', 'redis://:hidden@redis:6379\n'),
  });
  expect(settings).toMatchObject({
    jwtSecret: secret,
    databaseUrl: 'postgres://chat:hidden@db:5432/chat',
    eventsUrl: 'redis://:hidden@redis:6379',
  });
});

test('variables that the agents file names can be files too', () => {
  const file = fileWith('key', ' key-of-the-model \n');
  expect(readSecret({ MODEL_API_KEY_FILE: file }, 'MODEL_API_KEY')).toBe('key-of-the-model');
  expect(readSecret({ MODEL_API_KEY: 'given' }, 'MODEL_API_KEY')).toBe('given');
  expect(readSecret({}, 'MODEL_API_KEY')).toBeUndefined();
});

test('a secret that is missing, empty, too short or given twice is one line, without the secret', () => {
  const missing = join(directory, 'none');
  expect(errorsOf({ JWT_SECRET_FILE: missing })).toEqual([
    expect.stringMatching(new RegExp(`^JWT_SECRET_FILE ${missing} cannot be read: ENOENT`)),
  ]);
  const empty = fileWith('empty', '\n');
  expect(errorsOf({ JWT_SECRET_FILE: empty })).toEqual([`JWT_SECRET_FILE ${empty} is empty`]);
  const short = fileWith('short', 'hidden');
  expect(errorsOf({ JWT_SECRET_FILE: short })).toEqual(['JWT_SECRET must have at least 32 characters']);
  expect(errorsOf({ JWT_SECRET: secret, JWT_SECRET_FILE: fileWith('jwt', secret) })).toEqual([
    'JWT_SECRET and JWT_SECRET_FILE must not both be set',
  ]);
  const wrong = fileWith('database', 'mysql://chat:hidden@db/chat');
  expect(errorsOf({ JWT_SECRET: secret, DATABASE_URL_FILE: wrong })).toEqual([
    'DATABASE_URL must be a URL starting with postgres:// or postgresql://',
  ]);
});
