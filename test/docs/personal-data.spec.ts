import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { collect, say, startService } from '../service/running-service.ts';
import { snippets } from './snippets.ts';

test('the commands that export and erase the data of a person work as written', async () => {
  test.skip(spawnSync('curl', ['--version']).error !== undefined, 'this machine has no curl');
  const [commands] = snippets('sh').filter(({ text: piece }) => piece.includes('/subjects/'));
  const service = await startService();
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-person-'));
  await collect(service.client('ada|1').runStream(say('Ahoy')));
  const shell = spawn('sh', ['-ec', commands!.text], {
    cwd: directory,
    env: { ...process.env, CHAT: service.address, CHAT_KEY: service.serverKey, PERSON: 'ada%7C1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: unknown = JSON.parse(await text(shell.stdout));
  const counts = { threads: 1, messages: 2, runs: 1, notifications: 0, decisions: 0 };
  expect(printed).toEqual({ subject: 'ada|1', ...counts });
  expect(readFileSync(join(directory, 'person.json'), 'utf8')).toContain('Ahoy');
  rmSync(directory, { recursive: true });
  await service.close();
});
