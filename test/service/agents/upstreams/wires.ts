/** A call that an answer contains. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How an agent kind's upstream says things: each function returns bytes. */
export interface Wire {
  readonly kind: string;
  /** The members of the agents file for an upstream at an address. */
  readonly entry: (address: string) => Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly start: () => string;
  readonly text: (words: string) => string;
  readonly thought: (words: string) => string;
  readonly calls: (calls: readonly WireCall[]) => string;
  /** Ends the answer. @param calls whether it ends with calls for the client */
  readonly end: (calls?: boolean) => string;
  /** An error in the middle of the stream. */
  readonly fault: () => string;
  readonly brokenJson: string;
  /** Begins a line that never ends. */
  readonly endless: string;
  /** What a record of broken JSON does: the answer breaks off, or the record is skipped. */
  readonly afterBrokenJson: 'breaks off' | 'goes on';
  /** Whether each call's result is part of the stream too. */
  readonly hasResults?: boolean;
  /** Where the hashed user stands in a request. */
  readonly userOf: (body: Readonly<Record<string, unknown>>) => unknown;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
/** A server-sent event. */
export const named = (event: { type: string }): string => `event: ${event.type}\n${data(event)}`;

const http: Wire = {
  kind: 'http',
  entry: (address) => ({ url: `${address}/run`, headers_env: { Authorization: 'TEST_UPSTREAM_KEY' } }),
  type: 'application/x-ndjson',
  start: () => '{"event":"run.started","data":{}}\n',
  text: (words) => `${JSON.stringify({ event: 'message.delta', data: { delta: { text: words } } })}\n`,
  thought: (words) => `${JSON.stringify({ event: 'run.step.thinking', data: { thinking: words } })}\n`,
  calls: (calls) =>
    calls
      .map(({ id, name, args }) => {
        const step = (detail: object): object => ({
          event: 'run.step.delta',
          data: { step_id: id, delta: { role: 'assistant', step_details: [detail] } },
        });
        return [
          { event: 'run.step.started', data: { step_id: id } },
          step({ type: 'tool_calls', tool_calls: [{ id, name, args }] }),
          step({ type: 'tool_response', name, tool_call_id: id, content: `result of ${id}` }),
          { event: 'run.step.completed', data: { step_id: id } },
        ]
          .map((event) => `${JSON.stringify(event)}\n`)
          .join('');
      })
      .join(''),
  end: () => '{"event":"run.completed","data":{}}\n{"event":"done","data":{}}\n',
  fault: () => '',
  brokenJson: '{"event":"message.delta","data":{secret-detail\n',
  endless: '{"event":"message.delta","data":{"delta":{"text":"',
  afterBrokenJson: 'goes on',
  hasResults: true,
  userOf: () => undefined,
};

const choice = (delta: object, finish: string | null = null): string =>
  data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const openai: Wire = {
  kind: 'openai',
  entry: (address) => ({ base_url: `${address}/v1`, model: 'm', api_key_env: 'TEST_UPSTREAM_KEY' }),
  type: 'text/event-stream',
  start: () => choice({ role: 'assistant', content: '' }),
  text: (words) => choice({ content: words }),
  thought: (words) => choice({ reasoning_content: words }),
  calls: (calls) =>
    calls
      .map(({ id, name, args }, index) =>
        choice({
          tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
        }),
      )
      .join(''),
  end: (calls) => `${choice({}, calls ? 'tool_calls' : 'stop')}data: [DONE]\n\n`,
  fault: () => data({ error: { message: 'secret-detail', code: 500 } }),
  brokenJson: 'data: {"choices":[secret-detail\n\n',
  endless: 'data: {"choices":[{"delta":{"content":"',
  afterBrokenJson: 'breaks off',
  userOf: (body) => body['user'],
};

const responses: Wire = {
  kind: 'responses',
  entry: (address) => ({ base_url: `${address}/v1`, model: 'm', api_key_env: 'TEST_UPSTREAM_KEY' }),
  type: 'text/event-stream',
  start: () =>
    named({ type: 'response.created', ...{ response: { id: 'r1', model: 'm', status: 'in_progress' } } }),
  text: (words) =>
    named({
      type: 'response.output_text.delta',
      ...{ item_id: 'i1', output_index: 0, content_index: 0, delta: words },
    }),
  thought: (words) =>
    named({
      type: 'response.reasoning_summary_text.delta',
      ...{ item_id: 'i0', summary_index: 0, delta: words },
    }),
  calls: (calls) =>
    calls
      .map(({ id, name, args }, index) => {
        const item = {
          type: 'function_call',
          id: `fc-${id}`,
          call_id: id,
          name,
          arguments: JSON.stringify(args),
        };
        return (
          named({
            type: 'response.output_item.added',
            ...{ output_index: index, item: { ...item, arguments: '' } },
          }) + named({ type: 'response.output_item.done', ...{ output_index: index, item } })
        );
      })
      .join(''),
  end: () =>
    named({
      type: 'response.completed',
      ...{
        response: { id: 'r1', model: 'm', status: 'completed', usage: { input_tokens: 3, output_tokens: 5 } },
      },
    }),
  fault: () => named({ type: 'error', ...{ message: 'secret-detail', code: 'server_error' } }),
  brokenJson: 'event: response.output_text.delta\ndata: {secret-detail\n\n',
  endless: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"',
  afterBrokenJson: 'breaks off',
  userOf: (body) => body['user'],
};

/** A content block of the Messages API. */
export const block = (index: number, start: object, deltas: readonly object[]): string =>
  named({ type: 'content_block_start', ...{ index, content_block: start } }) +
  deltas.map((delta) => named({ type: 'content_block_delta', ...{ index, delta } })).join('') +
  named({ type: 'content_block_stop', ...{ index } });

const anthropic: Wire = {
  kind: 'anthropic',
  entry: (address) => ({ base_url: address, model: 'm', api_key_env: 'TEST_UPSTREAM_KEY' }),
  type: 'text/event-stream',
  start: () =>
    named({ type: 'message_start', ...{ message: { id: 'm1', model: 'm', usage: { input_tokens: 3 } } } }),
  text: (words) => block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: words }]),
  thought: (words) =>
    block(0, { type: 'thinking', thinking: '' }, [
      { type: 'thinking_delta', thinking: words },
      { type: 'signature_delta', signature: 'signed' },
    ]),
  calls: (calls) =>
    calls
      .map(({ id, name, args }, index) => {
        const json = JSON.stringify(args);
        const pieces = [json.slice(0, 3), json.slice(3)];
        return block(
          index + 2,
          { type: 'tool_use', id, name, input: {} },
          pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
        );
      })
      .join(''),
  end: (calls) =>
    named({
      type: 'message_delta',
      ...{ delta: { stop_reason: calls ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 5 } },
    }) + named({ type: 'message_stop' }),
  fault: () => named({ type: 'error', ...{ error: { type: 'overloaded_error', message: 'secret-detail' } } }),
  brokenJson: 'event: content_block_delta\ndata: {secret-detail\n\n',
  endless: 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"',
  afterBrokenJson: 'breaks off',
  userOf: (body) => (body['metadata'] as { user_id?: string } | undefined)?.user_id,
};

let message = 0;
const ids = { threadId: 't', runId: 'r' };
const agui: Wire = {
  kind: 'agui',
  entry: (address) => ({ url: `${address}/agent`, headers_env: { Authorization: 'TEST_UPSTREAM_KEY' } }),
  type: 'text/event-stream',
  start: () => {
    message += 1;
    return data({ type: 'RUN_STARTED', ...ids });
  },
  text: (words) =>
    data({ type: 'TEXT_MESSAGE_CHUNK', messageId: `m${message}`, role: 'assistant', delta: words }),
  thought: (words) => data({ type: 'REASONING_MESSAGE_CHUNK', messageId: `t${message}`, delta: words }),
  calls: (calls) =>
    [
      ...calls.flatMap(({ id, name, args }) => [
        { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name },
        { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: JSON.stringify(args) },
        { type: 'TOOL_CALL_END', toolCallId: id },
      ]),
      ...calls.map(({ id }) => ({
        type: 'TOOL_CALL_RESULT',
        messageId: `result-${id}`,
        toolCallId: id,
        content: `result of ${id}`,
      })),
    ]
      .map(data)
      .join(''),
  end: () => data({ type: 'RUN_FINISHED', ...ids }),
  fault: () => data({ type: 'RUN_ERROR', message: 'secret-detail' }),
  brokenJson: 'data: {secret-detail\n\n',
  endless: 'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"',
  afterBrokenJson: 'breaks off',
  hasResults: true,
  userOf: (body) => (body['forwardedProps'] as { user?: string } | undefined)?.user,
};

/** The wires of all kinds with an upstream. A new kind adds a row. */
export const wires: readonly Wire[] = [http, openai, responses, anthropic, agui];
