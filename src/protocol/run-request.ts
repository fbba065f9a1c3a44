import * as z from 'zod/mini';
import { lenientUuid } from './string-formats.ts';
import { messageSchema } from './message.ts';

const optionalBoolean = z.optional(z.nullable(z.boolean()));
const optionalInteger = z.optional(z.nullable(z.int()));
const optionalNumber = z.optional(z.nullable(z.number()));
const optionalString = z.optional(z.nullable(z.string()));
const freeObject = z.optional(z.nullable(z.looseObject({})));

/** Exponential penalty on long answers. @source interface, "Model parameters" */
export const lengthPenaltySchema = z.looseObject({
  decay_factor: optionalNumber,
  start_index: optionalInteger,
});

/** What the model reports besides its text. @source interface, "Model parameters" */
export const returnOptionsSchema = z.looseObject({
  generated_tokens: optionalBoolean,
  input_parameters: optionalBoolean,
  input_text: optionalBoolean,
  input_tokens: optionalBoolean,
  token_logprobs: optionalBoolean,
  token_ranks: optionalBoolean,
  top_n_tokens: optionalInteger,
});

/** Parameters of the model. `time_limit` is in milliseconds (`@assumed`). @source interface, "Model parameters" */
export const llmParamsSchema = z.looseObject({
  beam_width: optionalInteger,
  decoding_method: optionalString,
  include_stop_sequence: optionalBoolean,
  length_penalty: z.optional(z.nullable(lengthPenaltySchema)),
  max_new_tokens: optionalInteger,
  min_new_tokens: optionalInteger,
  random_seed: optionalInteger,
  repetition_penalty: optionalNumber,
  return_options: z.optional(z.nullable(returnOptionsSchema)),
  stop_sequences: optionalString,
  temperature: optionalNumber,
  time_limit: optionalInteger,
  top_k: optionalInteger,
  top_p: optionalNumber,
  truncate_input_tokens: optionalInteger,
  typical_p: optionalNumber,
});
export type LlmParams = z.infer<typeof llmParamsSchema>;

/** One side of a guardrail. @source interface, "Guardrails" */
export const guardrailSideSchema = z.looseObject({
  enabled: optionalBoolean,
  threshold: optionalNumber,
});

/**
 * One guardrail: what is checked on input and output, and whether findings are masked.
 * @source interface, "Guardrails"
 */
export const guardrailSchema = z.looseObject({
  input: z.optional(z.nullable(guardrailSideSchema)),
  output: z.optional(z.nullable(guardrailSideSchema)),
  mask: z.optional(z.nullable(z.looseObject({ remove_entity_value: optionalBoolean }))),
});
export type Guardrail = z.infer<typeof guardrailSchema>;

/** The three guardrails. @source interface, "Guardrails" */
export const guardrailsSchema = z.looseObject({
  hap: z.optional(z.nullable(guardrailSchema)),
  social_bias: z.optional(z.nullable(guardrailSchema)),
  pii: z.optional(z.nullable(guardrailSchema)),
});
export type Guardrails = z.infer<typeof guardrailsSchema>;

/** The body of "run an agent and stream the result". @source interface, endpoint 1 */
export const runRequestSchema = z.looseObject({
  message: messageSchema,
  thread_id: z.optional(z.nullable(lenientUuid)),
  llm_params: z.optional(z.nullable(llmParamsSchema)),
  guardrails: z.optional(z.nullable(guardrailsSchema)),
  context: freeObject,
  agent_id: optionalString,
  additional_parameters: freeObject,
  environment_id: optionalString,
  version: optionalInteger,
  context_variables: freeObject,
});
export type RunRequest = z.infer<typeof runRequestSchema>;
