import type { ContentItem } from '../../../src/protocol/index.ts';
import type { AgentEvent, AgentRun } from '../../../src/service/agents/agent.ts';
import { waitAtPace, wordDelayMs } from '../../../src/service/agents/pace.ts';

/** The agent's name in status lines and steps. */
export const speaker = 'Harbour Help';

/** Streams a text word by word, with pauses after sentences. */
export async function* say(run: AgentRun, text: string, id = '1'): AsyncGenerator<AgentEvent> {
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    await waitAtPace(run, wordDelayMs);
    yield itemDelta({ id, response_type: 'text', text: word });
    if (/[.!?:]\s*$/.test(word)) await waitAtPace(run, wordDelayMs * 3);
  }
}

/** Creates a delta with one item, or a piece of one. */
export function itemDelta(item: ContentItem): AgentEvent {
  return { event: 'message.delta', data: { delta: { role: 'assistant', content: [item] } } };
}

/** Creates a status line. */
export function status(key: string, text: string): AgentEvent {
  return { event: 'run.step.intermediate', data: { agent_display_name: speaker, message: { key, text } } };
}

/** A tool call with its response. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly response: string;
  /** Simulated duration, in ms. */
  readonly takes?: number;
}

/** Plays a tool call and its response. */
export async function* useTool(run: AgentRun, tool: ToolUse): AsyncGenerator<AgentEvent> {
  const call = { id: tool.id, name: tool.name, args: tool.args };
  yield {
    event: 'run.step.delta',
    data: {
      delta: {
        role: 'assistant',
        step_details: [{ type: 'tool_calls', agent_display_name: speaker, tool_calls: [call] }],
      },
    },
  };
  await waitAtPace(run, tool.takes ?? 600);
  yield {
    event: 'run.step.delta',
    data: {
      delta: {
        role: 'assistant',
        step_details: [
          { type: 'tool_response', name: tool.name, tool_call_id: tool.id, content: tool.response },
          { type: 'tool_call', name: tool.name, tool_call_id: tool.id, args: tool.args },
        ],
      },
    },
  };
}

/** Creates a complete message. */
export function created(
  content: readonly ContentItem[],
  more: Readonly<Record<string, unknown>> = {},
): AgentEvent {
  return {
    event: 'message.created',
    data: { message: { role: 'assistant', content: [...content], ...more } },
  };
}
