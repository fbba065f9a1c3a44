import type { ContentBlockParam, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { isErrorForModel } from '../tools/result-for-model.ts';
import type { CallRecord } from '../tools/tool-call.ts';
import type { AgentRun } from './agent.ts';
import { buildChatMessages } from './openai-messages.ts';

/** The part of a request to the Messages API that holds the conversation. */
export interface MessagesInput {
  readonly system: string | undefined;
  readonly messages: MessageParam[];
}

/**
 * Builds the conversation for the Messages API: turns alternate, calls and results are blocks.
 * @param rounds of this run, the blocks of each answer with calls. Models that think require them unchanged, in order.
 */
export function buildMessages(
  run: AgentRun,
  systemPrompt: string | undefined,
  calls: readonly CallRecord[],
  rounds: readonly (readonly ContentBlockParam[])[],
): MessagesInput {
  const records = new Map(calls.map((call) => [call.id, call]));
  const system: string[] = [];
  const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  const add = (role: 'user' | 'assistant', ...blocks: readonly ContentBlockParam[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  let round = 0;
  for (const message of buildChatMessages(run, systemPrompt, calls)) {
    const text = typeof message.content === 'string' ? message.content : '';
    if (message.role === 'system') system.push(text);
    else if (message.role === 'user') add('user', textBlock(text));
    else if (message.role === 'tool') {
      const call = records.get(message.tool_call_id);
      const isError = call !== undefined && isErrorForModel(call);
      const result = { type: 'tool_result', tool_use_id: message.tool_call_id, content: text } as const;
      add('user', { ...result, ...(isError ? { is_error: true } : {}) });
    } else if (message.role === 'assistant') {
      const ids = (message.tool_calls ?? []).map(({ id }) => id);
      const uses = ids.flatMap((id): ContentBlockParam[] => {
        const call = records.get(id);
        return call ? [{ type: 'tool_use', id, name: call.name, input: argumentsOf(call) }] : [];
      });
      const isOwn = ids.some((id) => records.get(id)?.runId === run.runId);
      const blocks = isOwn ? rounds[round] : undefined;
      const said = records.get(ids[0] ?? '')?.said ?? ''; // the end of `text`; the blocks have it
      const before = blocks ? text.slice(0, text.length - said.length).trim() : text;
      if (isOwn) round += 1;
      if (before !== '') add('assistant', textBlock(before));
      if (blocks)
        add('assistant', ...blocks.flatMap((one) => (one.type === 'tool_use' ? (uses.shift() ?? []) : one)));
      add('assistant', ...uses);
    }
  }
  return { system: system.length > 0 ? system.join('\n\n') : undefined, messages };
}

/** Whether the last calls lack the reasoning before them: that of earlier runs, as before a decision, is not kept. */
export function lackThoughts(messages: readonly MessageParam[]): boolean {
  const typesIn = ({ content }: MessageParam): readonly string[] =>
    typeof content === 'string' ? ['text'] : content.map(({ type }) => type);
  const isTurn = (message: MessageParam): boolean =>
    message.role === 'user' && !typesIn(message).includes('tool_result');
  const types = messages.slice(messages.findLastIndex(isTurn) + 1).flatMap(typesIn);
  return types.includes('tool_use') && !types.some((type) => type.endsWith('thinking'));
}

function textBlock(text: string): TextBlockParam {
  return { type: 'text', text };
}

/** The API accepts objects only; a model's invalid arguments are kept readable. */
function argumentsOf({ args }: CallRecord): Record<string, unknown> {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return isObject ? (args as Record<string, unknown>) : { invalid_arguments: args };
}
