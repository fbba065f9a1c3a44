import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { AgentFailure, pause, type Agent, type AgentEvent, type AgentRun } from './agent.ts';
import { readChunks, InvalidAnswerError, firstChoice, deltaText } from './openai-answer.ts';
import { buildChatMessages, visitorTexts } from './openai-history.ts';
import { mapParameters, type MappedParameters } from './openai-parameters.ts';
import { ToolCalls } from './openai-tool-calls.ts';

/** How to reach an OpenAI-compatible service. */
export interface OpenAiSettings {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Laid over every request, for what only one upstream understands. */
  readonly extraBody: Readonly<Record<string, unknown>>;
}

const maxAttempts = 3;
/** Milliseconds; a longer `Retry-After` is not waited for in full. */
const maxRetryDelayMs = 5_000;

/** An agent that any OpenAI-compatible chat-completions service speaks for: text, reasoning, tool calls. */
export function openAiAgent(settings: OpenAiSettings): Agent {
  const upstream = new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? 'none',
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
  });

  return {
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      reportIgnored(run);
      const { body, unmapped } = mapParameters(run.llmParams);
      if (unmapped.length > 0)
        run.report(
          `these model parameters have no counterpart upstream and are not used: ${unmapped.join(', ')}`,
        );
      const request: ChatCompletionCreateParamsStreaming = {
        model: settings.model,
        messages: buildChatMessages(run, settings.systemPrompt),
        stream: true,
        ...body,
        ...settings.extraBody,
      };
      const answer = new UpstreamAnswer();
      try {
        for await (const part of readChunks(await open(upstream, request, run))) yield* answer.take(part);
        answer.check();
      } catch (error) {
        throw toAgentFailure(error, run);
      }
      yield* answer.toolCalls();
      yield {
        event: 'run.completed',
        data: {
          llm: {
            ...answer.report(run, body),
            ...(unmapped.length > 0 ? { unmapped_params: unmapped } : {}),
          },
        },
      };
    },
  };
}

/** Asks upstream; while no token has come, what may pass is tried again. */
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
  // Who was silent once would let the visitor wait as long again.
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

/** Gathers what comes in pieces: tool calls, usage, probabilities. */
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

  /** @throws BadAnswer when there was nothing to read at the end of it: all was withheld, or thought and never said */
  check(): void {
    if (this.#hasWords || this.#calls.size > 0) return;
    throw new InvalidAnswerError(
      'no_answer',
      `upstream ended (${this.#finish ?? 'no reason given'}) without a word`,
    );
  }

  /** The calls the model made, once their arguments are whole. The service runs no tools. */
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
   * What `return_options` asks for and upstream gave. Of what was asked only what the visitor said and sent themselves:
   * the rest is the operator's.
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
  for (const name of ignored)
    run.report(`${name} of the run request is not used by agents of the kind "openai"`);
}

/** Words fit for a visitor; the status is for the log, upstream's own words for neither. */
function toAgentFailure(error: unknown, run: AgentRun): unknown {
  if (run.signal.aborted) return error;
  const cause = new Error(
    error instanceof InvalidAnswerError
      ? error.message
      : error instanceof APIError && error.status !== undefined
        ? `upstream answered ${error.status}`
        : error instanceof APIConnectionTimeoutError
          ? 'upstream did not answer in time'
          : 'upstream could not be reached or broke off',
  );
  const fail = (code: string, message: string): AgentFailure => new AgentFailure(code, message, { cause });
  if (error instanceof InvalidAnswerError && error.reason === 'no_answer')
    return fail('upstream_no_answer', 'The assistant sent no answer. The owner of this site has been told.');
  if (!(error instanceof APIError))
    return fail('upstream_broke_off', 'The answer broke off. Please try again.');
  if (error.status === 429)
    return fail('upstream_busy', 'The assistant is very busy just now. Please try again in a moment.');
  if (error instanceof APIConnectionError || (error.status ?? 0) >= 500) {
    return fail(
      'upstream_unavailable',
      'The assistant cannot be reached just now. Please try again in a moment.',
    );
  }
  if (error.status === undefined)
    return fail('upstream_broke_off', 'The answer broke off. Please try again.');
  return fail(
    'upstream_refused',
    'The assistant could not take this request. The owner of this site has been told.',
  );
}
