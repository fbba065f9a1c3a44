import OpenAI from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { RequestedCall } from '../tools/tool-call.ts';
import { runToolLoop, type ModelStep } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { Agent, AgentEvent, AgentRun } from './agent.ts';
import { CitedText } from './cited-text.ts';
import { readChunks, firstChoice, deltaText } from './openai-answer.ts';
import { ChatCitations } from './openai-citations.ts';
import { buildChatMessages } from './openai-messages.ts';
import { chatNames, mapParameters, type MappedParameters } from './model-parameters.ts';
import { reportAnswer, reportIgnored, type ModelAnswer } from './model-report.ts';
import type { ModelSettings } from './model-settings.ts';
import { closesThinking, ThinkingTags } from './thinking-tags.ts';
import { ToolCalls } from './openai-tool-calls.ts';
import { ReasoningFields, withVendorFields } from './openai-vendor-fields.ts';
import { mergeBody, ModelCall, sdkOptions } from './upstream/model-call.ts';
import { offerTools, type OfferedTool } from './upstream/offer-tools.ts';
import { UpstreamError } from './upstream/upstream-error.ts';
import { hashedUser } from './upstream/upstream-identity.ts';

/**
 * Creates an agent backed by an OpenAI-compatible chat-completions service: text, reasoning, tool calls. Where neither
 * an MCP server nor the page has tools, calls that the model asks for are shown and not executed.
 */
export function openAiAgent(settings: ModelSettings, toolset: Toolset): Agent {
  const url = settings.baseUrl ?? 'https://api.openai.com/v1';
  const upstream = new OpenAI({ baseURL: url, ...sdkOptions(settings) });
  const names = chatNames({ refusesMaxTokens: settings.extraBody['max_tokens'] === null });
  const source = `${url} ${settings.model}`;

  return {
    usesTools: true,
    close: () => toolset.close(),
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const parameters = mapParameters(run.llmParams, names);
      reportIgnored(run, 'openai', parameters);
      const text = new CitedText();
      let llm: Record<string, unknown> = {};
      const ask = async function* (step: ModelStep): AsyncGenerator<AgentEvent, readonly RequestedCall[]> {
        const { tools, calls } = step;
        const hasTools = tools.length > 0 || calls.length > 0;
        const request = mergeBody<ChatCompletionCreateParamsStreaming>(
          {
            model: settings.model,
            messages: withVendorFields(buildChatMessages(run, settings.systemPrompt, calls), calls, source),
            stream: true,
            stream_options: { include_usage: true },
            user: hashedUser(run),
            ...parameters.body,
          },
          settings.extraBody,
        );
        offerTools(request, step, { toTool: toChatTool, none: 'none', extraBody: settings.extraBody });
        text.breakParagraph();
        const answer = new UpstreamAnswer(run, text, settings);
        const call = new ModelCall(run, {
          provider: 'openai',
          model: request.model,
          url,
          body: request,
          timeoutMs: settings.timeoutMs,
        });
        yield* call.stream(
          {
            create: (options) => upstream.chat.completions.create(request, options),
            sdk: OpenAI,
            read: (response) => readChunks(response, settings.eventLimit),
            callsSuffice: tools.length > 0 || !hasTools,
          },
          answer,
        );
        llm = answer.details(run, parameters);
        if (!hasTools) yield* answer.toolCalls();
        return answer.requestedCalls(source);
      };
      yield* runToolLoop({ run, toolset, completion: () => ({ llm }) }, ask);
      yield* text.finish({ withRanges: run.checkOutput === undefined });
      yield { event: 'run.completed', data: { llm } };
    },
  };
}

function toChatTool({ name, description, inputSchema }: OfferedTool): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** One answer of the model: turns its chunks into events, and collects tool calls, usage and token probabilities. */
class UpstreamAnswer {
  readonly #calls = new ToolCalls();
  readonly #tokens: { text: string; logprob: number; top?: readonly { text: string; logprob: number }[] }[] =
    [];
  #usage: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | undefined;
  #finish: string | undefined;
  #model: string | undefined;
  readonly #reasoning = new ReasoningFields();
  readonly #run: Pick<AgentRun, 'warn'>;
  readonly #text: CitedText;
  readonly #citations: ChatCitations;
  readonly #tags: ThinkingTags;
  #hasText = false;
  /** Whether the reasoning is more than blank lines. */
  #hasReasoning = false;
  #length = 0;

  /** @param text collects the text of all answers of the run */
  constructor(run: Pick<AgentRun, 'warn'>, text: CitedText, { startsWithReasoning }: ModelSettings) {
    this.#run = run;
    this.#text = text;
    this.#citations = new ChatCitations(text);
    this.#tags = new ThinkingTags({ startsWithReasoning });
  }

  /** Adds a part to the answer, and yields its events. */
  *apply(part: ChatCompletionChunk): Generator<AgentEvent> {
    this.#usage = part.usage ?? this.#usage;
    this.#model = part.model || this.#model;
    const choice = firstChoice(part);
    this.#citations.apply(part, choice?.delta);
    if (!choice) return;
    this.#finish = choice.finish_reason ?? this.#finish;
    for (const token of choice.logprobs?.content ?? []) {
      const top = ((token.top_logprobs as typeof token.top_logprobs | null | undefined) ?? []).map((one) => ({
        text: one.token,
        logprob: one.logprob,
      }));
      this.#tokens.push({ text: token.token, logprob: token.logprob, ...(top.length > 0 ? { top } : {}) });
    }
    const { delta } = choice;
    if (!delta) return;
    this.#calls.append(delta.tool_calls);
    this.#reasoning.append(delta);
    const { thoughts, words } = deltaText(delta);
    this.#length += thoughts.length + words.length;
    yield* this.#events({ words: '', thoughts });
    yield* this.#events(this.#tags.push(words));
  }

  *end(): Generator<AgentEvent> {
    yield* this.#events(this.#tags.end());
    this.#citations.end();
  }

  *#events({
    words,
    thoughts,
  }: {
    readonly words: string;
    readonly thoughts: string;
  }): Generator<AgentEvent> {
    this.#hasReasoning ||= thoughts.trim() !== '';
    if (thoughts !== '' && this.#hasReasoning)
      yield { event: 'run.step.thinking', data: { thinking: thoughts } };
    if (words === '') return;
    if (!this.#hasReasoning && closesThinking(words))
      this.#run.warn(
        'the answer has the end of reasoning without its start: set "starts_with_reasoning": true, or the reasoning parser of the server',
      );
    this.#hasText = true;
    this.#text.append(words);
    yield words;
  }

  /** @throws UpstreamError when the answer ended without text, and without tool calls if they suffice */
  check({ callsSuffice }: { callsSuffice: boolean }): void {
    if (this.#hasText || (callsSuffice && this.#calls.size > 0)) return;
    throw UpstreamError.withoutAnswer(this.#finish);
  }

  /** @param source identifies the model: fields that it wants back with its calls are sent to no other */
  requestedCalls(source: string): readonly RequestedCall[] {
    const message = this.#reasoning.fields();
    return this.#calls.complete().map(({ name, args, extra: call }) => ({
      name,
      args,
      ...(message || call ? { vendorFields: { source, call, message } } : {}),
    }));
  }

  /** Yields the model's tool calls once they are complete, to show them. */
  *toolCalls(): Generator<AgentEvent> {
    if (this.#calls.size === 0) return;
    yield {
      event: 'run.step.delta',
      data: {
        delta: {
          role: 'assistant',
          step_details: [
            {
              type: 'tool_calls',
              tool_calls: this.#calls.complete().map(({ id, name, args }) => ({ id, name, args })),
            },
          ],
        },
      },
    };
  }

  report(): ModelAnswer {
    return {
      model: this.#model,
      finishReason: this.#finish,
      inputTokens: numberIn(this.#usage?.prompt_tokens),
      outputTokens: numberIn(this.#usage?.completion_tokens),
      length: this.#length,
    };
  }

  /** Returns the details that `return_options` requests and upstream provided. */
  details(run: AgentRun, parameters: MappedParameters): Record<string, unknown> {
    const options = run.llmParams.return_options;
    const wantsTokens = options?.token_logprobs || options?.top_n_tokens;
    return {
      ...reportAnswer(this.report(), run, parameters),
      ...(wantsTokens && this.#tokens.length > 0 ? { tokens: this.#tokens } : {}),
    };
  }
}
