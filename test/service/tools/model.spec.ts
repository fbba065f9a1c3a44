import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { pairingFault, type ChatMessage } from '../decisions/booking.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));
const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
let running: RunningService;
let directory: string;

test.beforeAll(async () => {
  await mock.start();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-model-'));
  const berths = { name: 'berths', command: process.execPath, args: [harbour, '5'], approve: 'never' };
  const agent = { id: 'clerk', kind: 'openai', base_url: `${mock.url}/v1`, model: 'gpt-4o' };
  const tools = { mcp_servers: [berths], max_steps: 3 };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents: [{ ...agent, tools }] }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  await mock.stop();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  mock.reset();
});

const find = { name: 'find_berth', arguments: '{"length":9}' };
const sound = { name: 'sound_depth', arguments: '{"berth":"A4"}' };
const ask = (threadId?: string, text = 'Go') =>
  collect(
    running
      .client()
      .runStream(
        say(text, { agent_id: 'clerk', ...(threadId === undefined ? {} : { thread_id: threadId }) }),
      ),
  );
const requests = () => mock.getRequests().map(({ body }) => body as unknown as Record<string, unknown>);
const threadOf = (events: readonly RunEvent[]) => String(events[0]?.data['thread_id']);
/** The next turn, as a strict service would check it. */
async function nextTurn(events: readonly RunEvent[]): Promise<string | undefined> {
  mock.reset();
  mock.on({ predicate: () => true }, { content: 'Still here.' });
  expect(spelled(await ask(threadOf(events), 'And now?'))).toBe('Still here.');
  return pairingFault(requests()[0]?.['messages'] as ChatMessage[]);
}

test('two tools at once, and the next turn is valid', async () => {
  mock.on({ hasToolResult: false }, { toolCalls: [find, sound] });
  mock.on({ hasToolResult: true }, { content: 'A4 is free and deep.' });
  const events = await ask();
  expect(spelled(events)).toBe('A4 is free and deep.');
  expect(requests()).toHaveLength(2);
  expect(await nextTurn(events)).toBeUndefined();
});

test('tool after tool up to max_steps, then none', async () => {
  mock.on({ predicate: (request) => request.tool_choice !== 'none' }, { toolCalls: [find] });
  mock.on({ predicate: (request) => request.tool_choice === 'none' }, { content: 'Enough.' });
  const events = await ask();
  expect(spelled(events)).toBe('Enough.');
  expect(requests()).toHaveLength(4);
  expect(await nextTurn(events)).toBeUndefined();
});

test('broken arguments are told to the model', async () => {
  mock.on({ hasToolResult: false }, { toolCalls: [{ name: 'find_berth', arguments: '{"length":"nine"}' }] });
  mock.on({ hasToolResult: true }, { content: 'I asked wrongly.' });
  const events = await ask();
  expect(spelled(events)).toBe('I asked wrongly.');
  expect(events.map(({ event }) => event)).toContain('run.step.failed');
  expect(await nextTurn(events)).toBeUndefined();
});

test('a stream cut inside a tool call fails the run, and runs nothing', async () => {
  mock.on({ hasToolResult: false }, { toolCalls: [find] }, { truncateAfterChunks: 2, chunkSize: 4 });
  const events = await ask();
  expect(events.map(({ event }) => event)).toContain('run.failed');
  expect(events.map(({ event }) => event)).not.toContain('run.step.delta');
  expect(await nextTurn(events)).toBeUndefined();
});

test('429 between steps is retried', async () => {
  let count = 0;
  mock.on({ hasToolResult: false }, { toolCalls: [find] });
  mock.on({ hasToolResult: true }, () => {
    count += 1;
    return count === 1
      ? { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429 }
      : { content: 'A4 is free.' };
  });
  expect(spelled(await ask())).toBe('A4 is free.');
});
