import { expect, test } from '@playwright/test';
import type { AgentRun } from '../../../src/service/agents/agent.ts';
import { aguiAgent } from '../../../src/service/agents/agui.ts';
import { anthropicAgent } from '../../../src/service/agents/anthropic.ts';
import { httpAgent } from '../../../src/service/agents/http.ts';
import type { ModelSettings } from '../../../src/service/agents/model-settings.ts';
import { openAiAgent } from '../../../src/service/agents/openai.ts';
import { responsesAgent } from '../../../src/service/agents/responses.ts';
import { noSpan } from '../../../src/service/telemetry/span.ts';
import { readToolSettings } from '../../../src/service/tools/tool-settings.ts';
import { Toolset } from '../../../src/service/tools/toolset.ts';
import { startFakeUpstream } from './upstreams/fake-upstream.ts';

const connection = { headers: {}, signingSecret: undefined, eventLimit: 10_000, timeoutMs: 1_000 };
const ids = { threadId: 't', runId: 'r' };
const lines = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const toolset = await Toolset.open(
  readToolSettings({}, { directory: '.', variable: () => '', playground: false }),
  { note: () => undefined, called: () => undefined },
);
const modelOf = (baseUrl: string): ModelSettings => ({
  ...connection,
  baseUrl,
  query: {},
  model: 'm',
  apiKey: 'k',
  systemPrompt: undefined,
  startsWithReasoning: false,
  extraBody: {},
});

for (const { kind, agent, start, event, end } of [
  {
    kind: 'openai',
    agent: (url: string) => openAiAgent(modelOf(url), toolset),
    start: '',
    event: lines({ choices: [{ index: 0, delta: { content: 'High ' } }] }),
    end: lines({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  },
  {
    kind: 'responses',
    agent: (url: string) => responsesAgent(modelOf(url), toolset),
    start: '',
    event: lines({ type: 'response.output_text.delta', item_id: 'i', content_index: 0, delta: 'High ' }),
    end: lines({ type: 'response.completed', response: { status: 'completed', output: [] } }),
  },
  {
    kind: 'anthropic',
    agent: (url: string) => anthropicAgent(modelOf(url), toolset),
    start: lines(
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ),
    event: lines({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'High ' } }),
    end: lines({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }),
  },
  {
    kind: 'http',
    agent: (url: string) => httpAgent({ ...connection, url }),
    start: '',
    event: lines({ event: 'run.step.started', data: {} }),
    end: lines({ event: 'done' }),
  },
  {
    kind: 'agui',
    agent: (url: string) => aguiAgent({ ...connection, url }),
    start: lines({ type: 'RUN_STARTED', ...ids }),
    event: lines({ type: 'CUSTOM', name: 'tide', value: 1 }),
    end: lines({ type: 'RUN_FINISHED', ...ids }),
  },
])
  test(`the time that events take to be stored does not count as silence of upstream (${kind})`, async () => {
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
      llmParams: {},
      calls: { records: [], isAnswer: false, resumed: [] } as unknown as AgentRun['calls'], // no tool is called
      countTokens: () => undefined,
      traceparent: '',
      span: noSpan,
      signal: new AbortController().signal,
      report: () => undefined,
      warn: () => undefined,
    };
    let count = 0;
    try {
      for await (const _event of agent(upstream.address).run(run as AgentRun)) {
        count += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (count === 20) goOn();
      }
    } finally {
      await upstream.stop();
    }
    expect(count).toBeGreaterThan(20);
  });
