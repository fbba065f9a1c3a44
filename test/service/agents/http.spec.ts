import { expect, test } from '@playwright/test';
import type { AgentRun } from '../../../src/service/agents/agent.ts';
import { httpAgent } from '../../../src/service/agents/http.ts';
import { noSpan } from '../../../src/service/telemetry/span.ts';
import { startFakeUpstream } from './upstreams/fake-upstream.ts';

test('the time that events take to be stored does not count as silence of the back end', async () => {
  const upstream = await startFakeUpstream('application/x-ndjson');
  let goOn: () => void = () => undefined;
  const isStored = new Promise<void>((resolve) => (goOn = resolve));
  upstream.answer = async (_request, reply) => {
    await reply.raw('{"event":"run.step.started","data":{}}\n'.repeat(20));
    await isStored;
    await reply.raw('{"event":"done"}\n');
    reply.close();
  };
  const run: Partial<AgentRun> = {
    message: { id: 'm1', role: 'user', content: 'When?' },
    history: [],
    span: noSpan,
    signal: new AbortController().signal,
    report: () => undefined,
    warn: () => undefined,
  };
  const connection = { url: upstream.address, headers: {}, signingSecret: undefined, eventLimit: 10_000 };
  let count = 0;
  try {
    for await (const _event of httpAgent({ ...connection, timeoutMs: 1_000 }).run(run as AgentRun)) {
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (count === 20) goOn();
    }
  } finally {
    await upstream.stop();
  }
  expect(count).toBe(21);
});
