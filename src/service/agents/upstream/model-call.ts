import { startModelSpan } from '../../telemetry/gen-ai.ts';
import type { Span } from '../../telemetry/span.ts';
import type { AgentEvent, AgentRun } from '../agent.ts';
import type { ModelAnswer } from '../model-report.ts';
import type { ModelSettings } from '../model-settings.ts';
import { fromSdkError, modelFetch, type SdkErrors } from './model-refusal.ts';
import { abortAfterSilence, type SilenceLimit } from './silence-limit.ts';
import { errorTypeOf, toAgentFailure } from './upstream-error.ts';
import { identityHeaders } from './upstream-identity.ts';
import { withRetries } from './with-retries.ts';

/** Options of the libraries `openai` and `@anthropic-ai/sdk`: retries and time limits are our own. */
export function sdkOptions({ apiKey, headers, query, eventLimit }: ModelSettings) {
  const noKey = { authorization: null, 'x-api-key': null };
  return {
    apiKey: apiKey ?? 'none',
    defaultHeaders: { ...(apiKey === undefined ? noKey : {}), ...headers },
    defaultQuery: { ...query },
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
    fetch: modelFetch(eventLimit),
  } as const;
}

/** What such a library sends with a request. */
interface RequestOptions {
  readonly signal: AbortSignal;
  readonly headers: Record<string, string>;
}

/** For estimates, where upstream does not report the tokens. */
const charactersPerToken = 4;

/** How a request is sent, and its response read. */
interface ModelRequest<Part> {
  /** Makes the library send it. */
  readonly create: (options: RequestOptions) => { asResponse(): Promise<Response> };
  readonly sdk: SdkErrors;
  /** Yields the parts of the response. */
  readonly read: (response: Response) => AsyncIterable<Part>;
  /** Whether an answer may be tool calls only. */
  readonly callsSuffice: boolean;
}

/** Reads an answer from the parts of its stream. */
export interface ModelAnswerReader<Part> {
  /**
   * Adds a part to the answer, and yields its events.
   * @throws UpstreamError when upstream reports an error
   */
  apply(part: Part): Iterable<AgentEvent>;
  /** Yields the events that are left after the last part. */
  end?(): Iterable<AgentEvent>;
  /** @throws UpstreamError when the answer ended without text, and without tool calls if they suffice */
  check(options: { readonly callsSuffice: boolean }): void;
  report(): ModelAnswer;
}

/** Reasons for which a model ends an answer that is not complete. */
const cutReasons: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_context_window_exceeded',
  'content_filter',
  'refusal',
]);

/** One request to a model: its retries, its span and its tokens. */
export class ModelCall {
  readonly #run: AgentRun;
  readonly #span: Span;
  readonly #body: object;
  readonly #timeoutMs: number;
  #errorType: string | undefined;

  /**
   * @param request.provider whose API it is
   * @param request.body what is sent
   * @param request.timeoutMs how long the model may be silent
   */
  constructor(
    run: AgentRun,
    {
      body,
      timeoutMs,
      ...request
    }: {
      readonly provider: 'openai' | 'anthropic';
      readonly model: string;
      readonly url: string;
      readonly body: object;
      readonly timeoutMs: number;
    },
  ) {
    this.#run = run;
    this.#timeoutMs = timeoutMs;
    this.#body = body;
    this.#span = startModelSpan(run, { ...request, parameters: run.llmParams });
  }

  /**
   * Sends the request and yields the events of the answer.
   * @throws AgentFailure with a message for the visitor; the reason of an abort
   */
  async *stream<Part>(
    request: ModelRequest<Part>,
    answer: ModelAnswerReader<Part>,
  ): AsyncGenerator<AgentEvent> {
    const silence = abortAfterSilence(this.#run.signal, this.#timeoutMs);
    try {
      for await (const part of await this.#open(request, silence))
        for (const event of answer.apply(part)) {
          yield event;
          silence.heard(); // storing it may take a while
        }
      if (answer.end) yield* answer.end();
      answer.check(request);
      const { finishReason = '' } = answer.report();
      if (cutReasons.has(finishReason))
        this.#run.warn(`the answer was cut (${finishReason}): the visitor sees its beginning only`);
    } catch (thrown) {
      const error = silence.errorFor(thrown);
      if (!this.#run.signal.aborted) this.#errorType = errorTypeOf(error);
      throw toAgentFailure(error, this.#run);
    } finally {
      silence.stop();
      this.#end(answer.report());
    }
  }

  /** Returns the parts of the answer once the first one is there. @throws UpstreamError */
  #open<Part>(
    { create, sdk, read }: ModelRequest<Part>,
    { signal, listen }: SilenceLimit,
  ): Promise<AsyncGenerator<Part>> {
    const { traceparent = this.#run.traceparent } = this.#span;
    const options = { signal, headers: identityHeaders({ ...this.#run, traceparent }) };
    const send = async (): Promise<Response> => {
      try {
        return await withoutPrints(() => create(options), this.#run.report).asResponse();
      } catch (error) {
        throw fromSdkError(error, sdk, Object.keys(this.#body));
      }
    };
    return this.#span.within(() =>
      withRetries(signal, async () => {
        const parts = read(listen(await send()))[Symbol.asyncIterator]();
        return continued(await parts.next(), parts);
      }),
    );
  }

  #end({ model, finishReason, inputTokens, outputTokens, length }: ModelAnswer): void {
    this.#span.set({
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
    });
    this.#span.end(this.#errorType);
    const hasAnswered = model !== undefined || length > 0;
    if (!hasAnswered && inputTokens === undefined && outputTokens === undefined) return;
    // an answer that was cut short has no report, or only one of the request
    this.#run.countTokens({
      input: inputTokens ?? Math.ceil(JSON.stringify(this.#body).length / charactersPerToken),
      output: outputTokens ?? Math.ceil(length / charactersPerToken),
    });
  }
}

/** Calls a library, and passes on its warnings, which it would print between the lines of the log. */
function withoutPrints<Result>(call: () => Result, report: (text: string) => void): Result {
  const { warn } = console;
  console.warn = (...words: unknown[]) => report(words.join(' ').replace(/\s+/g, ' ').slice(0, 300));
  try {
    return call();
  } finally {
    console.warn = warn;
  }
}

async function* continued<Part>(
  first: IteratorResult<Part>,
  rest: AsyncIterator<Part>,
): AsyncGenerator<Part> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Adds the operator's fields to a request. A field that is `null` is left out, for services that reject it. */
export function mergeBody<Body extends object>(body: Body, extra: Readonly<Record<string, unknown>>): Body {
  const merged = { ...body, ...extra };
  // the operator is responsible for fields that the type does not have
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Body;
}
