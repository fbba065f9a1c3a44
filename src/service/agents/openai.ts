import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { RequestedCall, ToolDefinition } from '../tools/tool-call.ts';
import { runToolLoop, type ModelStep } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import { AgentFailure, pause, type Agent, type AgentEvent, type AgentRun } from './agent.ts';
import { readChunks, InvalidAnswerError, firstChoice, deltaText } from './openai-answer.ts';
import { buildChatMessages, visitorTexts } from './openai-history.ts';
import { mapParameters, type MappedParameters } from './openai-parameters.ts';
import { ToolCalls } from './openai-tool-calls.ts';

/** Connection to an OpenAI-compatible service. */
export interface OpenAiSettings {
  /** Without `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Merged into every request, for upstream-specific fields. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Longest line of an answer, in bytes. */
  readonly eventLimit: number;
}

const maxAttempts = 3;
/** Upper limit for `Retry-After`, in ms. */
const maxRetryDelayMs = 5_000;

/**
 * Creates an agent backed by an OpenAI-compatible chat-completions service: text, reasoning, tool calls.
 * @param toolset without it, calls that the model asks for are shown and not executed
 */
export function openAiAgent(settings: OpenAiSettings, toolset?: Toolset): Agent {
  const upstream = new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? 'none',
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
  });

  return {
    usesTools: toolset !== undefined,
    close: async () => toolset?.close(),
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      reportIgnored(run);
      const { body, unmapped } = mapParameters(run.llmParams);
      if (unmapped.length > 0)
        run.report(
          `these model parameters are not supported upstream and are ignored: ${unmapped.join(', ')}`,
        );
      let llm: Record<string, unknown> = {};
      const report = () => ({ ...llm, ...(unmapped.length > 0 ? { unmapped_params: unmapped } : {}) });
      const ask = async function* ({ tools, calls }: ModelStep): AsyncGenerator<AgentEvent, UpstreamAnswer> {
        const request: ChatCompletionCreateParamsStreaming = {
          model: settings.model,
          messages: buildChatMessages(run, settings.systemPrompt, calls),
          stream: true,
          ...(tools.length > 0 ? { tools: tools.map(toChatTool) } : {}),
          ...body,
          ...settings.extraBody,
        };
        const answer = new UpstreamAnswer();
        try {
          const response = await open(upstream, request, run);
          for await (const part of readChunks(response, settings.eventLimit)) yield* answer.take(part);
          answer.check({ callsSuffice: tools.length > 0 || !toolset });
        } catch (error) {
          throw toAgentFailure(error, run);
        }
        llm = answer.report(run, body);
        return answer;
      };
      if (toolset) {
        yield* runToolLoop({ run, toolset, completion: () => ({ llm: report() }) }, async function* (step) {
          return (yield* ask(step)).requestedCalls();
        });
      } else {
        const answer = yield* ask({ tools: [], calls: [] });
        yield* answer.toolCalls();
      }
      yield { event: 'run.completed', data: { llm: report() } };
    },
  };
}

function toChatTool({ name, description, inputSchema }: ToolDefinition): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

/** Sends the request. Retries temporary failures, as no token has arrived yet. */
async function open(
  upstream: OpenAI,
  request: ChatCompletionCreateParamsStreaming,
  run: AgentRun,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upstream.chat.completions.create(request, { signal: run.signal }).asResponse();
    } catch (error) {
      if (attempt === maxAttempts || run.signal.aborted || !isRetryable(error)) throw error;
      await pause(retryDelayMs(attempt, error), run.signal);
    }
  }
}

function isRetryable(error: unknown): boolean {
  // After a timeout, a retry would make the visitor wait as long again.
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) return false;
  if (error instanceof APIConnectionError) return true;
  return error instanceof APIError && (error.status === 429 || (error.status ?? 0) >= 500);
}

function retryDelayMs(attempt: number, error: unknown): number {
  const header = error instanceof APIError ? error.headers?.get('retry-after') : undefined;
  const seconds =
    header == null
      ? NaN
      : /^\d+(\.\d+)?$/.test(header)
        ? Number(header)
        : (Date.parse(header) - Date.now()) / 1000;
  return Math.min(Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 400 * attempt, maxRetryDelayMs);
}

/** Collects tool calls, usage and token probabilities. */
class UpstreamAnswer {
  readonly #calls = new ToolCalls();
  readonly #tokens: { text: string; logprob: number; top?: readonly { text: string; logprob: number }[] }[] =
    [];
  #usage: { prompt_tokens: number; completion_tokens: number } | undefined;
  #finish: string | undefined;
  #model: string | undefined;
  #hasWords = false;

  *take(part: ChatCompletionChunk): Generator<AgentEvent> {
    this.#usage = part.usage ?? this.#usage;
    this.#model = part.model || this.#model;
    const choice = firstChoice(part);
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
    this.#calls.append(delta.tool_calls ?? []);
    const { thoughts, words } = deltaText(delta);
    if (thoughts !== '') yield { event: 'run.step.thinking', data: { thinking: thoughts } };
    if (words === '') return;
    this.#hasWords = true;
    yield words;
  }

  /** @throws InvalidAnswerError when the answer ended without text, and without tool calls if they suffice */
  check({ callsSuffice }: { callsSuffice: boolean }): void {
    if (this.#hasWords || (callsSuffice && this.#calls.size > 0)) return;
    throw new InvalidAnswerError(
      'no_answer',
      `upstream ended (${this.#finish ?? 'no reason given'}) without an answer`,
    );
  }

  requestedCalls(): readonly RequestedCall[] {
    return this.#calls.complete().map(({ name, args }) => ({ name, args }));
  }

  /** Yields the model's tool calls once they are complete, to show them. */
  *toolCalls(): Generator<AgentEvent> {
    if (this.#calls.size === 0) return;
    yield {
      event: 'run.step.delta',
      data: {
        delta: {
          role: 'assistant',
          step_details: [{ type: 'tool_calls', tool_calls: this.#calls.complete() }],
        },
      },
    };
  }

  /**
   * Returns the details that `return_options` requests and upstream provided. Of the input, only the
   * visitor's own messages and parameters are included: the rest belongs to the operator.
   */
  report(run: AgentRun, parameters: MappedParameters['body']): Record<string, unknown> {
    const options = run.llmParams.return_options;
    return {
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(this.#finish === undefined ? {} : { finish_reason: this.#finish }),
      ...(options?.input_tokens && this.#usage ? { input_tokens: this.#usage.prompt_tokens } : {}),
      ...(options?.generated_tokens && this.#usage
        ? { generated_tokens: this.#usage.completion_tokens }
        : {}),
      ...((options?.token_logprobs || options?.top_n_tokens) && this.#tokens.length > 0
        ? { tokens: this.#tokens }
        : {}),
      ...(options?.input_parameters ? { input_parameters: parameters } : {}),
      ...(options?.input_text
        ? {
            input_text: visitorTexts(run)
              .map((words) => `user: ${words}`)
              .join('\n'),
          }
        : {}),
    };
  }
}

function reportIgnored(run: AgentRun): void {
  const ignored = [
    ...(run.environmentId === undefined ? [] : ['environment_id']),
    ...(run.version === undefined ? [] : ['version']),
    ...(Object.keys(run.additionalParameters).length === 0 ? [] : ['additional_parameters']),
  ];
  for (const name of ignored) run.report(`agents of the kind "openai" ignore ${name} of the run request`);
}

/**
 * Converts an error to one with a message for the visitor. The log gets the status; upstream's own message
 * goes to neither.
 */
function toAgentFailure(error: unknown, run: AgentRun): unknown {
  if (run.signal.aborted || error instanceof AgentFailure) return error;
  const cause = new Error(
    error instanceof InvalidAnswerError
      ? error.message
      : error instanceof APIError && error.status !== undefined
        ? `upstream answered ${error.status}`
        : error instanceof APIConnectionTimeoutError
          ? 'upstream did not answer in time'
          : 'upstream could not be reached, or the connection broke',
  );
  const fail = (code: string, message: string): AgentFailure => new AgentFailure(code, message, { cause });
  if (error instanceof InvalidAnswerError && error.reason === 'no_answer')
    return fail(
      'upstream_no_answer',
      'The assistant sent no answer. The owner of this site has been notified.',
    );
  if (!(error instanceof APIError))
    return fail('upstream_broke_off', 'The answer broke off. Please try again.');
  if (error.status === 429)
    return fail('upstream_busy', 'The assistant is very busy right now. Please try again in a moment.');
  if (error instanceof APIConnectionError || (error.status ?? 0) >= 500) {
    return fail(
      'upstream_unavailable',
      'The assistant cannot be reached right now. Please try again in a moment.',
    );
  }
  if (error.status === undefined)
    return fail('upstream_broke_off', 'The answer broke off. Please try again.');
  return fail(
    'upstream_refused',
    'The assistant could not process this request. The owner of this site has been notified.',
  );
}
