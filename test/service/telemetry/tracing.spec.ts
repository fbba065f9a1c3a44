import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { expect, test } from '@playwright/test';
import type { RunRequest } from '../../../src/protocol/index.ts';
import { startFakeUpstream, type FakeReply, type FakeUpstream } from '../agents/upstreams/fake-upstream.ts';
import { wires, type Wire } from '../agents/upstreams/wires.ts';
import { atOnce, collect, say, startService, until, type RunningService } from '../running-service.ts';

/*
 * The spans that an operator's OpenTelemetry SDK gets. One service has an agent of each kind with an upstream.
 */

const exporter = new InMemorySpanExporter();
/** Ids of the spans as they started: several may have the same start time. */
const started: string[] = [];
const startOrder: SpanProcessor = {
  onStart: (span) => started.push(span.spanContext().spanId),
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
const upstreams = new Map<string, FakeUpstream>();
const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const tideServer = fileURLToPath(new URL('tide-server.mjs', import.meta.url));
let directory: string;
let service: RunningService;

const start = (traceContent: boolean): Promise<RunningService> =>
  startService({ agentsFile: join(directory, 'agents.json'), traceContent });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  new NodeTracerProvider({ spanProcessors: [startOrder, new SimpleSpanProcessor(exporter)] }).register();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-traces-'));
  process.env['TEST_UPSTREAM_KEY'] = 'key';
  const tides = { name: 'sea', command: process.execPath, args: [tideServer], approve: 'never' };
  const agents = [];
  for (const { kind, type, entry } of wires) {
    const upstream = await startFakeUpstream(type);
    upstreams.set(kind, upstream);
    const tools = isModel(kind) ? { tools: { mcp_servers: [tides] } } : {};
    agents.push({ id: kind, name: `The ${kind}`, kind, ...entry(upstream.address), ...tools });
  }
  agents.push({ id: 'echo', kind: 'echo' });
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  service = await start(false);
});
test.afterAll(async () => {
  await service.close();
  for (const upstream of upstreams.values()) await upstream.stop();
  rmSync(directory, { recursive: true });
  for (const api of [trace, context, propagation]) api.disable();
});
test.beforeEach(() => {
  exporter.reset();
  for (const upstream of upstreams.values()) upstream.requests.length = 0;
});

const isModel = (kind: string): boolean => ['openai', 'responses', 'anthropic'].includes(kind);

/** Runs an agent in the caller's trace. Returns the finished spans, in the order of their starts. */
async function spansOf(request: RunRequest, running = service): Promise<readonly ReadableSpan[]> {
  const response = await running.request('POST', '/api/v1/hub/runs/stream', {
    body: request,
    token: await running.token('quinn'),
    headers: { traceparent: `00-${callerTrace}-${callerSpan}-01` },
  });
  await response.text();
  await until(() => exporter.getFinishedSpans().some(({ kind }) => kind === SpanKind.SERVER));
  return exporter.getFinishedSpans().sort((one, other) => placeOf(one) - placeOf(other));
}

function placeOf(span: ReadableSpan): number {
  return started.indexOf(span.spanContext().spanId);
}

const headerOf = (span: ReadableSpan | undefined): string =>
  `00-${span?.spanContext().traceId ?? ''}-${span?.spanContext().spanId ?? ''}-01`;

function upstreamOf(kind: string): FakeUpstream {
  const upstream = upstreams.get(kind);
  if (!upstream) throw new Error('not started');
  return upstream;
}

/** Lets the first request of a kind end with a call of the tool, and the next with an answer. */
function answerWithCall(wire: Wire): void {
  upstreamOf(wire.kind).answer = async (_request, reply: FakeReply) => {
    const isFirst = upstreamOf(wire.kind).requests.length === 1;
    await reply.raw(wire.start());
    if (isFirst) await reply.raw(wire.calls([{ id: 'c1', name: 'tides', args: { port: 'Grey Quay' } }]));
    else await reply.raw(wire.text('At six.'));
    await reply.raw(wire.end(isFirst));
    reply.close();
  };
}

for (const wire of wires.filter(({ kind }) => isModel(kind))) {
  test(`${wire.kind}: request, run, calls of the model and of a tool are one trace, without a word of them`, async () => {
    answerWithCall(wire);
    const spans = await spansOf(
      say('When is it high?', { agent_id: wire.kind, llm_params: { max_new_tokens: 90 } }),
    );
    const [request, run, first, tool, second] = spans;
    expect(spans.map(({ name }) => name.replace(/^chat .*/, 'chat'))).toEqual([
      'POST /api/v1/hub/runs/stream',
      `invoke_agent The ${wire.kind}`,
      'chat',
      'execute_tool tides',
      'chat',
    ]);
    expect(spans.map(({ kind }) => kind)).toEqual([
      SpanKind.SERVER,
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
    ]);
    expect(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      callerSpan,
      request?.spanContext().spanId,
      ...Array.from({ length: 3 }, () => run?.spanContext().spanId),
    ]);
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([callerTrace]));
    expect(upstreamOf(wire.kind).requests.map(({ headers }) => headers['traceparent'])).toEqual(
      [first, second].map(headerOf),
    );
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/hub/runs/stream',
      'http.response.status_code': 200,
    });
    expect(run?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': wire.kind,
      'gen_ai.agent.name': `The ${wire.kind}`,
      'gen_ai.conversation.id': request?.attributes['gen_ai.conversation.id'],
      'agent_chat.run.id': request?.attributes['agent_chat.run.id'],
      'agent_chat.tenant.id': 'quay',
      'agent_chat.run.status': 'completed',
    });
    expect(first?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': wire.kind === 'anthropic' ? 'anthropic' : 'openai',
      'gen_ai.request.model': first?.name.slice('chat '.length),
      'gen_ai.request.max_tokens': 90,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(upstreamOf(wire.kind).address).port),
    });
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'tides',
      'gen_ai.tool.type': 'function',
      'agent_chat.tool.server': 'sea',
    });
    // the trace reached the server of the tool, whose answer reached the model
    expect(JSON.stringify(upstreamOf(wire.kind).requests[1]?.body)).toContain(headerOf(tool));
    expect(spans.map(({ status }) => status.code)).toEqual(spans.map(() => SpanStatusCode.UNSET));
    const told = JSON.stringify(spans.map(({ name, attributes, events }) => ({ name, attributes, events })));
    expect(told).not.toMatch(/high|six|Quay|quinn/);
  });
}

test('tokens of the model and reasons of its end are attributes', async () => {
  upstreamOf('openai').answer = async (_request, reply) => {
    const choice = { index: 0, delta: { content: 'At six.' }, finish_reason: 'stop' };
    const usage = { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 };
    await reply.raw(
      `data: ${JSON.stringify({ model: 'm-2', choices: [choice], usage })}\n\ndata: [DONE]\n\n`,
    );
    reply.close();
  };
  const [, run, call] = await spansOf(say('When?', { agent_id: 'openai' }));
  const usage = { 'gen_ai.usage.input_tokens': 120, 'gen_ai.usage.output_tokens': 7 };
  expect(call?.attributes).toMatchObject({
    ...usage,
    'gen_ai.response.model': 'm-2',
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(run?.attributes).toMatchObject(usage);
});

for (const kind of ['http', 'agui']) {
  test(`${kind}: the request to the back end is a span, whose trace it gets`, async () => {
    const wire = wires.find((one) => one.kind === kind);
    upstreamOf(kind).answer = async (_request, reply) => {
      await reply.raw(`${wire?.start() ?? ''}${wire?.text('At six.') ?? ''}${wire?.end() ?? ''}`);
      reply.close();
    };
    const spans = await spansOf(say('When?', { agent_id: kind }));
    const [, run, call] = spans;
    expect(spans).toHaveLength(3);
    expect(call?.name).toBe(`invoke_agent ${kind}`);
    expect(call?.kind).toBe(SpanKind.CLIENT);
    expect(call?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(upstreamOf(kind).requests[0]?.headers['traceparent']).toBe(headerOf(call));
  });
}

for (const kind of ['openai', 'responses', 'anthropic', 'http', 'agui']) {
  test(`${kind}: a refusal of the upstream is an error of its span and of the run`, async () => {
    upstreamOf(kind).answer = (_request, reply) => reply.fail(400);
    const [request, run, call] = await spansOf(say('When?', { agent_id: kind }));
    expect(call?.attributes['error.type']).toBe('400');
    expect(run?.attributes).toMatchObject({
      'error.type': 'upstream_refused',
      'agent_chat.run.status': 'failed',
    });
    expect([call, run, request].map((span) => span?.status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
  });
}

test('a guardrail that stops a run is the error of its span', async () => {
  const guardrails = { pii: { input: { enabled: true } } };
  const [, run] = await spansOf(say('ada@example.com', { agent_id: 'echo', guardrails }));
  expect(run?.attributes['error.type']).toBe('guardrail_pii');
});

test('with TRACE_CONTENT, spans hold what the guardrails let through', async () => {
  const running = await start(true);
  try {
    const wire = wires.find(({ kind }) => kind === 'openai');
    if (wire) answerWithCall(wire);
    const guardrails = { pii: { input: { enabled: true }, mask: { remove_entity_value: true } } };
    const asked = say('I am ada@example.com. When?', { agent_id: 'openai', guardrails });
    const [, run, , tool] = await spansOf(asked, running);
    const parts = (content: string) => [{ type: 'text', content }];
    expect(JSON.parse(String(run?.attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: parts('I am [EMAIL]. When?') },
    ]);
    expect(JSON.parse(String(run?.attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: parts('At six.') },
    ]);
    expect(tool?.attributes['gen_ai.tool.call.arguments']).toBe('{"port":"Grey Quay"}');
    expect(tool?.attributes['gen_ai.tool.call.result']).toContain('high at six');
  } finally {
    await running.close();
  }
});

test('probes have no spans; a request that is refused has one', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) await (await service.request('GET', path)).text();
  await (await service.request('GET', '/api/v1/hub/threads/none/messages', { token: null })).text();
  await until(() => exporter.getFinishedSpans().length > 0);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
    'GET /api/v1/hub/threads/:thread_id/messages',
  ]);
});

test('without an HTTP span of their own, requests join that of an instrumentation', async () => {
  const outer = trace.getTracer('http').startSpan('outer', { kind: SpanKind.SERVER });
  await context.with(trace.setSpan(context.active(), outer), async () => {
    const { app } = service.service;
    const response = await app.inject({ method: 'GET', url: '/openapi.json' });
    expect(response.statusCode).toBe(200);
  });
  expect(exporter.getFinishedSpans()).toEqual([]); // the instrumentation ends it
  outer.end();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['GET /openapi.json']);
});

test('a run whose caller does not trace is a trace of its own', async () => {
  const running = service;
  await collect(running.client().runStream(say('hello', { agent_id: 'echo', ...atOnce })));
  await until(() => exporter.getFinishedSpans().length === 2);
  const [run, request] = exporter.getFinishedSpans();
  expect(request?.parentSpanContext).toBeUndefined();
  expect(run?.spanContext().traceId).toBe(request?.spanContext().traceId);
});
