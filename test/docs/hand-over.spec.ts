import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { createKey } from '../../src/service/auth/api-keys.ts';
import { collect, say, startService } from '../service/running-service.ts';
import { snippets } from './snippets.ts';

const program = fileURLToPath(new URL('../../demo/clients/answer-as-person.mjs', import.meta.url));

test('with the key of the page, a help desk answers in a conversation and reads it', async () => {
  const [command] = snippets('sh').filter(
    ({ document, text }) => /hand-over/.test(document) && / key /.test(text),
  );
  const scopes = /--scope (\S+)/.exec(command?.text ?? '')?.[1]?.split(',') ?? [];
  const { key, entry } = createKey({ tenantId: 'quay', scopes });
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-help-desk-'));
  const apiKeysFile = join(directory, 'keys.json');
  writeFileSync(apiKeysFile, JSON.stringify({ keys: [entry] }));
  const running = await startService({ apiKeysFile });
  try {
    const [started] = await collect(running.client('ada').runStream(say('May I talk to a person?')));
    const threadId = String(started?.data['thread_id']);
    const env = { ...process.env, CHAT_SERVICE: running.address, CHAT_KEY: key };
    await promisify(execFile)(process.execPath, [program, threadId, 'Mara', 'I will meet you.'], { env });
    const path = `/api/v1/hub/threads/${threadId}/messages`;
    const read = await running.request('GET', path, { token: key });
    expect(read.status).toBe(200);
    expect(await read.text()).toContain('I will meet you.');
  } finally {
    await running.close();
    rmSync(directory, { recursive: true });
  }
});
