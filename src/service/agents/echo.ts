import { pause, plainTextOf, type Agent, type AgentEvent, type AgentRun } from './agent.ts';

/**
 * Answers with the visitor's text, streamed, and returns other items unchanged.
 * `additional_parameters.delay_ms` (default 20) and `.chunk_length` (default 4 characters) set the pace.
 */
export const echoAgent: Agent = {
  async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
    const delay = positive(run.additionalParameters['delay_ms'], 20);
    const length = Math.max(1, positive(run.additionalParameters['chunk_length'], 4));
    const text = plainTextOf(run.message);
    const characters = Array.from(text);
    for (let at = 0; at < characters.length; at += length) {
      if (delay > 0) await pause(delay, run.signal);
      yield characters.slice(at, at + length).join('');
    }
    const { content } = run.message;
    if (!Array.isArray(content)) return;
    const others = content.filter((item) => (item.response_type ?? 'text') !== 'text');
    if (others.length === 0) return;
    const said = text === '' ? [] : [{ id: '1', response_type: 'text', text }];
    yield {
      event: 'message.created',
      data: { message: { role: 'assistant', content: [...said, ...others] } },
    };
    yield { event: 'message.completed' };
  },
};

function positive(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? Math.min(value, 60_000)
    : otherwise;
}
