import type { AgentRun } from './agent.ts';
import { visitorTexts } from './openai-messages.ts';
import type { MappedParameters } from './model-parameters.ts';

/** What a model service says about its answer. */
export interface ModelAnswer {
  readonly model: string | undefined;
  readonly finishReason: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Characters of text and reasoning. */
  readonly length: number;
}

/**
 * Returns the details of an answer that `return_options` requests. Of the input, only the visitor's own messages and
 * parameters are included: the rest belongs to the operator.
 */
export function reportAnswer(
  { model, finishReason, inputTokens, outputTokens }: ModelAnswer,
  run: AgentRun,
  parameters: MappedParameters,
): Record<string, unknown> {
  const options = run.llmParams.return_options;
  const { body, unmapped } = parameters;
  return {
    ...(model === undefined ? {} : { model }),
    ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
    ...(options?.input_tokens && inputTokens !== undefined ? { input_tokens: inputTokens } : {}),
    ...(options?.generated_tokens && outputTokens !== undefined ? { generated_tokens: outputTokens } : {}),
    ...(options?.input_parameters ? { input_parameters: body } : {}),
    ...(options?.input_text
      ? {
          input_text: visitorTexts(run)
            .map((words) => `user: ${words}`)
            .join('\n'),
        }
      : {}),
    ...(unmapped.length > 0 ? { unmapped_params: unmapped } : {}),
  };
}

/** Notes what agents of a kind ignore of a run's request. */
export function reportIgnored(run: AgentRun, kind: string, { unmapped }: MappedParameters): void {
  const ignored = [
    ...(run.environmentId === undefined ? [] : ['environment_id']),
    ...(run.version === undefined ? [] : ['version']),
    ...(Object.keys(run.additionalParameters).some((name) => name !== 'page_tools')
      ? ['additional_parameters']
      : []),
  ];
  for (const name of ignored) run.report(`agents of the kind "${kind}" ignore ${name} of the run request`);
  if (unmapped.length > 0)
    run.report(`these model parameters are not supported upstream and are ignored: ${unmapped.join(', ')}`);
}
