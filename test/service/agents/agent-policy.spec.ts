import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { capParameters, enforceGuardrails } from '../../../src/service/agents/agent-policy.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';

let directory: string;
let running: RunningService;
test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-policy-'));
  const pii = { output: { enabled: true, threshold: 0.5 }, mask: { remove_entity_value: true } };
  const file = {
    defaults: { guardrails: { pii } },
    agents: [
      { id: 'private', kind: 'echo', tenants: ['pier'] },
      { id: 'echo', kind: 'echo' },
      { id: 'free', kind: 'echo', guardrails: {}, roles: ['user', 'customer'] },
    ],
  };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify(file));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  rmSync(directory, { recursive: true });
});

const text = 'Write to ada@example.com please.';
const ask = async (request: Parameters<typeof say>[1]) =>
  spelled(await collect(running.client().runStream(say(text, request))));

test('a guardrail of the operator is on, whatever the request says', async () => {
  expect(await ask({ agent_id: 'echo' })).toBe('Write to [EMAIL] please.');
  const off = { pii: { output: { enabled: false, threshold: 1 } } };
  expect(await ask({ agent_id: 'echo', guardrails: off })).toBe('Write to [EMAIL] please.');
  expect(await ask({ agent_id: 'free' })).toBe(text);
});

test('visitors may send the roles that the operator names', async () => {
  const as = (role: string, agent_id: string) =>
    running.request('POST', '/api/v1/hub/runs/stream', {
      body: { agent_id, message: { role, content: 'hi' } },
    });
  expect((await as('customer', 'free')).status).toBe(200);
  expect((await as('user', 'free')).status).toBe(200);
  const refused = await as('assistant', 'free');
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('\\"user\\" or \\"customer\\"');
  expect((await as('customer', 'echo')).status).toBe(422);
});

test('an agent of other tenants does not exist, and is not the first one', async () => {
  expect(await ask({})).toBe('Write to [EMAIL] please.');
  await expect(ask({ agent_id: 'private' })).rejects.toMatchObject({ status: 404 });
  const client = running.client('ada', { tenantId: 'pier' });
  const events = await collect(client.runStream(say('hello', { agent_id: 'private' })));
  expect(spelled(events)).toBe('hello');
});

test('a request adds guardrails and lowers thresholds, and takes nothing away', () => {
  const forced = { pii: { output: { enabled: true, threshold: 0.6 }, mask: { remove_entity_value: true } } };
  const asked = { hap: { input: { enabled: true } }, pii: { output: { enabled: true, threshold: 0.9 } } };
  expect(enforceGuardrails(forced, asked)).toEqual({
    hap: { input: { enabled: true } },
    pii: {
      input: { enabled: false },
      output: { enabled: true, threshold: 0.6 },
      mask: { remove_entity_value: false },
    },
  });
});

test('model parameters stay within the limits', () => {
  const caps = { max_new_tokens: 100, time_limit: 5_000, temperature: 1 };
  expect(capParameters(caps, {})).toEqual({ max_new_tokens: 100, time_limit: 5_000 });
  expect(capParameters(caps, { max_new_tokens: 900, time_limit: 0, temperature: 2 })).toEqual({
    max_new_tokens: 100,
    time_limit: 5_000,
    temperature: 1,
  });
  expect(capParameters(caps, { max_new_tokens: 9, top_p: 1 })).toMatchObject({ max_new_tokens: 9, top_p: 1 });
});
