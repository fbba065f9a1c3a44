import type { Span } from './span.ts';

/**
 * Spans by the semantic conventions for generative AI.
 * @source OpenTelemetry semantic conventions 1.41, "GenAI"
 */

/** Whose work a span is part of. */
interface Work {
  /** The span of the run. */
  readonly span: Span;
  readonly agentId: string;
  readonly threadId: string;
}

/** Starts the span of a run. Its parent is the span of the request that started it. */
export function startRunSpan(
  request: Span,
  run: { readonly id: string; readonly thread_id: string; readonly tenant_id: string },
  agent: { readonly id: string; readonly name: string; readonly kind: string },
): Span {
  return request.start(`invoke_agent ${agent.name}`, {
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agent.id,
      'gen_ai.agent.name': agent.name,
      'gen_ai.conversation.id': run.thread_id,
      'agent_chat.agent.kind': agent.kind,
      'agent_chat.run.id': run.id,
      'agent_chat.tenant.id': run.tenant_id,
    },
  });
}

/** A request to a model. */
export interface ModelRequest {
  /** Which vendor's API it is: `openai`, `anthropic`. */
  readonly provider: string;
  readonly model: string;
  readonly url: string;
  readonly parameters: {
    readonly max_new_tokens?: number | null | undefined;
    readonly temperature?: number | null | undefined;
    readonly top_p?: number | null | undefined;
    readonly top_k?: number | null | undefined;
    readonly random_seed?: number | null | undefined;
  };
}

/** Starts the span of a request to a model. */
export function startModelSpan(work: Work, { provider, model, url, parameters }: ModelRequest): Span {
  return work.span.start(`chat ${model}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.agent.id': work.agentId,
      'gen_ai.conversation.id': work.threadId,
      'gen_ai.request.max_tokens': parameters.max_new_tokens ?? undefined,
      'gen_ai.request.temperature': parameters.temperature ?? undefined,
      'gen_ai.request.top_p': parameters.top_p ?? undefined,
      'gen_ai.request.top_k': parameters.top_k ?? undefined,
      'gen_ai.request.seed': parameters.random_seed ?? undefined,
      ...serverAttributes(url),
    },
  });
}

/** Starts the span of a request to a back end or an agent framework, which runs the agent. */
export function startAgentSpan(work: Work, { provider, url }: { provider: string; url: string }): Span {
  return work.span.start(`invoke_agent ${work.agentId}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.agent.id': work.agentId,
      'gen_ai.conversation.id': work.threadId,
      ...serverAttributes(url),
    },
  });
}

/** Starts the span of a call of a tool. */
export function startToolSpan(
  run: { readonly span: Span },
  call: { readonly id: string; readonly name: string; readonly server: string; readonly args: unknown },
): Span {
  const span = run.span.start(`execute_tool ${call.name}`, {
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.type': 'function',
      'agent_chat.tool.server': call.server,
    },
  });
  span.setContent(() => ({ 'gen_ai.tool.call.arguments': JSON.stringify(call.args) }));
  return span;
}

/** The attributes for one message of the visitor or the agent. */
export function messageContent(
  side: 'input' | 'output',
  role: string,
  texts: readonly string[],
): Readonly<Record<string, string>> {
  const parts = texts.map((content) => ({ type: 'text', content }));
  return { [`gen_ai.${side}.messages`]: JSON.stringify([{ role, parts }]) };
}

function serverAttributes(url: string): Record<string, string | number> {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  const standardPort = protocol === 'http:' ? 80 : 443;
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? standardPort : Number(port),
  };
}
