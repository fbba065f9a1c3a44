import { pause, plainTextOf, referencesAsText, type Agent, type AgentEvent, type AgentRun } from './agent.ts';

/**
 * Answers with the visitor's text, streamed, and returns other items unchanged. Names the documents of a message
 * without text.
 *
 * `additional_parameters.delay_ms` (default 20) and `.chunk_length` (default 4 characters) set the pace. Larger values
 * than 60,000 count as that.
 */
export const echoAgent: Agent = {
  async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
    const delay = nonNegative(run.additionalParameters['delay_ms'], 20);
    const length = Math.max(1, nonNegative(run.additionalParameters['chunk_length'], 4));
    const text = plainTextOf(run.message) || referencesAsText(run.message);
    for (const piece of pieces(text, length)) {
      if (delay > 0) await pause(delay, run.signal);
      yield piece;
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

/** Cuts a text into pieces of `length` characters (code points). */
function* pieces(text: string, length: number): Generator<string> {
  let piece = '';
  let count = 0;
  for (const character of text) {
    piece += character;
    count += 1;
    if (count < length) continue;
    yield piece;
    piece = '';
    count = 0;
  }
  if (piece !== '') yield piece;
}

function nonNegative(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? Math.min(value, 60_000)
    : otherwise;
}
