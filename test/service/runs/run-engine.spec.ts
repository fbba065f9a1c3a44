import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { AgentEvent, AgentRun, RegisteredAgent } from '../../../src/service/agents/agent.ts';
import { createGuard } from '../../../src/service/guardrails/create-guard.ts';
import type { EngineReports } from '../../../src/service/runs/engine-reports.ts';
import { RunEngine, type RunInput } from '../../../src/service/runs/run-engine.ts';
import { migrate } from '../../../src/service/storage/migrate.ts';
import { openSqlite } from '../../../src/service/storage/open-sqlite.ts';
import { findRun } from '../../../src/service/storage/runs.ts';
import type { StartedRun } from '../../../src/service/storage/start-runs.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { noSpan } from '../../../src/service/telemetry/span.ts';
import { newRun } from '../storage/start-test-run.ts';

let folder: string;
let store: Store;
let engine: RunEngine;
/** Why each run ended, as the log has it. */
let reasons: (string | undefined)[];

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-chat-engine-'));
  store = openSqlite(folder);
  await migrate(store);
  reasons = [];
  const reports: Partial<EngineReports> = {
    runStarted: () => undefined,
    event: () => undefined,
    runEnded: ({ reason }) => reasons.push(reason),
  };
  engine = new RunEngine({
    store,
    graceSeconds: 60,
    leaseMs: 30_000,
    eventLimit: 10_000,
    guard: createGuard({ hap: undefined, social_bias: undefined, pii: undefined }),
    reports: reports as EngineReports, // what these runs call of it
  });
});
test.afterEach(async () => {
  await engine.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(): Promise<StartedRun> {
  const started = await engine.start(newRun);
  if (started.kind !== 'started') throw new Error(started.kind);
  return started;
}

/** Executes a run by an agent that says nothing until the run ends. */
function execute(started: StartedRun): void {
  const run = ({ signal }: AgentRun): AsyncIterable<AgentEvent> => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    }),
  });
  const agent: RegisteredAgent = {
    id: 'echo',
    name: 'Echo',
    kind: 'echo',
    origins: undefined,
    agent: { run },
  };
  const input = {
    agentId: agent.id,
    tenantId: started.run.tenant_id,
    subject: started.run.author,
    message: started.message,
    llmParams: {},
    guardrails: {},
    context: {},
    requestSpan: noSpan,
  } as unknown as RunInput; // what the engine and this agent read of it
  engine.execute(started, agent, input);
}

test('a run that is cancelled after it was stored, before its agent is asked, is cancelled', async () => {
  const started = await begin();
  await engine.cancel(started.run.id);
  execute(started);
  await engine.drain(5);
  expect(await findRun(store.database, started.run.id)).toMatchObject({ status: 'cancelled' });
  expect(reasons).toEqual(['cancel_requested']);
});

test('the end of runs whose threads are deleted includes those that are starting', async () => {
  const stopCounting = engine.countStarting({ tenantId: 'quay', author: 'ada' });
  const started = await begin();
  const ended = engine.endRuns(({ author }) => author === 'ada');
  execute(started);
  stopCounting();
  await ended;
  expect(reasons).toEqual(['deleted']);
});
