/** Id of the thread in the examples. */
export const sampleThreadId = '3f2b8c52-9f5d-4f0e-8b8e-1d2c3b4a5f60';

// Example requests of the OpenAPI document. A test sends each one to a running service.

export const sampleRun = {
  message: {
    role: 'user',
    content: [{ response_type: 'text', text: 'Which berths are free tonight?' }],
    additional_properties: { client_message_id: '0b7e9d1e-6a53-4c55-9a39-3d5d2d1f7c11' },
  },
  agent_id: 'demo',
  llm_params: { temperature: 0.2, max_new_tokens: 400 },
  guardrails: { pii: { output: { enabled: true, threshold: 0.5 }, mask: { remove_entity_value: true } } },
  context: {},
  context_variables: { boat: 'Marigold' },
};

export const sampleConfig = {
  layout: {
    primary_color: '#1f3a5f',
    second_color: '#dbe7f6',
    accent_color: '#0b62d6',
    theme: 'light',
    enable_text_streaming: true,
    form: { type: 'float', properties: { container_id: 'chat', width: '400px', height: '640px' } },
  },
  is_live: true,
};

export const sampleMessage = {
  role: 'assistant',
  content: [{ response_type: 'text', text: 'The harbour master says yes.' }],
  additional_properties: { display_properties: { skip_render: false, is_async: false, form_operation: '' } },
};

export const sampleNotification = {
  id: '9a0f6c2e-0d64-4b0e-9df5-5b8a1f0f2c33',
  thread_id: sampleThreadId,
  run_id: '5f0c1f6e-0b7c-4a54-9a3e-6f2f6f0f3a10',
  created_on: '2026-01-31T09:41:00Z',
  updated_at: '2026-01-31T09:41:00Z',
};

export const sampleAguiInput = {
  threadId: 'harbour-1',
  runId: 'harbour-1-1',
  messages: [{ id: 'm-1', role: 'user', content: 'Which berths are free tonight?' }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
};
