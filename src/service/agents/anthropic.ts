import Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { RequestedCall } from '../tools/tool-call.ts';
import { runToolLoop, type ModelStep } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { Agent, AgentEvent, AgentRun } from './agent.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { buildMessages, lackThoughts } from './anthropic-messages.ts';
import { builtInStarted } from './built-in-steps.ts';
import { CitedText } from './cited-text.ts';
import type { ModelSettings } from './model-settings.ts';
import { mapParameters, type ParameterNames } from './model-parameters.ts';
import { reportAnswer, reportIgnored } from './model-report.ts';
import { mergeBody, ModelCall, sdkOptions } from './upstream/model-call.ts';
import { offerTools, type OfferedTool } from './upstream/offer-tools.ts';
import { readSseObjects } from './upstream/sse-data.ts';
import { hashedUser } from './upstream/upstream-identity.ts';

const names: ParameterNames = {
  direct: { max_new_tokens: 'max_tokens', temperature: 'temperature', top_p: 'top_p', top_k: 'top_k' },
  stop: 'stop_sequences',
};

/** The API requires a limit. @assumed enough for any chat answer */
const defaultMaxTokens = 8_192;
/** How often a paused answer is continued. */
const maxPauses = 8;

/**
 * Creates an agent backed by the Messages API: text, thinking, tools, the vendor's own tools as steps, citations. Where
 * neither an MCP server nor the page has tools, calls that the model asks for are shown and not executed.
 */
export function anthropicAgent(settings: ModelSettings, toolset: Toolset): Agent {
  const upstream = new Anthropic({
    ...(settings.baseUrl === undefined ? {} : { baseURL: settings.baseUrl }),
    ...sdkOptions(settings),
    authToken: null,
    openTelemetry: false, // the spans are our own
  });

  return {
    usesTools: true,
    close: () => toolset.close(),
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const parameters = mapParameters(run.llmParams, names);
      reportIgnored(run, 'anthropic', parameters);
      const { showDetails } = toolset.settings;
      const text = new CitedText();
      const rounds: (readonly ContentBlockParam[])[] = [];
      let llm: Record<string, unknown> = {};

      const ask = async function* (step: ModelStep): AsyncGenerator<AgentEvent, readonly RequestedCall[]> {
        const { tools, calls } = step;
        const hasTools = tools.length > 0 || calls.length > 0;
        const input = buildMessages(run, settings.systemPrompt, calls, rounds);
        const blocks: ContentBlockParam[] = [];
        text.breakParagraph();
        for (let pauses = 0; ; pauses += 1) {
          const request = mergeBody<MessageCreateParamsStreaming>(
            {
              model: settings.model,
              max_tokens: defaultMaxTokens,
              messages: input.messages,
              ...(input.system === undefined ? {} : { system: input.system }),
              stream: true,
              metadata: { user_id: hashedUser(run) },
              ...parameters.body,
            },
            settings.extraBody,
          );
          offerTools(request, step, { toTool, none: { type: 'none' }, extraBody: settings.extraBody });
          // Older models, those with a budget, refuse calls without the reasoning before them.
          if (request.thinking?.type === 'enabled' && lackThoughts(input.messages))
            request.thinking = { type: 'disabled' };
          const answer = new AnthropicAnswer(text, { showDetails });
          const call = new ModelCall(run, {
            provider: 'anthropic',
            model: request.model,
            url: upstream.baseURL,
            body: request,
            timeoutMs: settings.timeoutMs,
          });
          yield* call.stream(
            {
              create: (options) => upstream.messages.create(request, options),
              sdk: Anthropic,
              read: (response) => readSseObjects(response, settings.eventLimit),
              callsSuffice: tools.length > 0 || !hasTools,
            },
            answer,
          );
          llm = reportAnswer(answer.report(), run, parameters);
          blocks.push(...answer.blocks());
          if (answer.isPaused && pauses < maxPauses) {
            input.messages.push({ role: 'assistant', content: [...answer.blocks()] });
            continue;
          }
          rounds.push(blocks);
          const requested = answer.requestedCalls();
          if (!hasTools) for (const call of requested) yield* builtInStarted(call, { showDetails: true });
          return requested;
        }
      };
      yield* runToolLoop({ run, toolset, completion: () => ({ llm }) }, ask);
      yield* text.finish({ withRanges: run.checkOutput === undefined });
      yield { event: 'run.completed', data: { llm } };
    },
  };
}

function toTool({ name, description, inputSchema }: OfferedTool): Tool {
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}
