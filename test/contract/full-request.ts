import type { Message, RunRequest } from '../../src/protocol/index.ts';

const uuid = '3f2b8c52-9f5d-4f0e-8b8e-1d2c3b4a5f60';

/** Every field of every table of the request, with a value of its type, and unknown keys at each level. */
export const fullMessage: Message = {
  role: 'user',
  content: [
    {
      response_type: 'text',
      text: 'When is high water?',
      json_schema: { type: 'object' },
      ui_schema: { 'ui:order': ['a'] },
      form_data: { a: 1 },
      id: 'item-1',
      form_operation: 'submit',
      sub_type: 'tide',
      event_type: 'form',
      dps_payload_id: 'payload-1',
      beyond: 'kept',
    },
  ],
  mentions: [{ type: 'person', id: uuid, name: 'Ada', beyond: 1 }],
  document_ids: [uuid],
  parent_message_id: uuid,
  additional_properties: {
    svc_message: { any: ['thing'] },
    display_properties: { skip_render: false, is_async: true, form_operation: '' },
    tool_calls: [{ id: 'call-1', name: 'tides' }],
    tool_call_id: 'call-1',
    tool_name: 'tides',
    svc_connection_status: { connection_status: 'connected', connection_message: 'well' },
    beyond: null,
  },
  assistant_id: uuid,
  context: { values: [1, 'two', { three: 3 }] },
  step_history: [{ role: 'assistant', step_details: [] }],
  message_state: { content: { '1': { feedback: { is_positive: true, text: '', selected_categories: [] } } } },
  beyond: { deep: { deeper: true } },
};

const side = { enabled: false, threshold: 0.5 };
const guardrail = { input: side, output: side, mask: { remove_entity_value: true } };

/** Every field of every table of a run request. */
export const fullRequest: RunRequest = {
  message: fullMessage,
  llm_params: {
    beam_width: 1,
    decoding_method: 'greedy',
    include_stop_sequence: false,
    length_penalty: { decay_factor: 1.5, start_index: 3 },
    max_new_tokens: 200,
    min_new_tokens: 1,
    random_seed: 7,
    repetition_penalty: 1.1,
    return_options: {
      generated_tokens: true,
      input_parameters: true,
      input_text: true,
      input_tokens: true,
      token_logprobs: true,
      token_ranks: true,
      top_n_tokens: 2,
    },
    stop_sequences: 'END',
    temperature: 0.7,
    time_limit: 60_000,
    top_k: 50,
    top_p: 0.9,
    truncate_input_tokens: 1000,
    typical_p: 0.5,
  },
  guardrails: { hap: guardrail, social_bias: guardrail, pii: guardrail },
  context: { last_topic: 'tides' },
  agent_id: 'demo',
  additional_parameters: { delay_ms: 0 },
  environment_id: 'test',
  version: 3,
  context_variables: { name: 'Ada' },
};
