/**
 * An agent of the kind "module": an `async function*` that yields strings (text, streamed) and events.
 *
 *   {"agents":[{"id":"tides","name":"Tides","kind":"module","module":"./tides.mjs"}]}
 *
 * @param {import('agent-chat-service').AgentRun} run
 * @returns {AsyncGenerator<import('agent-chat-service').AgentEvent>}
 */
export default async function* tides(run) {
  yield {
    event: 'run.step.intermediate',
    data: { message: { key: 'lookingUp', text: 'Reading the tide table' } },
  };

  const call = { id: 'tide-1', name: 'tide_table', args: { port: run.contextVariables.port ?? 'Grey Quay' } };
  yield {
    event: 'run.step.delta',
    data: { delta: { role: 'assistant', step_details: [{ type: 'tool_calls', tool_calls: [call] }] } },
  };
  const table = await readTable(run.signal);
  yield {
    event: 'run.step.delta',
    data: {
      delta: {
        role: 'assistant',
        step_details: [
          { type: 'tool_response', name: call.name, tool_call_id: call.id, content: JSON.stringify(table) },
        ],
      },
    },
  };

  const asked = run.history.filter((message) => message.role === 'user').length;
  yield asked === 0 ? 'Welcome! ' : 'Once more: ';
  yield `high water at ${call.args.port} is at **${table.high}**, low water at **${table.low}**.`;
}

/** Stands for a real source; pass `signal` on, so that Stop reaches it. */
async function readTable(signal) {
  signal.throwIfAborted();
  return { high: '06:58', low: '13:09' };
}
