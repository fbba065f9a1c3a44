import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { CallRecord } from '../tools/tool-call.ts';
import type { AgentRun } from './agent.ts';
import { buildChatMessages } from './openai-messages.ts';

/** The part of a request to the Responses API that holds the conversation. */
export interface ResponsesInput {
  readonly instructions: string | undefined;
  readonly input: ResponseInputItem[];
}

/**
 * Builds the conversation for the Responses API.
 * @param reasoning of this run, the items of reasoning before each round of calls, as upstream sent them
 */
export function buildInput(
  run: AgentRun,
  systemPrompt: string | undefined,
  calls: readonly CallRecord[],
  reasoning: readonly (readonly ResponseInputItem[])[],
): ResponsesInput {
  const ownCalls = new Set(calls.filter(({ runId }) => runId === run.runId).map(({ id }) => id));
  const instructions: string[] = [];
  const input: ResponseInputItem[] = [];
  let round = 0;
  for (const message of buildChatMessages(run, systemPrompt, calls)) {
    const text = typeof message.content === 'string' ? message.content : '';
    if (message.role === 'system') instructions.push(text);
    else if (message.role === 'user') input.push({ role: 'user', content: text });
    else if (message.role === 'tool')
      input.push({ type: 'function_call_output', call_id: message.tool_call_id, output: text });
    else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
      if (calls.some(({ id }) => ownCalls.has(id))) {
        input.push(...(reasoning[round] ?? []));
        round += 1;
      }
      if (text !== '') input.push({ role: 'assistant', content: text });
      for (const { id, function: called } of calls)
        input.push({ type: 'function_call', call_id: id, name: called.name, arguments: called.arguments });
    }
  }
  return { instructions: instructions.length > 0 ? instructions.join('\n\n') : undefined, input };
}
