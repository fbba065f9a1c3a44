import { llmParamsSchema, returnOptionsSchema, type LlmParams } from '../../protocol/index.ts';

/** The parameters that a model service supports, and the names of the others. */
export interface MappedParameters {
  readonly body: Readonly<Record<string, unknown>>;
  readonly unmapped: readonly string[];
}

/** The names that an API has for parameters of the interface. */
export interface ParameterNames {
  readonly direct: Readonly<Record<string, string>>;
  /** The parameter for stop sequences, which is a list. */
  readonly stop?: string;
  /** Whether the API returns probabilities of tokens, and usage only on request, as chat completions do. */
  readonly hasProbabilities?: boolean;
}

/** Parameters of the interface. Other names come from callers and must not appear in the log. */
const named: ReadonlySet<string> = new Set(Object.keys(llmParamsSchema.shape));
const namedOptions: ReadonlySet<string> = new Set(Object.keys(returnOptionsSchema.shape));
/** Stands for all other names. */
const unnamed = 'parameters that the interface does not define';

/** Newer models of OpenAI refuse `max_tokens`; many other servers know nothing else. */
const chatCompletions: ParameterNames = {
  direct: {
    max_new_tokens: 'max_tokens',
    random_seed: 'seed',
    temperature: 'temperature',
    top_p: 'top_p',
  },
  stop: 'stop',
  hasProbabilities: true,
};

/** The names for a server; one that refuses `max_tokens` gets the limit by its newer name. */
export function chatNames({ refusesMaxTokens }: { readonly refusesMaxTokens: boolean }): ParameterNames {
  if (!refusesMaxTokens) return chatCompletions;
  return {
    ...chatCompletions,
    direct: { ...chatCompletions.direct, max_new_tokens: 'max_completion_tokens' },
  };
}

/**
 * Maps `llm_params` to the request of a model service. The service itself applies `time_limit`. `greedy` decoding
 * becomes temperature 0, unless a temperature is given. Parameters of the interface that cannot be mapped are
 * reported by name, all others without their names.
 */
export function mapParameters(params: LlmParams, names: ParameterNames = chatCompletions): MappedParameters {
  const body: Record<string, unknown> = {};
  const unmapped = new Set<string>();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || name === 'time_limit') continue;
    if (!named.has(name)) {
      unmapped.add(unnamed);
      continue;
    }
    const target = names.direct[name];
    if (target !== undefined) body[target] = value;
    else if (name === 'stop_sequences' && names.stop !== undefined) body[names.stop] = [value];
    else if (name === 'decoding_method' && value === 'greedy') body['temperature'] ??= 0;
    else if (name === 'decoding_method' && value === 'sample') continue;
    else if (name === 'return_options' && typeof value === 'object')
      for (const option of mapReturnOptions(value, body, names)) unmapped.add(option);
    else unmapped.add(name);
  }
  if (typeof params.temperature === 'number') body['temperature'] = params.temperature;
  return { body, unmapped: [...unmapped] };
}

/** Supported return options. The last two are answered from the request itself. */
const returnable = ['generated_tokens', 'input_tokens', 'input_parameters', 'input_text'];

function mapReturnOptions(
  options: object,
  body: Record<string, unknown>,
  { hasProbabilities }: ParameterNames,
): string[] {
  const unmapped: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (hasProbabilities && name === 'top_n_tokens') {
      if (typeof value === 'number' && value > 0)
        Object.assign(body, { logprobs: true, top_logprobs: value });
    } else if (hasProbabilities && name === 'token_logprobs') body['logprobs'] = true;
    else if (!returnable.includes(name))
      unmapped.push(namedOptions.has(name) ? `return_options.${name}` : unnamed);
  }
  return unmapped;
}
