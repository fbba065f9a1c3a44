import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Agent } from '../../src/service/agents/agent.ts';
import { echoAgent } from '../../src/service/agents/echo.ts';
import { createKey } from '../../src/service/auth/api-keys.ts';
import { createService, readSettings } from '../../src/service/index.ts';
import { startChild } from './service-child.ts';
import { atOnce, collect, say, secret, spelled, startService, until } from './running-service.ts';

let directory: string;
let agentsFile: string;
let apiKeysFile: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-reload-'));
  agentsFile = join(directory, 'agents.json');
  apiKeysFile = join(directory, 'keys.json');
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

function writeAgents(...ids: string[]): void {
  writeFileSync(agentsFile, JSON.stringify({ agents: ids.map((id) => ({ id, kind: 'echo' })) }));
}

test('agents and keys are loaded again; runs under way end with their former agent', async () => {
  writeAgents('one');
  const first = createKey({ tenantId: 'quay', scopes: ['callback'] });
  const second = createKey({ tenantId: 'quay', scopes: ['callback'] });
  writeFileSync(apiKeysFile, JSON.stringify({ keys: [first.entry] }));
  const running = await startService({ dataDir: directory, agentsFile, apiKeysFile });
  const client = running.client();
  const ask = (agent_id: string) => collect(client.runStream(say('hello', { agent_id, ...atOnce })));
  const statusOf = async (token: string) => {
    const path = '/api/v1/callback/6e0d3f2a-5d0f-4f0e-9a39-3d5d2d1f7c11';
    return (await running.request('POST', path, { token, body: { content: 'hi' } })).status;
  };
  try {
    const slow = collect(
      client.runStream(say('still the first', { agent_id: 'one', additional_parameters: { delay_ms: 100 } })),
    );
    expect(await statusOf(first.key)).toBe(404);
    expect(await statusOf(second.key)).toBe(401);
    await until(async () => /agent_chat_active_runs 1\n/.test(await metrics()));
    writeAgents('two');
    writeFileSync(apiKeysFile, JSON.stringify({ keys: [second.entry] }));
    await running.service.reload();
    expect(await statusOf(first.key)).toBe(401);
    expect(await statusOf(second.key)).toBe(404);
    expect(spelled(await ask('two'))).toBe('hello');
    await expect(ask('one')).rejects.toMatchObject({ status: 404 });
    expect(spelled(await slow)).toBe('still the first');
  } finally {
    await running.close();
  }

  async function metrics(): Promise<string> {
    return (await fetch(`${running.address}/metrics`)).text();
  }
});

test('an agent that needs no file is not closed when the file is loaded again', async () => {
  writeAgents('one');
  let closed = 0;
  const agent: Agent = {
    run: echoAgent.run,
    close: () => Promise.resolve(void (closed += 1)),
  };
  const settings = readSettings({ JWT_SECRET: secret, LOG_LEVEL: 'silent', DATA_DIR: directory });
  const own = { id: 'own', name: 'Own', kind: 'scripted', origins: undefined, agent };
  const service = await createService(
    { ...settings, agentsFile, playground: true },
    { playgroundAgents: [own] },
  );
  await service.reload();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed).toBe(0);
  await service.close();
  expect(closed).toBe(1);
});

test('a wrong file changes nothing, and the log says what is wrong', async () => {
  writeAgents('one');
  const child = await startChild({ DATA_DIR: directory, AGENTS_FILE: agentsFile, API_KEYS_FILE: keysOf() });
  const told = (words: string) => child.log.some((line) => line.includes(words));
  const ask = (agent_id: string) => collect(child.client().runStream(say('hi', { agent_id, ...atOnce })));
  try {
    writeFileSync(agentsFile, '{"agents":[{"id":"two","kind":"ecco"}]}');
    child.process.kill('SIGHUP');
    await until(() => told('the former agents stay in force'), 20_000);
    expect(spelled(await ask('one'))).toBe('hi');
    writeFileSync(apiKeysFile, '{');
    child.process.kill('SIGHUP');
    await until(() => told('the former keys stay in force'), 20_000);
    // a changed file needs no signal
    writeAgents('one', 'three');
    await until(async () => (await ask('three').catch(() => [])).length > 0, 20_000);
    expect(await child.kill('SIGTERM')).toBe(0);
  } finally {
    await child.kill();
  }

  function keysOf(): string {
    writeFileSync(apiKeysFile, '{"keys":[]}');
    return apiKeysFile;
  }
});

test('a changed module of an agent is loaded again, also one that was refused', async () => {
  const module = join(directory, 'agent.mjs');
  const write = (words: string): void =>
    writeFileSync(module, `export default async function* () { yield '${words}'; }`);
  write('before');
  writeFileSync(agentsFile, JSON.stringify({ agents: [{ id: 'own', kind: 'module', module }] }));
  const child = await startChild({ DATA_DIR: directory, AGENTS_FILE: agentsFile });
  const ask = async () => spelled(await collect(child.client().runStream(say('hi', { agent_id: 'own' }))));
  try {
    expect(await ask()).toBe('before');
    write('after');
    await until(async () => (await ask()) === 'after', 20_000);
    // a second module, wrong at first
    const other = join(directory, 'other.mjs');
    writeFileSync(other, 'export default async function* () {');
    writeFileSync(agentsFile, JSON.stringify({ agents: [{ id: 'own', kind: 'module', module: other }] }));
    await until(() => child.log.some((line) => line.includes('the former agents stay in force')), 20_000);
    writeFileSync(other, "export default async function* () { yield 'other'; }");
    await until(async () => (await ask()) === 'other', 20_000);
  } finally {
    await child.kill();
  }
});
