import type { LlmParams } from '../../protocol/index.ts';

/** What of the model parameters a chat-completions service understands, and the names of what it does not. */
export interface MappedParameters {
  readonly body: Readonly<Record<string, unknown>>;
  readonly unmapped: readonly string[];
}

/**
 * Maps `llm_params` to a chat-completions request. `time_limit` is kept by the service itself; `greedy` decoding is a
 * temperature of 0 unless one is given. Whatever has no counterpart is named, never dropped in silence.
 */
export function mapParameters(params: LlmParams): MappedParameters {
  const body: Record<string, unknown> = {};
  const unmapped: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || name === 'time_limit') continue;
    const target = direct[name];
    if (target !== undefined) body[target] = value;
    else if (name === 'stop_sequences') body['stop'] = [value];
    else if (name === 'decoding_method' && value === 'greedy') body['temperature'] ??= 0;
    else if (name === 'decoding_method' && value === 'sample') continue;
    else if (name === 'return_options' && typeof value === 'object')
      unmapped.push(...mapReturnOptions(value, body));
    else unmapped.push(name);
  }
  if (typeof params.temperature === 'number') body['temperature'] = params.temperature;
  return { body, unmapped };
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
    } else if (!returnable.includes(name)) unmapped.push(`return_options.${name}`);
    if (name === 'token_logprobs') body['logprobs'] = true;
    if (name === 'generated_tokens' || name === 'input_tokens')
      body['stream_options'] = { include_usage: true };
  }
  return unmapped;
}
