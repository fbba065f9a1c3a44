import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { addUsage } from '../../../src/service/storage/usage.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { builtCommand } from '../service-child.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-usage-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

function run(...words: string[]) {
  return spawnSync(process.execPath, [builtCommand(), 'usage', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], DATA_DIR: directory },
    timeout: 30_000,
  });
}

test('usage is printed by tenant, agent and day, also while the service has the database open', async () => {
  test.setTimeout(120_000);
  const store = openSqlite(directory);
  await migrate(store);
  const count = { runs: 2, inputTokens: 60, outputTokens: 40 };
  for (const day of ['2026-10-30', '2026-11-02', '2026-11-02'])
    await addUsage(store, store.database, day, {
      agents: [{ tenantId: 'quay', agentId: 'model', ...count }],
      subjects: [],
    });
  try {
    expect(run('--since', '2026-11-01').stdout.split('\n')).toEqual([
      'DAY         TENANT  AGENT  RUNS  INPUT  OUTPUT',
      '2026-11-02  quay    model     4    120      80',
      '',
    ]);
    const lines = run('--since', '2026-10-01', '--tenant', 'quay', '--format', 'json')
      .stdout.trim()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { day: string }).day)).toEqual([
      '2026-10-30',
      '2026-11-02',
    ]);
    expect(run('--since', '2026-10-01', '--tenant', 'pier').stdout).toBe('No runs since 2026-10-01.\n');
  } finally {
    await store.close();
  }
});

test('wrong options and a missing database are one line each', () => {
  for (const [words, line] of [
    [['--since', 'yesterday'], '--since must be a day like'],
    [['--format', 'xml'], '--format must be table or json'],
    [[], `DATA_DIR ${directory} has no database`],
  ] as const) {
    const { status, stderr } = run(...words);
    expect(status).not.toBe(0);
    expect(stderr.split('\n')[0]).toContain(line);
  }
});
