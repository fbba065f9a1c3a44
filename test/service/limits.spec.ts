import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpError } from '../../src/client/index.ts';
import { openSqlite } from '../../src/service/storage/open-sqlite.ts';
import { dayOf, listUsage } from '../../src/service/storage/usage.ts';
import { atOnce, collect, say, startService, type RunningService } from './running-service.ts';
import { startUpstream, type Upstream } from './upstream.ts';

let directory: string;
let upstream: Upstream;
test.beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-limits-'));
  upstream = await startUpstream();
  upstream.answer = (_request, send) => {
    send.part({ content: 'Six.' });
    send.raw('data: {"choices":[],"usage":{"prompt_tokens":60,"completion_tokens":40}}\n\n');
    send.end();
  };
});
test.afterEach(async () => {
  await upstream.close();
  rmSync(directory, { recursive: true, force: true });
});

function agents(): string {
  const file = join(directory, 'agents.json');
  const model = { kind: 'openai', base_url: upstream.address, model: 'm' };
  writeFileSync(
    file,
    JSON.stringify({
      agents: [
        { id: 'model', ...model },
        { id: 'echo', kind: 'echo' },
      ],
    }),
  );
  return file;
}

function ask(running: RunningService, subject: string, agent_id = 'model', tenantId = 'quay') {
  return collect(running.client(subject, { tenantId }).runStream(say('When?', { agent_id, ...atOnce })));
}

async function refusalOf(work: Promise<unknown>): Promise<HttpError> {
  const thrown: unknown = await work.then(
    () => new Error('it was not refused'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof HttpError)) throw thrown as Error;
  return thrown;
}

test('a visitor who has used the tokens of the day is refused until the day ends; others are not', async () => {
  const running = await startService({ dataDir: directory, agentsFile: agents(), tokenLimit: 150 });
  try {
    await ask(running, 'ada');
    await ask(running, 'ada');
    const refused = await refusalOf(ask(running, 'ada'));
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.problem?.[0]?.msg).toContain('has used all tokens of today');
    expect(refused.retryAfter).toBeGreaterThan(0);
    await ask(running, 'bob');
    await ask(running, 'ada', 'model', 'pier');
  } finally {
    await running.close();
  }
  // the count survives a restart
  const again = await startService({ dataDir: directory, agentsFile: agents(), tokenLimit: 150 });
  try {
    expect(await refusalOf(ask(again, 'ada'))).toMatchObject({ status: 429 });
  } finally {
    await again.close();
  }
});

test('a message that was sent before is found over the limit too: its answer costs nothing', async () => {
  const running = await startService({ dataDir: directory, agentsFile: agents(), tokenLimit: 50 });
  try {
    const client = running.client('ada');
    const additional_properties = { client_message_id: crypto.randomUUID() };
    const message = { role: 'user', content: 'When?', additional_properties };
    const send = () => collect(client.runStream({ agent_id: 'model', message, ...atOnce }));
    const first = await send();
    expect(await refusalOf(ask(running, 'ada'))).toMatchObject({ status: 429 });
    expect(await send()).toEqual(first);
  } finally {
    await running.close();
  }
});

test('the tokens of a tenant are limited too, and its use is stored by agent and day, and counted', async () => {
  const running = await startService({ dataDir: directory, agentsFile: agents(), tenantTokenLimit: 150 });
  try {
    await ask(running, 'ada');
    await ask(running, 'bob');
    await ask(running, 'ada', 'model', 'pier');
    await expect(ask(running, 'eve', 'echo')).rejects.toMatchObject({ status: 429 });
    const metrics = await (await fetch(`${running.address}/metrics`)).text();
    expect(metrics).toContain('agent_chat_tokens_total{agent="model",tenant="quay",direction="input"} 120');
    expect(metrics).toContain('agent_chat_tokens_total{agent="model",tenant="pier",direction="output"} 40');
  } finally {
    await running.close();
  }
  const store = openSqlite(directory);
  const day = dayOf(Date.now());
  expect(await listUsage(store.database, { since: day })).toEqual([
    { tenantId: 'pier', agentId: 'model', day, runs: 1, inputTokens: 60, outputTokens: 40 },
    { tenantId: 'quay', agentId: 'model', day, runs: 2, inputTokens: 120, outputTokens: 80 },
  ]);
  await store.close();
});

test('tokens are estimated for an upstream that does not report them', async () => {
  upstream.answer = (_request, send) => {
    send.part({ content: 'x'.repeat(400) });
    send.end();
  };
  const running = await startService({ dataDir: directory, agentsFile: agents() });
  try {
    await ask(running, 'ada');
    const metrics = await (await fetch(`${running.address}/metrics`)).text();
    expect(metrics).toContain('agent_chat_tokens_total{agent="model",tenant="quay",direction="output"} 100');
  } finally {
    await running.close();
  }
});

test('requests and concurrent runs of a tenant are limited, whoever its visitors are', async () => {
  const running = await startService({ dataDir: directory, agentsFile: agents(), tenantRunLimit: 2 });
  const gone = new AbortController();
  try {
    const pace = { agent_id: 'echo', additional_parameters: { delay_ms: 60_000 } };
    for (const subject of ['ada', 'bob']) {
      const stream = running.client(subject).runStream(say('wait a while', pace), { signal: gone.signal });
      await stream[Symbol.asyncIterator]().next();
    }
    const refused = await refusalOf(ask(running, 'eve', 'echo'));
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.retryAfter).toBeGreaterThan(0);
    await ask(running, 'eve', 'echo', 'pier');
  } finally {
    gone.abort();
    await running.close();
  }
  const rated = await startService({ dataDir: directory, agentsFile: agents(), tenantRateLimit: 3 });
  try {
    const visit = async (subject: string, tenantId: string) => {
      const token = await rated.token(subject, { tenantId });
      return rated.request('GET', '/v1/hub/agents/echo/embedded-chat-config', { token });
    };
    for (const subject of ['ada', 'bob', 'eve']) expect((await visit(subject, 'quay')).status).toBe(404);
    const over = await visit('new', 'quay');
    expect(over.status).toBe(429);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visit('new', 'pier')).status).toBe(404);
  } finally {
    await rated.close();
  }
});
