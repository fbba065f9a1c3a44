import { llmParamsSchema, returnOptionsSchema, type LlmParams } from '../../protocol/index.ts';

/** What of the model parameters a chat-completions service understands, and the names of what it does not. */
export interface MappedParameters {
  readonly body: Readonly<Record<string, unknown>>;
  readonly unmapped: readonly string[];
}

/** Every parameter that the interface names. Any other name is a caller's own words, which no log is to hold. */
const named: ReadonlySet<string> = new Set(Object.keys(llmParamsSchema.shape));
const namedOptions: ReadonlySet<string> = new Set(Object.keys(returnOptionsSchema.shape));
/** What stands for them all. */
const unnamed = 'what the interface does not name';

/**
 * Maps `llm_params` to a chat-completions request. `time_limit` is kept by the service itself; `greedy` decoding is a
 * temperature of 0 unless one is given. Whatever has no counterpart is named, never dropped in silence; what the
 * interface does not know is told without its name.
 */
export function mapParameters(params: LlmParams): MappedParameters {
  const body: Record<string, unknown> = {};
  const unmapped = new Set<string>();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || name === 'time_limit') continue;
    if (!named.has(name)) {
      unmapped.add(unnamed);
      continue;
    }
    const target = direct[name];
    if (target !== undefined) body[target] = value;
    else if (name === 'stop_sequences') body['stop'] = [value];
    else if (name === 'decoding_method' && value === 'greedy') body['temperature'] ??= 0;
    else if (name === 'decoding_method' && value === 'sample') continue;
    else if (name === 'return_options' && typeof value === 'object')
      for (const option of mapReturnOptions(value, body)) unmapped.add(option);
    else unmapped.add(name);
  }
  if (typeof params.temperature === 'number') body['temperature'] = params.temperature;
  return { body, unmapped: [...unmapped] };
}

const direct: Readonly<Record<string, string>> = {
  max_new_tokens: 'max_tokens',
  random_seed: 'seed',
  temperature: 'temperature',
  top_p: 'top_p',
};

/** What may be asked to be returned and can be given; the last two come from the request itself. */
const returnable = ['generated_tokens', 'input_tokens', 'token_logprobs', 'input_parameters', 'input_text'];

function mapReturnOptions(options: object, body: Record<string, unknown>): string[] {
  const unmapped: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'top_n_tokens') {
      if (typeof value === 'number' && value > 0)
        Object.assign(body, { logprobs: true, top_logprobs: value });
    } else if (!returnable.includes(name))
      unmapped.push(namedOptions.has(name) ? `return_options.${name}` : unnamed);
    if (name === 'token_logprobs') body['logprobs'] = true;
    if (name === 'generated_tokens' || name === 'input_tokens')
      body['stream_options'] = { include_usage: true };
  }
  return unmapped;
}
