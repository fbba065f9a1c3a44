import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { secret, until } from '../running-service.ts';
import { builtCommand } from '../service-child.ts';

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a service that npx started stops when npx and its shell are gone', async () => {
  test.setTimeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-orphan-'));
  // the shell between npx and the service, which passes no signal on
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${builtCommand()}" serve & echo "pid $!"; wait`], {
    env: {
      PATH: process.env['PATH'],
      JWT_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      DRAIN_TIMEOUT: '0',
      DATA_DIR: directory,
      npm_command: 'exec',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = 0;
  let isListening = false;
  createInterface({ input: shell.stdout }).on('line', (line) => {
    pid ||= Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0);
    isListening ||= line.includes('Server listening');
  });
  await until(() => isListening && pid > 0, 60_000);
  shell.kill('SIGTERM');
  await until(() => !lives(pid), 30_000);
  expect(lives(pid)).toBe(false);
  rmSync(directory, { recursive: true, force: true });
});
