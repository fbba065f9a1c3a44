import { expect, test } from '@playwright/test';
import type { AgentRun } from '../../../src/service/agents/agent.ts';
import { aguiAgent } from '../../../src/service/agents/agui.ts';
import { httpAgent } from '../../../src/service/agents/http.ts';
import { noSpan } from '../../../src/service/telemetry/span.ts';
import { startFakeUpstream } from './upstreams/fake-upstream.ts';

const connection = { headers: {}, signingSecret: undefined, eventLimit: 10_000, timeoutMs: 1_000 };
const ids = { threadId: 't', runId: 'r' };
const lines = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

for (const { kind, agent, start, event, end } of [
  {
    kind: 'http',
    agent: httpAgent,
    start: '',
    event: lines({ event: 'run.step.started', data: {} }),
    end: lines({ event: 'done' }),
  },
  {
    kind: 'agui',
    agent: aguiAgent,
    start: lines({ type: 'RUN_STARTED', ...ids }),
    event: lines({ type: 'CUSTOM', name: 'tide', value: 1 }),
    end: lines({ type: 'RUN_FINISHED', ...ids }),
  },
])
  test(`the time that events take to be stored does not count as silence of a back end (${kind})`, async () => {
    const upstream = await startFakeUpstream('text/event-stream');
    let goOn: () => void = () => undefined;
    const isStored = new Promise<void>((resolve) => (goOn = resolve));
    upstream.answer = async (_request, reply) => {
      await reply.raw(start + event.repeat(20));
      await isStored;
      await reply.raw(end);
      reply.close();
    };
    const run: Partial<AgentRun> = {
      ...ids,
      agentId: 'slow',
      tenantId: 'quay',
      subject: 'ada',
      message: { id: 'm1', role: 'user', content: 'When?' },
      history: [],
      context: {},
      contextVariables: {},
      additionalParameters: {},
      span: noSpan,
      signal: new AbortController().signal,
      report: () => undefined,
      warn: () => undefined,
    };
    let count = 0;
    try {
      for await (const _event of agent({ ...connection, url: upstream.address }).run(run as AgentRun)) {
        count += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (count === 20) goOn();
      }
    } finally {
      await upstream.stop();
    }
    expect(count).toBeGreaterThan(20);
  });
