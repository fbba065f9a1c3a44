import type { FastifyRequest } from 'fastify';
import { expect, test } from '@playwright/test';
import { AgentRegistry } from '../../../src/service/agents/agent-registry.ts';
import type { RegisteredAgent } from '../../../src/service/agents/agent.ts';
import { echoAgent } from '../../../src/service/agents/echo.ts';
import { startOrFindRun } from '../../../src/service/routes/runs.ts';
import type { RunEngine } from '../../../src/service/runs/run-engine.ts';
import type { ServiceContext } from '../../../src/service/service-context.ts';

test('a run that begins while the agents are loaded again gets the new agent: the former one may be closed', async () => {
  const agentOf = (name: string): RegisteredAgent => ({
    id: 'echo',
    name,
    kind: 'echo',
    origins: undefined,
    agent: echoAgent,
  });
  const agents = new AgentRegistry([agentOf('former')]);
  const executed: RegisteredAgent[] = [];
  const engine: Partial<RunEngine> = {
    stopping: false,
    countStarting: () => () => undefined,
    start: async (opening) => {
      agents.replace([agentOf('new')]);
      opening.admitNew();
      return Promise.resolve({ kind: 'started', run: { id: 'r', thread_id: 't' }, message: {} } as never);
    },
    execute: (_run, agent) => void executed.push(agent),
  };
  const context = {
    agents,
    engine,
    settings: { messageLimit: 100, runLimit: 0, tenantRunLimit: 0, productPath: 'hub' },
    usage: { check: () => Promise.resolve() },
    store: {},
    callbackBaseUrl: () => 'http://localhost',
  } as unknown as ServiceContext; // what a start uses
  const caller = {
    tenantId: 'quay',
    subject: 'ada',
    author: 'ada',
    scopes: new Set<string>(),
    expiresAtMs: undefined,
  };
  const body = { agent_id: 'echo', message: { role: 'user', content: 'Ahoy' } };
  await startOrFindRun(context, { body, caller, request: { headers: {} } as FastifyRequest });
  expect(executed.map(({ name }) => name)).toEqual(['new']);
});
