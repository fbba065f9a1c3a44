import OpenAI from 'openai';
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { RequestedCall } from '../tools/tool-call.ts';
import { runToolLoop, type ModelStep } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { Agent, AgentEvent, AgentRun } from './agent.ts';
import { builtInStarted } from './built-in-steps.ts';
import { CitedText } from './cited-text.ts';
import { mapParameters, type ParameterNames } from './model-parameters.ts';
import { reportAnswer, reportIgnored } from './model-report.ts';
import type { ModelSettings } from './model-settings.ts';
import { ResponsesAnswer } from './responses-answer.ts';
import { buildInput } from './responses-input.ts';
import { mergeBody, ModelCall, sdkOptions } from './upstream/model-call.ts';
import { offerTools, type OfferedTool } from './upstream/offer-tools.ts';
import { readSseObjects } from './upstream/sse-data.ts';
import { hashedUser } from './upstream/upstream-identity.ts';

const names: ParameterNames = {
  direct: { max_new_tokens: 'max_output_tokens', temperature: 'temperature', top_p: 'top_p' },
};

/**
 * Creates an agent backed by the Responses API or an Open Responses service: text, summaries of reasoning, tools, the
 * vendor's own tools as steps, citations. The vendor is asked not to store the answers.
 */
export function responsesAgent(settings: ModelSettings, toolset: Toolset): Agent {
  const url = settings.baseUrl ?? 'https://api.openai.com/v1';
  const upstream = new OpenAI({ baseURL: url, ...sdkOptions(settings) });

  return {
    usesTools: true,
    close: () => toolset.close(),
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const parameters = mapParameters(run.llmParams, names);
      reportIgnored(run, 'responses', parameters);
      const { showDetails } = toolset.settings;
      const text = new CitedText();
      const reasoning: (readonly ResponseInputItem[])[] = [];
      let llm: Record<string, unknown> = {};

      const ask = async function* (step: ModelStep): AsyncGenerator<AgentEvent, readonly RequestedCall[]> {
        const { tools, calls } = step;
        const hasTools = tools.length > 0 || calls.length > 0;
        const { instructions, input } = buildInput(run, settings.systemPrompt, calls, reasoning);
        text.breakParagraph();
        const request = mergeBody<ResponseCreateParamsStreaming>(
          {
            model: settings.model,
            input,
            ...(instructions === undefined ? {} : { instructions }),
            stream: true,
            store: false,
            user: hashedUser(run),
            ...parameters.body,
          },
          settings.extraBody,
        );
        offerTools(request, step, { toTool, none: 'none', extraBody: settings.extraBody });
        const answer = new ResponsesAnswer(text, { showDetails, warn: run.warn });
        const call = new ModelCall(run, {
          provider: 'openai',
          model: request.model ?? settings.model,
          url,
          body: request,
          timeoutMs: settings.timeoutMs,
        });
        yield* call.stream(
          {
            create: (options) => upstream.responses.create(request, options),
            sdk: OpenAI,
            read: (response) => readSseObjects(response, settings.eventLimit),
            callsSuffice: tools.length > 0 || !hasTools,
          },
          answer,
        );
        llm = reportAnswer(answer.report(), run, parameters);
        reasoning.push(answer.reasoning());
        const requested = answer.requestedCalls();
        if (!hasTools) for (const call of requested) yield* builtInStarted(call, { showDetails: true });
        return requested;
      };
      yield* runToolLoop({ run, toolset, completion: () => ({ llm }) }, ask);
      yield* text.finish({ withRanges: run.checkOutput === undefined });
      yield { event: 'run.completed', data: { llm } };
    },
  };
}

function toTool({ name, description, inputSchema }: OfferedTool): FunctionTool {
  return { type: 'function', name, description, parameters: { ...inputSchema }, strict: false };
}
